import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import {
  type Competition,
  type CompetitionVersion,
  hasCorrectedData,
} from "../../competitions/competition.ts";
import { competitionFile } from "../../data/place/data-folder.ts";
import { fileDigest, folderDigest, regularFiles } from "../../files/folder-digest.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { sha256 } from "./canonical-json.ts";

/** Which data a trial saw (`public`) and is graded on (`answers`). Neither digest tells anything about the answers. */
export const DataDigest = z.object({ public: z.string(), answers: z.string() });
export type DataDigest = z.infer<typeof DataDigest>;

const Remembered = z.object({
  schema: z.literal("mlebench/data-digest"),
  version: z.literal(1),
  /** Over names, sizes and times of the files: while it is the same, so are the digests. */
  state: z.string(),
  digest: DataDigest,
});

type Located = Pick<Competition, "id" | "files" | "errata">;

/**
 * The digests of a competition's prepared data. A hundred gigabytes take minutes to read, so the result is kept
 * beside the data as long as no file's size or time changes; `fresh` reads everything all the same.
 */
export async function dataDigest(
  dataDir: string,
  competition: Located,
  { version, fresh = false }: { version: CompetitionVersion; fresh?: boolean },
): Promise<DataDigest> {
  const { publicFolder, answers } = dataPlaces(dataDir, competition, version);
  const memory = path.join(path.dirname(path.dirname(publicFolder)), `digest-${version}.json`);
  const state = fileState(publicFolder, answers);
  const known = fresh ? null : recall(memory);
  if (known?.state === state) return known.digest;
  const digest = { public: await folderDigest(publicFolder), answers: (await fileDigest(answers)).sha256 };
  try {
    const remembered = { schema: "mlebench/data-digest", version: 1, state, digest };
    writeFileAtomically(memory, `${JSON.stringify(remembered, null, 2)}\n`);
  } catch {
    // Data on a disk we may not write to: the next run reads them again.
  }
  return digest;
}

/** Where a version's data lie: with those of v1 unless it has some of its own. */
export function dataPlaces(dataDir: string, competition: Located, version: CompetitionVersion) {
  const { id, files } = competition;
  const dataVersion = hasCorrectedData(competition) ? version : "v1";
  return {
    dataVersion,
    publicFolder: competitionFile(dataDir, id, "prepared/public", dataVersion),
    answers: competitionFile(dataDir, id, files.answers, dataVersion),
  };
}

function fileState(publicFolder: string, answers: string): string {
  const line = (name: string, file: string) => {
    const { size, mtimeNs, ino } = fs.statSync(file, { bigint: true });
    return `${name} ${size} ${mtimeNs} ${ino}\n`;
  };
  const files = regularFiles(publicFolder).map((name) => line(name, path.join(publicFolder, name)));
  return sha256(`${files.join("")}${line("answers", answers)}`);
}

function recall(memory: string): z.infer<typeof Remembered> | null {
  try {
    return Remembered.parse(JSON.parse(fs.readFileSync(memory, "utf8")));
  } catch {
    return null;
  }
}
