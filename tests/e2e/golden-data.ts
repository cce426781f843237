import fs from "node:fs";
import path from "node:path";
import { ENTRIES } from "../../src/competitions/catalogue.generated.ts";

// Tests and soaks run in the project's folder; a soak is bundled, so its own place on disk tells nothing.
const VECTORS = path.resolve("tests/golden/vectors/grade");

/** Lays the golden answers out in `folder` as prepared data, `<data>/<id>/prepared/private/…`. */
export function layOutGoldenData(folder: string, ids: readonly string[] = goldenIds()): string {
  for (const id of ids) {
    const { files } = ENTRIES.find((entry) => entry.id === id)!;
    const answers = fs.readdirSync(path.join(VECTORS, id)).find((file) => file.startsWith("answers."))!;
    const target = path.join(folder, id, files.answers);
    fs.mkdirSync(path.dirname(target), { recursive: true });
    fs.copyFileSync(path.join(VECTORS, id, answers), target);
  }
  return folder;
}

export function goldenIds(): string[] {
  return fs.readdirSync(VECTORS);
}

export interface RecordedCase {
  case: string;
  file: string;
  valid: boolean;
  score: number | string | null;
  nan: boolean;
}

export function recordedCases(id: string): RecordedCase[] {
  return JSON.parse(fs.readFileSync(path.join(VECTORS, id, "cases.json"), "utf8"));
}

export function goldenSubmission(id: string, file: string): string {
  return path.join(VECTORS, id, file);
}
