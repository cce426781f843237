import fs from "node:fs";
import { basename, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { extractArchive } from "../../archive/extract.ts";
import { writeTar } from "../../archive/tar-writer.ts";
import type { Preparation } from "../preparer.ts";
import { listTree } from "../preparing/files/list-files.ts";
import { packZip, stopForArchive, unpackRaw } from "../preparing/files/nested-archive.ts";
import { withoutLabels } from "./mat-labels.ts";

/**
 * Packs the sessions of an archive anew, with the gesture labels taken out of their MATLAB files. A MATLAB file of another make than expected is left
 * out altogether. Videos and sound stay as they are.
 */
export async function packWithoutLabels(
  preparation: Preparation,
  archive: string,
  target: string,
): Promise<void> {
  const folder = await unpackRaw(preparation, archive, "sessions");
  const files = listTree(folder);
  for (const [done, file] of files.entries()) {
    const path = join(folder, file);
    if (file.endsWith(".zip")) await cleanSession(preparation, path);
    else if (isMat(file)) cleanMat(preparation, path);
    preparation.progress({ what: "taking labels out", done: done + 1, total: files.length });
  }
  const tar = join(preparation.scratch, "test.tar");
  await writeTar(
    tar,
    listTree(folder).map((name) => ({ name, content: "file", file: join(folder, name) })),
  );
  const source = fs.createReadStream(tar, { highWaterMark: 2 ** 20 });
  // Nearly everything inside is compressed already.
  const gzip = createGzip({ level: 1 });
  await pipeline(source, gzip, fs.createWriteStream(target), { signal: preparation.signal });
}

async function cleanSession(preparation: Preparation, zip: string): Promise<void> {
  const folder = join(preparation.scratch, "session");
  const outcome = await extractArchive(zip, folder, { signal: preparation.signal });
  preparation.signal.throwIfAborted();
  if (outcome.status !== "extracted") return stopForArchive(basename(zip), outcome);
  for (const file of listTree(folder)) if (isMat(file)) cleanMat(preparation, join(folder, file));
  fs.rmSync(zip);
  const kept = listTree(folder).map((file) => [file, join(folder, file)] as const);
  await packZip(preparation, zip, kept, "store");
  fs.rmSync(folder, { recursive: true });
}

function cleanMat(preparation: Preparation, file: string): void {
  const cleaned = withoutLabels(fs.readFileSync(file));
  if (cleaned) {
    fs.writeFileSync(file, cleaned);
    return;
  }
  fs.rmSync(file);
  preparation.warn(`${basename(file)} is left out: no labels were found in it that could be taken out`);
}

function isMat(file: string): boolean {
  return file.toLowerCase().endsWith(".mat");
}
