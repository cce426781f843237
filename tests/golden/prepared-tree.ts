import { createHash } from "node:crypto";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { extractArchive } from "../../src/archive/extract.ts";
import { readParquetTexts } from "./parquet-texts.ts";
import type { ExpectedFile, PrepareCase } from "./prepare-cases.ts";

/** Everything in which a prepared folder differs from the recorded one, in words; empty when nothing does. */
export async function differences(golden: PrepareCase, out: string): Promise<string[]> {
  const found: string[] = [];
  for (const part of ["public", "private"] as const) {
    const expected = golden.expected[part];
    const root = path.join(out, part);
    const actual = new Set(filesBelow(root));
    for (const [name, file] of Object.entries(expected)) {
      const label = `${part}/${name}`;
      if (name.endsWith("/")) {
        for (const inside of [...actual].filter((other) => other.startsWith(name))) actual.delete(inside);
        found.push(...compareListing(label, path.join(root, name), file));
      } else if (!actual.delete(name)) found.push(`${label}: missing`);
      else found.push(...(await compareFile(golden, label, path.join(root, name), file)));
    }
    for (const name of actual) found.push(`${part}/${name}: not expected`);
    for (const name of golden.expected.meta?.empty_dirs?.[part] ?? []) {
      const folder = path.join(root, name);
      if (!fs.existsSync(folder)) found.push(`${part}/${name}: the empty folder is missing`);
    }
  }
  return found;
}

async function compareFile(
  golden: PrepareCase,
  label: string,
  file: string,
  expected: ExpectedFile,
): Promise<string[]> {
  if ("md5" in expected) {
    const bytes = fs.readFileSync(file);
    if (md5(bytes) === expected.md5) return [];
    return [
      `${label}: ${firstDifference(golden, label, bytes)} (${bytes.length} bytes, expected ${expected.bytes})`,
    ];
  }
  if ("members" in expected) return compareMembers(golden, label, file, expected);
  if ("parquet" in expected) {
    const { columns, rows, json_md5 } = expected.parquet;
    const { types, ...table } = await readParquetTexts(file);
    const shape = columns.map(({ name, type }) => `${name} ${type}`).join();
    const got = table.columns.map((name, i) => `${name} ${types[i]}`).join();
    if (got === shape && table.rows.length === rows && md5(Buffer.from(JSON.stringify(table))) === json_md5)
      return [];
    return [`${label}: columns ${got}, ${table.rows.length} rows, first ${table.rows[0]}`];
  }
  throw new Error(`${label} is expected to be a folder`);
}

async function compareMembers(
  golden: PrepareCase,
  label: string,
  archive: string,
  expected: Extract<ExpectedFile, { members: unknown }>,
): Promise<string[]> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "members-"));
  try {
    const outcome = await extractArchive(archive, folder);
    if (outcome.status === "refused") return [`${label}: ${outcome.message}`];
    if (expected.format === "tar" && outcome.format !== "tar")
      return [`${label}: is ${outcome.format}, not tar`];
    // The original packs a bare folder entry by mistake; what the images' archive must hold is not recorded.
    if (expected.note?.includes("no image")) return [];
    const found: string[] = [];
    const actual = new Set(filesBelow(folder));
    for (const [name, sum] of Object.entries(expected.members)) {
      if (!actual.delete(name)) found.push(`${label}: member ${name} is missing`);
      else {
        const bytes = fs.readFileSync(path.join(folder, name));
        const where = `${label}.members/${name}`;
        if (md5(bytes) !== sum) found.push(`${where}: ${firstDifference(golden, where, bytes)}`);
      }
    }
    for (const name of actual) found.push(`${label}: member ${name} is not expected`);
    for (const name of expected.folders ?? []) {
      if (!fs.existsSync(path.join(folder, name))) found.push(`${label}: folder ${name} is missing`);
    }
    return found;
  } finally {
    fs.rmSync(folder, { recursive: true });
  }
}

function compareListing(label: string, folder: string, expected: ExpectedFile): string[] {
  if (!("listing_md5" in expected)) throw new Error(`${label} is not expected to be a folder`);
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  const lines = names.map((name) => `${name} ${md5(fs.readFileSync(path.join(folder, name)))}\n`);
  if (md5(Buffer.from(lines.join(""))) === expected.listing_md5) return [];
  return [`${label}: ${names.length} files (expected ${expected.files}), first ${lines[0]}`];
}

/** The first line in which a file differs from the recorded text, if that was kept (whole or its head). */
function firstDifference(golden: PrepareCase, label: string, bytes: Buffer): string {
  const recorded = path.join(golden.folder, "expected", label);
  const kept = [recorded, `${recorded}.head`].find((file) => fs.existsSync(file));
  if (!kept) return "differs (its text was not recorded)";
  const want = fs.readFileSync(kept, "utf8").split("\n");
  const got = bytes.toString("utf8").split("\n");
  const line = want.findIndex((text, i) => text !== got[i]);
  const show = (text: string | undefined) => JSON.stringify(text?.slice(0, 300));
  return `line ${line + 1} is ${show(got[line])}, expected ${show(want[line])}`;
}

function filesBelow(root: string): string[] {
  return fs
    .readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)).split(path.sep).join("/"));
}

function md5(bytes: Uint8Array): string {
  return createHash("md5").update(bytes).digest("hex");
}
