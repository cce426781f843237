import fs from "node:fs";
import path from "node:path";

/** A file that is a sample submission, or an archive that holds one. */
export interface SampleCandidate {
  file: string;
  packed: boolean;
}

/** From the surest name to the vaguest. */
const NAMES = [
  /^sample_submission\.csv$/,
  /^sample[ _-]?submission\.csv$/i,
  /^sample[ _-]?submission.*\.csv$/i,
  /sample[ _-]?submission.*\.csv$/i,
  /^random[ _-]?predictions\.csv$/i,
  /^(.*[_-])?sample.*\.csv$/i,
  /submission.*\.csv$/i,
];
const ARCHIVE = /\.(zip|7z|gz|tgz|tar)$/i;

/** How good a name is for a sample submission: 0 is best, null is none at all. */
export function sampleRank(name: string): number | null {
  const rank = NAMES.findIndex((pattern) => pattern.test(name));
  return rank === -1 ? null : rank;
}

/**
 * Everything in the data that may be the sample submission, the surest first. Plain files come before archives, the
 * data folder itself before the folders in it; deeper ones hold images, not tables.
 */
export function findSamples(data: string): SampleCandidate[] {
  const top = list(data);
  const folders = top.filter((entry) => entry.isDirectory()).map(({ name }) => path.join(data, name));
  const files = [data, ...folders].flatMap((folder, level) =>
    (level === 0 ? top : list(folder))
      .filter((entry) => entry.isFile())
      .map((entry) => ({ folder, level: Math.min(level, 1), name: entry.name })),
  );
  return files
    .flatMap(({ folder, level, name }) => {
      const packed = ARCHIVE.test(name);
      const rank = sampleRank(packed ? tableName(name) : name);
      if (rank === null) return [];
      return [{ file: path.join(folder, name), packed, order: [packed ? 1 : 0, level, rank] }];
    })
    .sort((a, b) => compare(a.order, b.order) || (a.file < b.file ? -1 : 1))
    .map(({ file, packed }) => ({ file, packed }));
}

/** The name of the table inside `sample_submission.csv.zip` or `sampleSubmission.zip`. */
function tableName(archive: string): string {
  const name = archive.replace(ARCHIVE, "").replace(/\.tar$/i, "");
  return /\.csv$/i.test(name) ? name : `${name}.csv`;
}

function list(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function compare(a: readonly number[], b: readonly number[]): number {
  const at = a.findIndex((value, index) => value !== b[index]);
  return at === -1 ? 0 : a[at] - b[at];
}
