import { join } from "node:path";
import { pandasSample } from "../../random/pandas-sample.ts";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { groupRows, rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";
import { readJsonFile } from "../preparing/texts/json-file.ts";

/** Notebooks forked from one another stay together: whole families fill the test set up to its size. */
export const preparer = definePreparer({
  settings: { test_size: 20_000 },
  async prepare(preparation) {
    const ancestors = await openRawCsv(preparation, join(preparation.raw, "train_ancestors.csv"));
    const [ids, family] = readColumns(ancestors, ["id", "ancestor_id"]).map(plainTexts);
    const shuffled = pandasSample(ancestors.rowCount, { fraction: 1 }, 0)!;
    const families = groupRows(Array.from(shuffled, (row) => family[row]));
    const testIds = new Set<string>();
    let testRows = 0;
    for (const positions of families.values()) {
      if (testRows + positions.length > preparation.settings.test_size) continue;
      testRows += positions.length;
      for (const position of positions) testIds.add(ids[shuffled[position]]);
    }
    if (testRows !== preparation.settings.test_size) {
      preparation.warn(
        `${testRows} notebooks for test, where ${preparation.settings.test_size} are asked for`,
      );
    }
    await writeRows(preparation, ancestors, [
      {
        path: join(preparation.public, "train_ancestors.csv"),
        rows: shuffled.filter((row) => !testIds.has(ids[row])),
        columns: ancestors.header,
      },
    ]);

    const orders = await openRawCsv(preparation, join(preparation.raw, "train_orders.csv"));
    const [orderIds] = readColumns(orders, ["id"]).map(plainTexts);
    const isTrain = new Set(ids.filter((id) => !testIds.has(id)));
    const train = rowsWhere(orders.rowCount, (row) => isTrain.has(orderIds[row]));
    const test = rowsWhere(orders.rowCount, (row) => testIds.has(orderIds[row]));
    await writeRows(preparation, orders, [
      { path: join(preparation.public, "train_orders.csv"), rows: train, columns: orders.header },
      { path: join(preparation.private, "test_orders.csv"), rows: test, columns: orders.header },
    ]);
    const raw = join(preparation.raw, "train");
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      columns({ id: "text", cell_order: "text" }),
      Array.from(test, (row) => [orderIds[row], cellsAsListed(join(raw, `${orderIds[row]}.json`))]),
    );
    for (const [half, members] of Object.entries({ train: isTrain, test: testIds })) {
      const names = Array.from(members, (id) => `${id}.json`);
      await copyNamed(preparation, raw, join(preparation.public, half), names);
    }
  },
});

/** The cells in the order of the file, which is code first and markdown behind it in random order. */
function cellsAsListed(file: string): string {
  const notebook = readJsonFile(file);
  const types = notebook instanceof Map ? notebook.get("cell_type") : null;
  if (!(types instanceof Map)) return malformed(file, `has no "cell_type"`);
  return [...types.keys()].join(" ");
}
