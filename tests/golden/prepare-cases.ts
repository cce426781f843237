import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { Settings } from "../../src/competitions/preparer.ts";

const ROOT = fileURLToPath(new URL("./vectors/prepare", import.meta.url));

export type ExpectedFile =
  | { md5: string; bytes: number; npy?: unknown }
  | { members: Record<string, string>; folders?: string[]; format?: "tar"; note?: string }
  | { parquet: { columns: { name: string; type: string }[]; rows: number; json_md5: string } }
  | { files: number; listing_md5: string };

export interface ExpectedTree {
  public: Record<string, ExpectedFile>;
  private: Record<string, ExpectedFile>;
  meta?: {
    overrides?: Settings;
    empty_dirs?: { public: string[]; private: string[] };
  };
}

/** One recorded preparation. `recipe` stands in for `raw.zip` where the input is made by formula. */
export interface PrepareCase {
  id: string;
  name: string;
  folder: string;
  rawZip: string | null;
  recipe: string | null;
  expected: ExpectedTree;
}

/** All recorded preparations, narrowed by the environment variable PREPARE_IDS (a comma-separated list). */
export function prepareCases(): PrepareCase[] {
  const only = process.env.PREPARE_IDS?.split(",");
  return fs
    .readdirSync(ROOT)
    .filter((id) => !only || only.includes(id))
    .flatMap((id) => {
      const folder = path.join(ROOT, id);
      const variants = path.join(folder, "variants");
      const names = fs.existsSync(variants) ? fs.readdirSync(variants) : [];
      const full = path.join(folder, "full");
      return [
        loadCase(id, "plain", folder),
        ...names.map((name) => loadCase(id, name, path.join(variants, name))),
        ...(fs.existsSync(full) ? [loadCase(id, "full", full)] : []),
      ];
    });
}

function loadCase(id: string, name: string, folder: string): PrepareCase {
  const present = (file: string) => {
    const found = path.join(folder, file);
    return fs.existsSync(found) ? found : null;
  };
  const expected: ExpectedTree = JSON.parse(fs.readFileSync(path.join(folder, "expected.json"), "utf8"));
  return { id, name, folder, rawZip: present("raw.zip"), recipe: present("recipe.json"), expected };
}
