import { join } from "node:path";
import { pythonRandom, pythonSample } from "../../random/python-random.ts";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyFiles, copyNamed } from "../preparing/files/copy-files.ts";
import { stem } from "../preparing/files/list-files.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { texts } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { packWithoutLabels } from "./pack-without-labels.ts";

/** The sessions of the last training archive are the test set. */
const TEST_ARCHIVE = "training4.tar.gz";
const COPIED = [
  "training1.tar.gz",
  "training2.tar.gz",
  "training3.tar.gz",
  "validation1.tar.gz",
  "validation2.tar.gz",
  "validation3.tar.gz",
  "devel01-40.7z",
  "valid_all_files_combined.7z",
  "sample_code_mmrgc.zip",
];
const GESTURES = 20;

export const preparer = definePreparer({
  async prepare(preparation) {
    await prepareSessions(preparation);
    const copy = [join(preparation.raw, TEST_ARCHIVE), join(preparation.public, "test.tar.gz")] as const;
    await copyFiles(preparation, "copying the test sessions", [copy]);
  },
  async prepareV2(preparation) {
    await prepareSessions(preparation);
    await packWithoutLabels(preparation, TEST_ARCHIVE, join(preparation.public, "test.tar.gz"));
  },
});

/** Everything but the recordings of the test sessions. */
async function prepareSessions(preparation: Preparation): Promise<void> {
  const { raw, public: open } = preparation;
  const testIds = await readTestIds(preparation);
  const known = new Set<string | null>(testIds);
  const csv = await openRawCsv(preparation, join(raw, "training.csv"), {
    kinds: { Id: "text", Sequence: "text" },
    defaultFloats: true,
  });
  const [ids] = readColumns(csv, ["Id"]).map(texts);
  const rows = (isTest: boolean) => rowsWhere(csv.rowCount, (row) => known.has(ids[row]) === isTest);
  const test = rows(true);
  if (test.length !== testIds.length)
    preparation.warn(`training.csv has ${test.length} rows for ${testIds.length} test sessions`);
  await writeRows(preparation, csv, [
    { path: join(open, "training.csv"), rows: rows(false), columns: csv.header },
    { path: join(preparation.private, "test.csv"), rows: test, columns: csv.header },
  ]);

  writeCsv(
    join(open, "test.csv"),
    columns({ Id: "text" }),
    testIds.map((id) => [id]),
  );
  const generator = pythonRandom(0);
  writeCsv(
    join(open, "randomPredictions.csv"),
    columns({ Id: "text", Sequence: "text" }),
    testIds.map((id) => {
      const gestures = pythonSample(generator, GESTURES, GESTURES).map((gesture) => gesture + 1);
      return [id, gestures.join(" ")];
    }),
  );
  await copyNamed(preparation, raw, open, COPIED);
}

/** `Sample00300.zip` is the session `0300`. Nothing is unpacked: the names pass by on the way. One that is packed twice is still one file. */
async function readTestIds(preparation: Preparation): Promise<string[]> {
  const names = new Set<string>();
  await unpackRaw(preparation, TEST_ARCHIVE, "names", (file) => {
    names.add(file);
    return false;
  });
  return [...names]
    .filter((name) => name.endsWith(".zip") && !name.includes("/"))
    .map((name) => [...stem(name)].slice(-4).join(""))
    .sort(compareCodePoints);
}
