// full: prepares all 82 competitions; prepare.test.ts has a few of them through the command line
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { extractArchive } from "../../src/archive/extract.ts";
import type { Preparer } from "../../src/competitions/preparer.ts";
import { runPreparer } from "../../src/competitions/preparing/run-preparer.ts";
import { type PrepareCase, prepareCases } from "./prepare-cases.ts";
import { makeRawByRecipe } from "./prepare-recipes.ts";
import { differences } from "./prepared-tree.ts";

const cases = prepareCases().filter(({ id }) => fs.existsSync(prepareModule(id)));

test.each(cases.map((golden) => [`${golden.id} (${golden.name})`, golden] as const))(
  "%s is prepared as recorded",
  { timeout: 300_000 },
  async (_, golden) => {
    const root = fs.mkdtempSync(path.join(os.tmpdir(), "golden-prepare-"));
    try {
      const raw = path.join(root, "raw");
      await makeRaw(golden, raw);
      const before = snapshot(raw);
      const { preparer }: { preparer: Preparer } = await import(prepareModule(golden.id));
      const out = path.join(root, "prepared");
      const settings = golden.expected.meta?.overrides ?? {};
      const outcome = await runPreparer({ preparer, raw, out, settings });
      expect(outcome).toMatchObject({ status: "prepared" });
      expect(await differences(golden, out)).toEqual([]);
      expect(fs.readdirSync(out).sort()).toEqual(["private", "public"]);
      expect(snapshot(raw)).toEqual(before);
    } finally {
      fs.rmSync(root, { recursive: true });
    }
  },
);

async function makeRaw(golden: PrepareCase, raw: string): Promise<void> {
  if (golden.rawZip === null) return makeRawByRecipe(golden.id, golden.recipe!, raw);
  const outcome = await extractArchive(golden.rawZip, raw);
  expect(outcome).toMatchObject({ status: "extracted" });
}

/** Names and sizes: a preparer must leave the raw folder as it found it. */
function snapshot(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => `${file} ${fs.statSync(file).size}`)
    .sort();
}

function prepareModule(id: string): string {
  return path.resolve(import.meta.dirname, "../../src/competitions", id, "prepare.ts");
}
