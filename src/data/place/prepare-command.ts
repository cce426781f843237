import fs from "node:fs";
import { ENTRIES } from "../../competitions/catalogue.generated.ts";
import type { LoadedCompetition } from "../../competitions/catalogue.ts";
import type { CompetitionVersion } from "../../competitions/competition.ts";
import { splitOf } from "../../competitions/splits.ts";
import { competitionFile, dataFolder } from "./data-folder.ts";

export interface PrepareHint {
  version?: CompetitionVersion;
  /** As resolved; named in the command unless it is where `mlebench prepare` would go anyway. */
  dataDir: string;
  competitionsDir?: string | null | undefined;
}

/**
 * The command that prepares competitions for whoever just missed their data: with every option it needs to work. A whole
 * split is named by its name.
 */
export function prepareCommand(
  ids: readonly string[],
  { version = "v1", dataDir, competitionsDir }: PrepareHint,
): string {
  return [
    `mlebench prepare ${whatText(ids)}`,
    ...(version === "v1" ? [] : [`--competition-version ${version}`]),
    ...(dataDir === dataFolder() ? [] : [`--data-dir ${shellWord(dataDir)}`]),
    ...(competitionsDir ? [`--competitions ${shellWord(competitionsDir)}`] : []),
  ].join(" ");
}

/** What whoever misses the data of a competition can do: a folder of one's own need not have a `prepare.mjs`. */
export function howToPrepare(loaded: LoadedCompetition, hint: PrepareHint): string {
  const { id, files } = loaded.competition;
  const ours = ENTRIES.some((entry) => entry.id === id);
  if (ours || fs.existsSync(new URL("prepare.mjs", loaded.folder)))
    return `prepare it: ${prepareCommand([id], hint)}`;
  const [answers, sample] = [files.answers, files.sampleSubmission].map((file) =>
    competitionFile(hint.dataDir, id, file, hint.version),
  );
  return `it has no prepare.mjs: put its answers at ${answers}, and to run agents its sample submission at ${sample}`;
}

function whatText(ids: readonly string[]): string {
  const split = ids.length > 1 ? splitOf(ids) : null;
  return split === null ? `-c ${ids.join(" ")}` : `--split ${split}`;
}

/** As one may paste it into a shell. */
function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
