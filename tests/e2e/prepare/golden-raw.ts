import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { json, mlebench } from "../cli.ts";

// Tests and soaks run in the project's folder; a soak is bundled, so its own place on disk tells nothing.
const VECTORS = path.resolve("tests/golden/vectors/prepare");

export function rawZip(id: string): string {
  return path.join(VECTORS, id, "raw.zip");
}

/** Every file below a folder with its md5, by relative path. */
export function treeOf(folder: string): Record<string, string> {
  const tree: Record<string, string> = {};
  for (const entry of fs.readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const file = path.join(entry.parentPath, entry.name);
    tree[path.relative(folder, file)] = createHash("md5").update(fs.readFileSync(file)).digest("hex");
  }
  return tree;
}

/** The plain files that the original made of this raw data, with their md5. Archives are compared elsewhere. */
export function recordedTree(id: string): Record<string, string> {
  const expected = JSON.parse(fs.readFileSync(path.join(VECTORS, id, "expected.json"), "utf8"));
  const tree: Record<string, string> = {};
  for (const part of ["public", "private"]) {
    for (const [name, file] of Object.entries<{ md5?: string }>(expected[part]))
      if (file.md5 !== undefined) tree[`${part}/${name}`] = file.md5;
  }
  return tree;
}

/** A prepared tree without what depends on us and not on the original. */
export function withoutDescription(tree: Record<string, string>): Record<string, string> {
  const { "public/description.md": _, ...rest } = tree;
  return rest;
}

export interface PrepareEvents {
  code: number | null;
  stderr: string;
  outcomes: Record<string, unknown>[];
  notes: string[];
}

/** Runs `prepare … --json` and sorts its events. */
export function prepare(args: readonly string[], env: Record<string, string> = {}): PrepareEvents {
  const result = mlebench(["prepare", ...args, "--json"], { HOME: "/nonexistent", ...env });
  const lines = result.stdout.split("\n").filter((line) => line !== "");
  const events = lines.map((line) => json({ ...result, stdout: line }) as Record<string, unknown>);
  return {
    code: result.code,
    stderr: result.stderr,
    outcomes: events.filter(({ event }) => event === "outcome"),
    notes: events.filter(({ event }) => event === "note").map(({ message }) => String(message)),
  };
}
