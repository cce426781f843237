import { join } from "node:path";
import { isMissing } from "../../table/columns/column.ts";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { csvCellOf, csvKindOf, plainTexts } from "../preparing/rows/column-values.ts";
import { writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const SEED = 42;
const FEATURES = ["site_id", "patient_id", "image_id", "laterality", "view", "age", "implant", "machine_id"];

/** Whole patients go to one half or the other; one prediction is asked for each breast, not for each image. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [patientColumn, imageColumn, sideColumn, cancer] = readColumns(csv, [
      "patient_id",
      "image_id",
      "laterality",
      "cancer",
    ]);
    const [patients, images, sides] = [patientColumn, imageColumn, sideColumn].map(plainTexts);
    const distinct = [...new Set(patients)];
    const split = splitItems(distinct.length, preparation.settings.test_size, SEED);
    const testPatients = new Set(Array.from(split.test, (position) => distinct[position]));
    const test = rowsWhere(csv.rowCount, (row) => testPatients.has(patients[row]));
    const train = rowsWhere(csv.rowCount, (row) => !testPatients.has(patients[row]));

    const predictionId = (row: number) => `${patients[row]}_${sides[row]}`;
    const diagnosed = train.filter((row) => !isMissing(cancer, row));
    const rate = diagnosed.reduce((sum, row) => sum + cancer.numbers[row], 0) / diagnosed.length;
    const idColumn = { name: "prediction_id", cell: predictionId };
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.public, "test.csv"), rows: test, columns: [...FEATURES, idColumn] },
    ]);
    const breasts = new Map<string, number>();
    for (const row of test) {
      const known = breasts.get(predictionId(row));
      if (known === undefined || isMissing(cancer, known)) breasts.set(predictionId(row), row);
    }
    const sorted = [...breasts].sort(([a], [b]) => compareCodePoints(a, b));
    writeCsv(
      join(preparation.private, "answers.csv"),
      [
        { name: "prediction_id", kind: "text" },
        { name: "cancer", kind: csvKindOf(cancer) },
      ],
      sorted.map(([id, row]) => [id, csvCellOf(cancer, row)]),
    );
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      [
        { name: "prediction_id", kind: "text" },
        { name: "cancer", kind: "float" },
      ],
      sorted.map(([id]) => [id, rate]),
    );
    const from = join(preparation.raw, "train_images");
    for (const [folder, rows] of Object.entries({ train_images: train, test_images: test })) {
      const names = Array.from(rows, (row) => join(patients[row], `${images[row]}.dcm`));
      await copyNamed(preparation, from, join(preparation.public, folder), names);
    }
  },
});
