import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

export interface TextDocument {
  competitionId: string;
  /** Relative to the folder it was found in. */
  file: string;
  sha256: string;
  text: string;
}

const MAX_BYTES = 4 * 2 ** 20;
const MAX_DOCUMENTS = 50;

/** The user's texts of competitions: `<folder>/<id>.md` or `.txt`, and every such file in `<folder>/<id>/`. */
export function documentsIn(folder: string, ids: readonly string[]): TextDocument[] {
  return ids.flatMap((competitionId) => {
    const names = [
      ...[".md", ".txt"].map((extension) => `${competitionId}${extension}`),
      ...listed(path.join(folder, competitionId)).map((name) => `${competitionId}/${name}`),
    ];
    return names.slice(0, MAX_DOCUMENTS).flatMap((file) => {
      const stats = fs.lstatSync(path.join(folder, file), { throwIfNoEntry: false });
      if (!stats?.isFile() || stats.size === 0 || stats.size > MAX_BYTES) return [];
      const text = fs.readFileSync(path.join(folder, file), "utf8");
      return [{ competitionId, file, sha256: createHash("sha256").update(text).digest("hex"), text }];
    });
  });
}

function listed(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => /\.(md|txt)$/i.test(name))
      .sort();
  } catch {
    return [];
  }
}
