import fs from "node:fs";
import path from "node:path";
import { parseDocument } from "yaml";

export type ConfigContent =
  | { status: "read"; entries: ReadonlyMap<string, unknown> }
  | { status: "broken"; message: string };

/** Anchors may be used to blow a small file up; no real definition comes near these. */
const MAX_ALIASES = 1000;
const MAX_MEANT = 2 ** 20;
/** What the reader of YAML needs grows with the square of a map's size. */
const MAX_BYTES = 2 ** 16;
const DEEPEST = 8;

/** Every `config.yaml` below a folder, sorted, so that "the first file that has the id" means the same everywhere. */
export function configFiles(folder: string): string[] {
  const found: string[] = [];
  const walk = (place: string, depth: number) => {
    for (const entry of entriesOf(place)) {
      const inside = path.join(place, entry.name);
      if (entry.isFile() && entry.name === "config.yaml") found.push(inside);
      else if (
        entry.isDirectory() &&
        depth < DEEPEST &&
        entry.name !== "node_modules" &&
        entry.name[0] !== "."
      )
        walk(inside, depth + 1);
    }
  };
  walk(folder, 0);
  return found.sort();
}

/**
 * The entries of one file, helper maps included. YAML 1.1, as the original reads it: merge keys work and `yes` is a
 * boolean. Whole numbers arrive as bigint, so that they can be told from `1.0`.
 */
export function readConfig(file: string): ConfigContent {
  try {
    if (fs.statSync(file).size > MAX_BYTES) return broken(file, "it is too large for a definition");
    const document = parseDocument(fs.readFileSync(file, "utf8"), {
      version: "1.1",
      intAsBigInt: true,
      // Warnings would be printed by Node itself.
      logLevel: "error",
    });
    if (document.errors.length > 0) return broken(file, document.errors[0].message);
    const content: unknown = document.toJS({ maxAliasCount: MAX_ALIASES });
    if (content === null) return { status: "read", entries: new Map() };
    if (meansTooMuch(content)) return broken(file, "its anchors make it too large, or it holds itself");
    if (typeof content !== "object" || Array.isArray(content))
      return broken(file, "it must be a map from agents' ids to their definitions");
    return { status: "read", entries: new Map(Object.entries(content)) };
  } catch (error) {
    return broken(file, (error as Error).message);
  }
}

/** Whether a value is too large once it is written out, each alias in full; one that holds itself always is. */
function meansTooMuch(content: unknown): boolean {
  let meant = 0;
  const queue: unknown[] = [content];
  for (let value = queue.pop(); value !== undefined; value = queue.pop()) {
    meant += typeof value === "string" ? value.length + 1 : 1;
    if (typeof value === "object" && value !== null) {
      for (const [key, item] of Object.entries(value)) {
        meant += key.length;
        queue.push(item ?? null);
      }
    }
    if (meant + queue.length > MAX_MEANT) return true;
  }
  return false;
}

function entriesOf(folder: string): fs.Dirent[] {
  try {
    return fs.readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

function broken(file: string, why: string): ConfigContent {
  return { status: "broken", message: `${file}: ${why}` };
}
