import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyFiles } from "../preparing/files/copy-files.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

/** The targets, and what the sample submission predicts for them. */
const TARGETS = { formation_energy_ev_natom: "0.1779", bandgap_energy_ev: "1.8892" };

/** Ids are given anew in each half, from 1, so those of train and test overlap. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const tables = await unpackRaw(preparation, "train.csv.zip", "train.csv");
    const structures = await unpackRaw(preparation, "train.zip", "train");
    const csv = await openRawCsv(preparation, join(tables, "train.csv"));
    const [ids] = readColumns(csv, ["id"]).map(plainTexts);
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);

    const newId = { name: "id", cell: (_: number, position: number) => String(position + 1) };
    const renumbered = csv.header.map((name) => (name === "id" ? newId : name));
    const features = renumbered.filter((column) => typeof column !== "string" || !(column in TARGETS));
    const guesses = Object.entries(TARGETS).map(([name, value]) => ({ name, value }));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: renumbered },
      { path: join(preparation.public, "test.csv"), rows: test, columns: features },
      { path: join(preparation.private, "test.csv"), rows: test, columns: renumbered },
      { path: join(preparation.public, "sample_submission.csv"), rows: test, columns: [newId, ...guesses] },
    ]);
    for (const [folder, rows] of Object.entries({ train, test })) {
      const files = Array.from(rows, (row, position) => {
        const from = join(structures, "train", ids[row], "geometry.xyz");
        return [from, join(preparation.public, folder, String(position + 1), "geometry.xyz")] as const;
      });
      await copyFiles(preparation, "copying structures", files);
    }
  },
});
