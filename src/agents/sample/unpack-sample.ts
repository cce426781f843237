import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { archiveKind } from "../../archive/archive-kind.ts";
import { extractArchive } from "../../archive/extract.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { sampleRank } from "./find-sample.ts";

const SEVEN_ZIP_PROGRAMS = ["7zz", "7z", "7za", "7zr"];

/** Unpacks the sample submission out of an archive into an empty folder; null when there is none in it. */
export async function unpackSample(archive: string, folder: string): Promise<string | null> {
  const isSample = (name: string) => sampleRank(path.basename(name)) !== null;
  const unpacked = await extractArchive(archive, folder, { only: isSample });
  if (unpacked.status === "refused") {
    const kind = archiveKind(archive);
    // Ours comes as a package of its own, which is not in the sandbox; the system may have one.
    if (kind === "7z") unpackWithProgram(archive, folder);
    // A single file, not a tar.
    else if (kind === "gzip") await gunzip(archive, path.join(folder, "sample_submission.csv"));
  }
  const found = fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => isSample(name) && fs.lstatSync(path.join(folder, name)).isFile())
    .sort((a, b) => sampleRank(path.basename(a))! - sampleRank(path.basename(b))! || (a < b ? -1 : 1));
  return found.length === 0 ? null : path.join(folder, found[0]);
}

function unpackWithProgram(archive: string, folder: string): void {
  for (const program of SEVEN_ZIP_PROGRAMS) {
    const args = ["x", "-y", `-o${folder}`, archive, "-r", "*.csv"];
    if (spawnSync(program, args, { stdio: "ignore" }).status === 0) return;
  }
}

async function gunzip(archive: string, file: string): Promise<void> {
  makeFolder(path.dirname(file));
  await pipeline(fs.createReadStream(archive), createGunzip(), fs.createWriteStream(file)).catch(() =>
    fs.rmSync(file, { force: true }),
  );
}
