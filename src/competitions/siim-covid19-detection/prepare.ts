import { join } from "node:path";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { copyTree } from "../preparing/files/copy-files.ts";
import { plainTexts, texts } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

/** The label columns of a study, and the word that stands for each in an answer. */
const APPEARANCES = {
  "Negative for Pneumonia": "negative",
  "Typical Appearance": "typical",
  "Indeterminate Appearance": "indeterminate",
  "Atypical Appearance": "atypical",
};
const WHOLE_IMAGE = "1 0 0 1 1";

/** Studies are split, and images follow their study. Everything is sorted by id. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const studies = await openRawCsv(preparation, join(preparation.raw, "train_study_level.csv"));
    const images = await openRawCsv(preparation, join(preparation.raw, "train_image_level.csv"));
    const [studyIds] = readColumns(studies, ["id"]).map(plainTexts);
    const [imageIds, studyOf] = readColumns(images, ["id", "StudyInstanceUID"]).map(plainTexts);
    const split = splitItems(studies.rowCount, preparation.settings.test_size);
    const byId = (ids: string[]) => (rows: Uint32Array) =>
      rows.toSorted((a, b) => compareCodePoints(ids[a], ids[b]));
    const [train, test] = [split.train, split.test].map(byId(studyIds));
    const imagesOf = (rows: Uint32Array) => {
      const part = new Set(Array.from(rows, (row) => studyIds[row]));
      return byId(imageIds)(rowsWhere(images.rowCount, (row) => part.has(`${studyOf[row]}_study`)));
    };
    const [trainImages, testImages] = [train, test].map(imagesOf);

    await writeRows(preparation, studies, [
      { path: join(preparation.public, "train_study_level.csv"), rows: train, columns: studies.header },
    ]);
    await writeRows(preparation, images, [
      { path: join(preparation.public, "train_image_level.csv"), rows: trainImages, columns: images.header },
    ]);

    const labels = readColumns(studies, Object.keys(APPEARANCES));
    const words = Object.values(APPEARANCES);
    const appearance = (row: number) => {
      const values = labels.map((column) => column.numbers[row]);
      return words[values.indexOf(Math.max(...values))];
    };
    const [imageLabel] = readColumns(images, ["label"]).map(texts);
    const table = columns({ id: "text", PredictionString: "text" });
    const rows = (ofStudy: (row: number) => string | null, ofImage: (row: number) => string | null) => [
      ...Array.from(test, (row) => [studyIds[row], ofStudy(row)]),
      ...Array.from(testImages, (row) => [imageIds[row], ofImage(row)]),
    ];
    writeCsv(
      join(preparation.private, "test.csv"),
      table,
      rows(
        (row) => `${appearance(row)} ${WHOLE_IMAGE}`,
        (row) => imageLabel[row],
      ),
    );
    writeCsv(
      join(preparation.public, "sample_submission.csv"),
      table,
      rows(
        () => `negative ${WHOLE_IMAGE}`,
        () => `none ${WHOLE_IMAGE}`,
      ),
    );
    for (const [half, studyRows] of Object.entries({ train, test })) {
      for (const row of studyRows) {
        const folder = studyIds[row].replaceAll("_study", "");
        await copyTree(
          preparation,
          join(preparation.raw, "train", folder),
          join(preparation.public, half, folder),
        );
      }
    }
  },
});
