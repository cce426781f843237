import fs from "node:fs";
import { join } from "node:path";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyNamed, copyTree } from "../preparing/files/copy-files.ts";
import { listFiles, listFolders } from "../preparing/files/list-files.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { stopPreparing } from "../preparing/stop-preparing.ts";
import { TARGETS } from "./targets.ts";

/** The labels of the test set, published after the competition and not part of the download. */
const LABELS = "FSDKaggle2019.meta";
const LABELS_PAGE = "https://zenodo.org/records/3612637";

/** No split: the labels of the original test set are public by now. Its recordings stay packed. */
export const preparer = definePreparer({
  async prepare(preparation) {
    const { raw, public: open } = preparation;
    const folder = await labelsFolder(preparation);
    const csv = await openRawCsv(preparation, join(folder, "test_post_competition.csv"));
    const [files, labels, usage] = readColumns(csv, ["fname", "labels", "usage"]).map(plainTexts);
    const test = rowsWhere(csv.rowCount, (row) => usage[row] === "Private");
    const labelsOf = labels.map((list) => new Set(list.split(",")));
    await writeRows(preparation, csv, [
      {
        path: join(preparation.private, "test.csv"),
        rows: test,
        columns: [
          "fname",
          ...TARGETS.map((name) => ({ name, cell: (row: number) => (labelsOf[row].has(name) ? "1" : "0") })),
        ],
      },
    ]);

    const given = (name: string) => !name.includes(LABELS);
    await copyNamed(preparation, raw, open, listFiles(raw).filter(given));
    for (const name of listFolders(raw).filter(given))
      await copyTree(preparation, join(raw, name), join(open, name));
    await checkSample(
      preparation,
      Array.from(test, (row) => files[row]),
    );
  },
});

async function labelsFolder(preparation: Preparation): Promise<string> {
  const unpacked = join(preparation.raw, LABELS);
  if (fs.existsSync(unpacked)) return unpacked;
  const archive = `${LABELS}.zip`;
  if (fs.existsSync(join(preparation.raw, archive)))
    return join(await unpackRaw(preparation, archive), LABELS);
  return stopPreparing({
    code: "RAW_FILE_MISSING",
    file: archive,
    message: `${archive} is not in the raw data: Kaggle does not have it, it holds the labels of the test set.`,
    next: `Download ${archive} from ${LABELS_PAGE} into ${preparation.raw} and prepare again.`,
  });
}

async function checkSample(preparation: Preparation, test: readonly string[]): Promise<void> {
  const csv = await openRawCsv(preparation, join(preparation.raw, "sample_submission.csv"));
  const [files] = readColumns(csv, ["fname"]).map(plainTexts);
  const known = new Set(test);
  if (files.length !== test.length || !files.every((file) => known.has(file)))
    preparation.warn("sample_submission.csv does not list the recordings of the private test set");
  if (csv.header.join() !== ["fname", ...TARGETS].join())
    preparation.warn("sample_submission.csv has other columns than the answers");
}
