import { join } from "node:path";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyHalves } from "../preparing/files/copy-halves.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { GRADED, LEFT_OUT } from "./targets.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  prepare: (preparation) => prepareStudies(preparation, GRADED),
  prepareV2: (preparation) => prepareStudies(preparation, [...GRADED, ...LEFT_OUT]),
});

async function prepareStudies(
  preparation: Preparation<{ test_size: number }>,
  asked: readonly string[],
): Promise<void> {
  const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
  const [ids] = readColumns(csv, ["StudyInstanceUID"]).map(plainTexts);
  const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
  await writeRows(preparation, csv, [
    { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
    { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
    {
      path: join(preparation.public, "sample_submission.csv"),
      rows: test,
      columns: ["StudyInstanceUID", ...asked.map((name) => ({ name, value: "0" }))],
    },
  ]);
  const annotations = await openRawCsv(preparation, join(preparation.raw, "train_annotations.csv"));
  const [annotated] = readColumns(annotations, ["StudyInstanceUID"]).map(plainTexts);
  const inTrain = new Set(Array.from(train, (row) => ids[row]));
  await writeRows(preparation, annotations, [
    {
      path: join(preparation.public, "train_annotations.csv"),
      rows: rowsWhere(annotations.rowCount, (row) => inTrain.has(annotated[row])),
      columns: annotations.header,
    },
  ]);
  const copyImages = copyHalves({
    from: "train",
    train: "train",
    test: "test",
    column: "StudyInstanceUID",
    name: (id) => `${id}.jpg`,
  });
  await copyImages(preparation, { csv, train, test });
}
