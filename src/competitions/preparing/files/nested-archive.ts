import path from "node:path";
import type { ArchiveProblem } from "../../../archive/archive-problem.ts";
import { extractArchive } from "../../../archive/extract.ts";
import type { PackEntry } from "../../../archive/pack-entry.ts";
import { writeSevenZip } from "../../../archive/seven-zip.ts";
import { writeZip, type ZipMethod } from "../../../archive/zip-writer.ts";
import type { Preparation } from "../../preparer.ts";
import { missingFile, stopPreparing } from "../stop-preparing.ts";

/**
 * Unpacks an archive that lies in the raw folder, into a folder below `scratch` ("" for scratch itself), and returns that folder. `only` picks
 * entries by their path in the archive. The raw folder stays as it is.
 */
export async function unpackRaw(
  preparation: Preparation,
  archive: string,
  into = "",
  only: (file: string) => boolean = () => true,
): Promise<string> {
  const target = path.join(preparation.scratch, into);
  const what = `unpacking ${archive}`;
  const outcome = await extractArchive(path.join(preparation.raw, archive), target, {
    only,
    signal: preparation.signal,
    onProgress: ({ doneBytes, totalBytes }) =>
      preparation.progress({ what, done: doneBytes, total: totalBytes, unit: "bytes" }),
  });
  if (outcome.status === "extracted") return target;
  preparation.signal.throwIfAborted();
  if (outcome.code === "NOT_FOUND") return missingFile(archive);
  return stopForArchive(archive, outcome);
}

/** A full disk or a missing program is not a fault of the archive, and another download would not help. */
export function stopForArchive(file: string, { code, blame, problem, next }: ArchiveProblem): never {
  const ofHost = code === "DISK_FULL" ? code : "HOST_FAILED";
  return stopPreparing({ code: blame === "host" ? ofHost : "RAW_ARCHIVE", file, message: problem, next });
}

/** Packs files into a zip: pairs of a name in the archive and the file on disk. */
export async function packZip(
  preparation: Preparation,
  target: string,
  files: Iterable<readonly [name: string, file: string]>,
  method: ZipMethod = "deflate",
): Promise<void> {
  await writeZip(target, packEntries(preparation, path.basename(target), files), method);
}

/** Packs files or folders below `root`, by their names relative to it, into a 7z. */
export async function packSevenZip(target: string, root: string, names: string[]): Promise<void> {
  const outcome = await writeSevenZip(target, root, names);
  if (outcome.status !== "written") stopForArchive(path.basename(target), outcome);
}

function* packEntries(
  preparation: Preparation,
  archive: string,
  files: Iterable<readonly [name: string, file: string]>,
): Generator<PackEntry> {
  let done = 0;
  for (const [name, file] of files) {
    preparation.signal.throwIfAborted();
    yield name.endsWith("/") ? { name, content: "folder" } : { name, content: "file", file };
    if (++done % 256 === 0) preparation.progress({ what: `packing ${archive}`, done });
  }
}
