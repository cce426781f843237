import fs from "node:fs";
import path from "node:path";
import type { LoadedCompetition } from "../../competitions/catalogue.ts";
import type { CompetitionVersion, Erratum } from "../../competitions/competition.ts";

/**
 * Gives an agent its task: the official text if the user has imported it, else our own. Both describe v1; for v2 a note
 * in front says what differs, and wins over the text.
 */
export function placeDescription(
  imported: string,
  { competition, folder }: LoadedCompetition,
  version: CompetitionVersion,
  publicFolder: string,
): "official" | "ours" | "none" {
  const ours = new URL("description.md", folder);
  const source = fs.existsSync(imported) ? imported : fs.existsSync(ours) ? ours : null;
  if (source === null) return "none";
  const target = path.join(publicFolder, "description.md");
  if (version === "v1") fs.copyFileSync(source, target);
  else
    fs.writeFileSync(
      target,
      `${correctionNote(competition.errata ?? [])}\n${fs.readFileSync(source, "utf8")}`,
    );
  return source === imported ? "official" : "ours";
}

function correctionNote(errata: readonly Erratum[]): string {
  const corrected = errata.filter(({ corrects }) => corrects !== "nothing");
  const lines = corrected.map(({ defect, v2 }) => `> - In v1: ${defect} In v2: ${v2}`);
  return [
    "> **Corrected version (v2).** Where the text below says otherwise, this holds:",
    ">",
    ...lines,
    "",
  ].join("\n");
}
