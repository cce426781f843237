import { join } from "node:path";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { keyOrder } from "../preparing/rows/key-order.ts";
import { headerWithout, openRawCsv, type RawCsv } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { visitRows } from "../preparing/rows/scan-rows.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const TARGET = "scalar_coupling_constant";

/** Published for the molecules of the training set only, also by Kaggle: they give the target away. */
const TRAIN_TABLES = [
  "dipole_moments.csv",
  "magnetic_shielding_tensors.csv",
  "mulliken_charges.csv",
  "potential_energy.csv",
  "scalar_coupling_contributions.csv",
];

type MoleculePreparation = Preparation<{ test_size: number }>;

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  prepare: (preparation: MoleculePreparation) => prepareMolecules(preparation, { testStructures: false }),
  prepareV2: (preparation: MoleculePreparation) => prepareMolecules(preparation, { testStructures: true }),
});

async function prepareMolecules(
  preparation: MoleculePreparation,
  { testStructures }: { testStructures: boolean },
): Promise<void> {
  const { raw, public: open } = preparation;
  const csv = await openRawCsv(preparation, join(raw, "train.csv"));
  const groups = await rowsByMolecule(preparation, csv);
  const molecules = [...groups.keys()].sort(keyOrder(csv, "molecule_name"));
  const split = splitItems(molecules.length, preparation.settings.test_size);
  const train = Array.from(split.train, (i) => molecules[i]);
  const test = Array.from(split.test, (i) => molecules[i]);
  const rowsOf = (names: readonly string[]) => Uint32Array.from(names.flatMap((name) => groups.get(name)!));

  const testRows = rowsOf(test);
  await writeRows(preparation, csv, [
    { path: join(open, "train.csv"), rows: rowsOf(train), columns: csv.header },
    { path: join(preparation.private, "answers.csv"), rows: testRows, columns: csv.header },
    { path: join(open, "test.csv"), rows: testRows, columns: headerWithout(csv, TARGET) },
    {
      path: join(open, "sample_submission.csv"),
      rows: testRows,
      columns: ["id", { name: TARGET, value: "0" }],
    },
  ]);

  const described = testStructures ? [...train, ...test] : train;
  await writeTableOf(preparation, "structures.csv", described);
  for (const table of TRAIN_TABLES) await writeTableOf(preparation, table, train);
  await copyNamed(
    preparation,
    join(raw, "structures"),
    join(open, "structures"),
    described.map((molecule) => `${molecule}.xyz`),
  );
}

/** Row by row, so that only distinct names stay in memory. */
async function rowsByMolecule(preparation: Preparation, csv: RawCsv): Promise<Map<string, number[]>> {
  const groups = new Map<string, number[]>();
  await visitRows(preparation, csv, ["molecule_name"], ([molecule], row) => {
    if (molecule === null) return;
    const rows = groups.get(molecule);
    if (rows) rows.push(row);
    else groups.set(molecule, [row]);
  });
  return groups;
}

/** The rows of a side table that belong to some molecules, in their order. */
async function writeTableOf(
  preparation: Preparation,
  table: string,
  molecules: readonly string[],
): Promise<void> {
  const csv = await openRawCsv(preparation, join(preparation.raw, table));
  const wanted = new Set(molecules);
  const found = new Set<string>();
  const keep = new Uint8Array(csv.rowCount);
  await visitRows(preparation, csv, ["molecule_name"], ([molecule], row) => {
    if (molecule === null || !wanted.has(molecule)) return;
    found.add(molecule);
    keep[row] = 1;
  });
  await writeRows(preparation, csv, [
    {
      path: join(preparation.public, table),
      rows: rowsWhere(csv.rowCount, (row) => keep[row] === 1),
      columns: csv.header,
    },
  ]);
  if (found.size < wanted.size)
    preparation.warn(`${table} lacks ${wanted.size - found.size} of ${wanted.size} molecules`);
}
