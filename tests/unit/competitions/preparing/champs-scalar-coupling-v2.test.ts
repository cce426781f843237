import fs from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { preparer } from "../../../../src/competitions/champs-scalar-coupling/prepare.ts";
import { runPreparer } from "../../../../src/competitions/preparing/run-preparer.ts";
import { read, workshop } from "./workshop.ts";

const MOLECULES = Array.from({ length: 10 }, (_, i) => `m${i}`);
const TRAIN_TABLES = [
  "dipole_moments.csv",
  "magnetic_shielding_tensors.csv",
  "mulliken_charges.csv",
  "potential_energy.csv",
  "scalar_coupling_contributions.csv",
];

function raw(): Record<string, string> {
  const table = (names: readonly string[]) =>
    ["molecule_name,x", ...names.map((name) => `${name},0.5`)].join("\n");
  const train = MOLECULES.map((name, i) => `${i},${name},0,1,1JHC,${i}.25`);
  return {
    "train.csv": ["id,molecule_name,atom_index_0,atom_index_1,type,scalar_coupling_constant", ...train].join(
      "\n",
    ),
    "structures.csv": table([...MOLECULES, "unused"]),
    ...Object.fromEntries(TRAIN_TABLES.map((name) => [name, table(MOLECULES)])),
    ...Object.fromEntries(MOLECULES.map((name) => [`structures/${name}.xyz`, name])),
  };
}

async function prepared(version: "v1" | "v2") {
  const { preparation, out } = workshop(raw());
  const outcome = await runPreparer({ preparer, raw: preparation.raw, out, version });
  expect(outcome).toEqual({ status: "prepared", warnings: [] });
  const molecules = (name: string) =>
    read(out, "public", name)
      .split("\n")
      .slice(1, -1)
      .map((row) => row.split(",")[0]);
  return { structures: molecules("structures.csv"), files: files(out), molecules };
}

function files(out: string): string[] {
  return fs.readdirSync(join(out, "public/structures")).sort();
}

test("version v1 leaves the structures of test molecules out", async () => {
  const { structures, files } = await prepared("v1");
  expect(structures).toEqual(MOLECULES.filter((name) => name !== "m2"));
  expect(files).not.toContain("m2.xyz");
});

test("version v2 has the structures of test molecules, but nothing else about them", async () => {
  const { structures, files, molecules } = await prepared("v2");
  expect(structures).toEqual(MOLECULES);
  expect(files).toEqual(MOLECULES.map((name) => `${name}.xyz`));
  for (const table of TRAIN_TABLES) expect(molecules(table)).not.toContain("m2");
});
