import type { CompetitionVersion } from "../../competitions/competition.ts";
import { dataFolder } from "./data-folder.ts";

export interface PrepareHint {
  version?: CompetitionVersion;
  /** As resolved; named in the command unless it is where `mlebench prepare` would go anyway. */
  dataDir: string;
  competitionsDir?: string | null | undefined;
}

/** The command that prepares a competition for whoever just missed its data: with every option it needs to work. */
export function prepareCommand(
  id: string,
  { version = "v1", dataDir, competitionsDir }: PrepareHint,
): string {
  return [
    `mlebench prepare -c ${id}`,
    ...(version === "v1" ? [] : [`--competition-version ${version}`]),
    ...(dataDir === dataFolder() ? [] : [`--data-dir ${shellWord(dataDir)}`]),
    ...(competitionsDir ? [`--competitions ${shellWord(competitionsDir)}`] : []),
  ].join(" ");
}

/** As one may paste it into a shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
