import path from "node:path";
import type { CompetitionVersion } from "../../competitions/competition.ts";
import { preparedFolder } from "./data-folder.ts";

export type CompetitionPaths = ReturnType<typeof competitionPaths>;

/** Every place below `<data>/<id>` that preparing reads or writes. Only `prepared` ever counts as prepared data. */
export function competitionPaths(dataDir: string, id: string, version: CompetitionVersion) {
  const folder = path.join(dataDir, id);
  const place = (name: string) => path.join(folder, name);
  const prepared = preparedFolder(version);
  return {
    folder,
    raw: place("raw"),
    /** The download, under the name the original gives it. */
    zip: place(`${id}.zip`),
    /** Says that `raw` and the zip were fetched by us and may be removed by us. */
    rawNote: place("raw.json"),
    /** Where an archive that the user named is unpacked for the time of preparing. */
    unpacked: place("raw.unpacked"),
    prepared: place(prepared),
    partial: place(`${prepared}.partial`),
    /** A result that does not match its checksums, kept to be looked at. */
    differing: place(`${prepared}.differs`),
    /** Earlier data on its way out while newer take its place. */
    replaced: place(`${prepared}.replaced`),
    state: place("prepare.json"),
    lock: place("prepare.lock"),
    ownChecksums: place(version === "v1" ? "checksums.json" : "checksums-v2.json"),
    /** The official text, if the user has imported it. */
    description: place("description.md"),
  };
}
