import { join } from "node:path";
import { type Column, cellText, isMissing, isNumeric } from "../../table/columns/column.ts";
import type { CsvCell } from "../../table/csv/writer.ts";
import { floatText } from "../../table/python-text.ts";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { csvCellOf, csvKindOf, plainTexts } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { requireColumnSet } from "../preparing/rows/raw-checks.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { groupRows, rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";

const OFFICIAL = { train: 13_500, test: 1_500 };
const NO_FINDING = 14;
const BOX = ["x_min", "y_min", "x_max", "y_max"];

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    requireColumnSet(csv, ["image_id", "class_name", "class_id", "rad_id", ...BOX]);
    const [imageColumn, classId, className, radiologist, ...box] = readColumns(csv, [
      "image_id",
      "class_id",
      "class_name",
      "rad_id",
      ...BOX,
    ]);
    for (const column of [classId, ...box])
      if (!isNumeric(column)) malformed(csv.name, `has something other than numbers in ${column.name}`);
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

    const testRows = rowsWhere(
      csv.rowCount,
      (row) => isTest.has(imageOf[row]) && !isMissing(imageColumn, row) && !isMissing(classId, row),
    );
    const findings = findingsOf(testRows, imageColumn, classId).map((rows) => {
      const isEmpty = classId.numbers[rows[0]] === NO_FINDING;
      const corners = box.map((column, side) => (isEmpty && side > 1 ? 1 : (first(column, rows) ?? 0)));
      return { rows, corners };
    });
    writeCsv(
      join(preparation.private, "answers.csv"),
      [imageColumn, classId, className, radiologist, ...box].map((column) => ({
        name: column.name,
        kind: csvKindOf(column),
      })),
      findings.map(({ rows, corners }) => [
        ...[imageColumn, classId, className, radiologist].map((column) => first(column, rows)),
        ...corners,
      ]),
    );
    const pieces = new Map<string, string[]>();
    for (const { rows, corners } of findings) {
      const numbers = corners.map((corner, side) => numberText(box[side], Number(corner)));
      const piece = `${cellText(classId, rows[0])} 1.0 ${numbers.join(" ")}`;
      const image = imageOf[rows[0]];
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

/** The rows of each class found in an image, images and classes in the order of their values. */
function findingsOf(rows: Uint32Array, images: Column, classId: Column): number[][] {
  const key = (row: number) => `${classId.numbers[row]} ${cellText(images, row)}`;
  const groups = groupRows(Array.from(rows, key)).values();
  const isText = csvKindOf(images) === "text";
  const byImage = (a: number, b: number) =>
    isText
      ? compareCodePoints(cellText(images, a), cellText(images, b))
      : images.numbers[a] - images.numbers[b];
  return [...groups]
    .map((positions) => positions.map((position) => rows[position]))
    .sort(([a], [b]) => byImage(a, b) || classId.numbers[a] - classId.numbers[b]);
}

function first(column: Column, rows: number[]): CsvCell {
  const row = rows.find((candidate) => !isMissing(column, candidate));
  return row === undefined ? null : csvCellOf(column, row);
}

/** Corners are floats because rows without a finding have none; where every row has a whole one they stay integers. */
function numberText(column: Column, value: number): string {
  return csvKindOf(column) === "int" ? String(value) : floatText(value);
}
