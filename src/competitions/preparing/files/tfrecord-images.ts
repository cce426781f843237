import { join } from "node:path";
import { exampleBytes, readTfRecords } from "../../../formats/tfrecord.ts";
import type { Preparation } from "../../preparer.ts";
import { pause } from "../pause.ts";
import { malformed } from "../stop-preparing.ts";
import { stem } from "./list-files.ts";

/** The `image_name` of every record of some TFRecord files. The pictures themselves pass by unread. */
export async function imageNames(
  preparation: Preparation,
  folder: string,
  files: readonly string[],
): Promise<Set<string>> {
  const names = new Set<string>();
  for (const [i, file] of files.entries()) {
    preparation.progress({ what: "reading the image names of the test set", done: i, total: files.length });
    await pause(preparation);
    const problem = await readTfRecords(join(folder, file), (record) => {
      preparation.signal.throwIfAborted();
      const name = exampleBytes(record, "image_name");
      if (name === null) malformed(file, "has a record without image_name");
      names.add(name.toString("utf8"));
      return null;
    });
    if (problem) malformed(file, problem.reason);
  }
  return names;
}

/**
 * Copies of TFRecord files numbered anew from 00, in the order given: `ld_train07-1338.tfrec` becomes `<prefix>00-1338.tfrec`. The number of
 * records is only known from the old name, so a name without one ends the preparation.
 */
export function renumberedCopies(
  from: string,
  to: string,
  prefix: string,
  files: readonly string[],
): [string, string][] {
  return files.map((file, i) => {
    const records = stem(file).split("-")[1] ?? malformed(file, "has no number of records in its name");
    return [join(from, file), join(to, `${prefix}${String(i).padStart(2, "0")}-${records}.tfrec`)];
  });
}
