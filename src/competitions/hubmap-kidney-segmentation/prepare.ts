import { join } from "node:path";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyFiles, copyNamed } from "../preparing/files/copy-files.ts";
import { csvCellOf, csvKindOf, plainTexts } from "../preparing/rows/column-values.ts";
import { writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const ANATOMY = "-anatomical-structure.json";
const GLOMERULI = ".json";

export const preparer = definePreparer({
  settings: { test_count: 3, train_count: 12 },
  prepare: (preparation) => prepareImages(preparation, [".tiff", GLOMERULI, ANATOMY]),
  // The annotation of the glomeruli is the mask that is asked for.
  prepareV2: (preparation) => prepareImages(preparation, [".tiff", ANATOMY]),
});

type Settings = { test_count: number; train_count: number };

async function prepareImages(preparation: Preparation<Settings>, testSuffixes: string[]): Promise<void> {
  const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
  const [ids] = readColumns(csv, ["id"]).map(plainTexts);
  const { test_count: testCount, train_count: trainCount } = preparation.settings;
  const { train, test } = splitItems(csv.rowCount, { testCount, trainCount });

  const information = await openRawCsv(
    preparation,
    join(preparation.raw, "HuBMAP-20-dataset_information.csv"),
  );
  const [image, width, height] = readColumns(information, ["image_file", "width_pixels", "height_pixels"]);
  const imageIds = plainTexts(image).map((file) => file.replaceAll(".tiff", ""));
  const known = new Set(ids);
  await writeRows(preparation, information, [
    {
      path: join(preparation.public, "HuBMAP-20-dataset_information.csv"),
      rows: rowsWhere(information.rowCount, (row) => known.has(imageIds[row])),
      columns: information.header,
    },
  ]);

  const empty = [{ name: "predicted", value: "" }];
  await writeRows(preparation, csv, [
    { path: join(preparation.public, "train.csv"), rows: train, columns: ["id", "encoding"] },
    { path: join(preparation.public, "sample_submission.csv"), rows: test, columns: ["id", ...empty] },
    {
      path: join(preparation.private, "gold_submission.csv"),
      rows: test,
      columns: ["id", { name: "predicted", from: "encoding" }],
    },
  ]);
  const [encoding] = readColumns(csv, ["encoding"]);
  const sized = Array.from(test).flatMap((row) =>
    imageIds.flatMap((id, at) => (id === ids[row] ? [{ row, at }] : [])),
  );
  writeCsv(
    join(preparation.private, "test.csv"),
    [
      { name: "id", kind: "text" },
      { name: "encoding", kind: csvKindOf(encoding) },
      { name: "width_pixels", kind: csvKindOf(width) },
      { name: "height_pixels", kind: csvKindOf(height) },
    ],
    sized.map(({ row, at }) => [
      ids[row],
      csvCellOf(encoding, row),
      csvCellOf(width, at),
      csvCellOf(height, at),
    ]),
  );

  const halves = {
    train: { rows: train, suffixes: [".tiff", GLOMERULI, ANATOMY] },
    test: { rows: test, suffixes: testSuffixes },
  };
  for (const [folder, { rows, suffixes }] of Object.entries(halves)) {
    const names = Array.from(rows, (row) => suffixes.map((suffix) => ids[row] + suffix)).flat();
    await copyNamed(preparation, join(preparation.raw, "train"), join(preparation.public, folder), names);
  }
  await copyFiles(preparation, "copying the sample submission", [
    [
      join(preparation.public, "sample_submission.csv"),
      join(preparation.public, "test", "sample_submission.csv"),
    ],
  ]);
}
