import fs from "node:fs";
import { join } from "node:path";
import { definePreparer, type Preparation } from "../preparer.ts";
import { moveFiles } from "../preparing/files/copy-files.ts";
import { packSevenZip, packZip, unpackRaw } from "../preparing/files/nested-archive.ts";
import { publishSample } from "../preparing/files/publish-sample.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { requireColumnList, requireUnique } from "../preparing/rows/raw-checks.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const SAMPLE = "sample_submission.csv";

export const preparer = definePreparer({
  settings: { test_size: 0.2 },
  // The original packs the folders without what is in them; scores do not depend on it, comparability does.
  prepare: (preparation) => prepareImages(preparation, "empty archives"),
  async prepareV2(preparation) {
    await prepareImages(preparation, "images");
    await publishSample(preparation);
  },
});

async function prepareImages(
  preparation: Preparation<{ test_size: number }>,
  packed: "images" | "empty archives",
): Promise<void> {
  const unpacked = await unpackRaw(preparation, "train_labels.csv.zip", "raw");
  await unpackRaw(preparation, "train.7z", "raw");
  const csv = await openRawCsv(preparation, join(unpacked, "train_labels.csv"));
  requireColumnList(csv, ["name", "invasive"]);
  const [names] = readColumns(csv, ["name"]).map(plainTexts);
  requireUnique(csv, "name", names);
  const { train, test } = splitItems(csv.rowCount, preparation.settings.test_size);

  const labels = join(preparation.scratch, "train_labels.csv");
  const sample = join(preparation.private, SAMPLE);
  await writeRows(preparation, csv, [
    { path: labels, rows: train, columns: ["name", "invasive"] },
    { path: join(preparation.private, "answers.csv"), rows: test, columns: ["name", "invasive"] },
    { path: sample, rows: test, columns: ["name", { name: "invasive", value: "0.5" }] },
  ]);
  await packZip(preparation, join(preparation.public, "train_labels.csv.zip"), [
    ["train_labels.csv", labels],
  ]);
  await packZip(preparation, join(preparation.public, `${SAMPLE}.zip`), [[SAMPLE, sample]]);
  for (const [folder, rows] of Object.entries({ train, test })) {
    fs.mkdirSync(join(preparation.scratch, folder));
    if (packed === "images") {
      const moves = Array.from(rows, (row) => {
        const image = `${names[row]}.jpg`;
        return [join(unpacked, "train", image), join(preparation.scratch, folder, image)] as const;
      });
      await moveFiles(preparation, "sorting images", moves);
    }
    await packSevenZip(join(preparation.public, `${folder}.7z`), preparation.scratch, [folder]);
  }
}
