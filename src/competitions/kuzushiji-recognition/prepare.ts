import { join } from "node:path";
import { parsePythonInt, words } from "../../table/python-text.ts";
import { definePreparer } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { packZip, unpackRaw } from "../preparing/files/nested-archive.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [ids, labels] = readColumns(csv, ["image_id", "labels"]).map(plainTexts);
    const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
      {
        path: join(preparation.private, "gold_submission.csv"),
        rows: test,
        columns: ["image_id", { name: "labels", cell: (row) => pointsInBoxes(labels[row], ids[row]) }],
      },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["image_id", { name: "labels", value: "U+003F 1 1 U+FF2F 2 2" }],
      },
    ]);
    await copyNamed(preparation, preparation.raw, preparation.public, ["unicode_translation.csv"]);
    const images = await unpackRaw(preparation, "train_images.zip", "train");
    for (const [half, rows] of Object.entries({ train, test })) {
      const files = Array.from(rows, (row) => {
        const image = `${ids[row]}.jpg`;
        return [image, join(images, image)] as const;
      });
      await packZip(preparation, join(preparation.public, `${half}_images.zip`), files);
    }
  },
});

/** Boxes are answers, points are asked for: one just inside the corner of each box is a perfect submission. */
function pointsInBoxes(boxes: string, id: string): string {
  const tokens = words(boxes);
  if (tokens.length % 5 !== 0) malformed("train.csv", `has labels of ${id} that are not groups of five`);
  const points: string[] = [];
  for (let i = 0; i < tokens.length; i += 5) {
    const [x, y, width, height] = tokens.slice(i + 1, i + 5).map(parsePythonInt);
    if (x === null || y === null || width === null || height === null)
      return malformed("train.csv", `has labels of ${id} that are not boxes of whole numbers`);
    points.push(tokens[i], String(x + 1n), String(y + 1n));
  }
  return points.join(" ");
}
