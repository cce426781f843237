import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";
import { writeSevenZip } from "../../../src/archive/seven-zip.ts";
import { writeTar } from "../../../src/archive/tar-writer.ts";
import { writeZip } from "../../../src/archive/zip-writer.ts";
import { temporaryFolder, writeText } from "../temporary-folder.ts";

const scratch = temporaryFolder();
const newFolder = () => fs.mkdtempSync(path.join(scratch, "pack-"));

type Members = Record<string, string | Uint8Array>;

const entries = (members: Members) =>
  Object.entries(members).map(([name, content]) =>
    name.endsWith("/")
      ? ({ name, content: "folder" } as const)
      : ({ name, content: "bytes", bytes: Buffer.from(content) } as const),
  );

export async function zipOf(members: Members): Promise<Buffer> {
  const target = path.join(newFolder(), "packed.zip");
  await writeZip(target, entries(members), "deflate");
  return fs.readFileSync(target);
}

export async function tarGzOf(members: Members): Promise<Buffer> {
  const target = path.join(newFolder(), "packed.tar");
  await writeTar(target, entries(members));
  return gzipSync(fs.readFileSync(target));
}

/** Members whose name ends in a slash become empty folders. */
export async function sevenZipOf(members: Members): Promise<Buffer> {
  const root = newFolder();
  for (const [name, content] of Object.entries(members)) {
    if (name.endsWith("/")) fs.mkdirSync(path.join(root, name), { recursive: true });
    else writeText(root, name, content);
  }
  const target = path.join(newFolder(), "packed.7z");
  const names = [...new Set(Object.keys(members).map((name) => name.split("/", 1)[0]))];
  const written = await writeSevenZip(target, root, names);
  if (written.status !== "written") throw new Error(written.message);
  return fs.readFileSync(target);
}
