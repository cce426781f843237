import { join } from "node:path";
import { compareCodePoints } from "../../table/code-point-order.ts";
import { type Column, isMissing } from "../../table/column.ts";
import type { CsvCell } from "../../table/csv-writer.ts";
import { floatText } from "../../table/python-text.ts";
import { definePreparer } from "../preparer.ts";
import { csvCellOf, plainTexts } from "../preparing/column-values.ts";
import { copyNamed } from "../preparing/copy-files.ts";
import { columns, writeCsv } from "../preparing/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/raw-csv.ts";
import { groupRows, rowsWhere } from "../preparing/row-choice.ts";
import { splitItems } from "../preparing/split-rows.ts";
import { writeRows } from "../preparing/write-rows.ts";

const OFFICIAL = { train: 13_500, test: 1_500 };
const NO_FINDING = 14;
const BOX = ["x_min", "y_min", "x_max", "y_max"];

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [imageColumn, classId, className, radiologist, ...box] = readColumns(csv, [
      "image_id",
      "class_id",
      "class_name",
      "rad_id",
      ...BOX,
    ]);
    const imageOf = plainTexts(imageColumn);
    const images = [...new Set(imageOf)];
    const split = splitItems(images.length, preparation.settings.test_size);
    const [train, test] = [split.train, split.test].map((half) => Array.from(half, (at) => images[at]));
    if (train.length !== OFFICIAL.train || test.length !== OFFICIAL.test) {
      preparation.warn(
        `${train.length} images to train and ${test.length} to test; the official data has ${OFFICIAL.train} and ${OFFICIAL.test}`,
      );
    }
    const isTest = new Set(test);
    await writeRows(preparation, csv, [
      {
        path: join(preparation.public, "train.csv"),
        rows: rowsWhere(csv.rowCount, (row) => !isTest.has(imageOf[row])),
        columns: csv.header,
      },
    ]);

    const testRows = rowsWhere(csv.rowCount, (row) => isTest.has(imageOf[row]));
    const findings = findingsOf(testRows, imageOf, classId).map(({ image, finding, rows }) => {
      const corners = box.map((column) => firstValue(column, rows) ?? 0);
      return {
        image,
        cells: [finding, first(className, rows), first(radiologist, rows)],
        finding,
        corners: finding === NO_FINDING ? [corners[0], corners[1], 1, 1] : corners,
      };
    });
    writeCsv(
      join(preparation.private, "answers.csv"),
      [
        ...columns({ image_id: "text", class_id: "int", class_name: "text", rad_id: "text" }),
        ...BOX.map((name) => ({ name, kind: "float" as const })),
      ],
      findings.map(({ image, cells, corners }) => [image, ...cells, ...corners]),
    );
    const pieces = new Map<string, string[]>();
    for (const { image, finding, corners } of findings) {
      const piece = `${finding} 1.0 ${corners.map(floatText).join(" ")}`;
      pieces.set(image, [...(pieces.get(image) ?? []), piece]);
    }
    const table = columns({ image_id: "text", PredictionString: "text" });
    writeCsv(
      join(preparation.private, "gold_submission.csv"),
      table,
      [...pieces].map(([image, boxes]) => [image, boxes.join(" ")]),
    );
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      table,
      test.map((image) => [image, `${NO_FINDING} 1 0 0 1 1`]),
    );
    for (const [folder, half] of Object.entries({ train, test })) {
      const names = half.map((image) => `${image}.dicom`);
      await copyNamed(preparation, join(preparation.raw, "train"), join(preparation.public, folder), names);
    }
  },
});

/** One entry for each class found in an image, images as text, classes as numbers in order. */
function findingsOf(rows: Uint32Array, imageOf: string[], classId: Column) {
  const key = (row: number) => `${classId.numbers[row]} ${imageOf[row]}`;
  const groups = groupRows(Array.from(rows, key)).values();
  return [...groups]
    .map((positions) => positions.map((position) => rows[position]))
    .map((members) => ({
      image: imageOf[members[0]],
      finding: classId.numbers[members[0]],
      rows: members,
    }))
    .sort((a, b) => compareCodePoints(a.image, b.image) || a.finding - b.finding);
}

function first(column: Column, rows: number[]): CsvCell {
  const row = rows.find((candidate) => !isMissing(column, candidate));
  return row === undefined ? null : csvCellOf(column, row);
}

function firstValue(column: Column, rows: number[]): number | null {
  const row = rows.find((candidate) => !isMissing(column, candidate));
  return row === undefined ? null : column.numbers[row];
}
