import { basename, join } from "node:path";
import type { Column } from "../../table/columns/column.ts";
import type { CsvCell, CsvColumnKind } from "../../table/csv/writer.ts";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyTree } from "../preparing/files/copy-files.ts";
import { listFolders, listTree } from "../preparing/files/list-files.ts";
import { writeCsv } from "../preparing/rows/csv-file.ts";
import { joinedCell, joinedKind } from "../preparing/rows/joined-columns.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

const GROUND_TRUTH = "ground_truth.csv";
/** The reference receiver's log, from which the ground truth was made. Kaggle's own test set has none. */
const REFERENCE_LOG = "span_log.nmea";
const COLUMNS = ["UnixTimeMillis", "LatitudeDegrees", "LongitudeDegrees"];
const SOMEWHERE = [37.904611315634504, -86.48107806249548];

type DrivePreparation = Preparation<{ test_size: number }>;

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  prepare: (preparation: DrivePreparation) => prepareDrives(preparation, [GROUND_TRUTH]),
  prepareV2: (preparation: DrivePreparation) => prepareDrives(preparation, [GROUND_TRUTH, REFERENCE_LOG]),
});

/** Splits drives by their dates; `hidden` are the files that the public test drives go without. */
async function prepareDrives(preparation: DrivePreparation, hidden: readonly string[]): Promise<void> {
  const { raw, public: open } = preparation;
  const drives = listFolders(join(raw, "train"));
  const dates = [...new Set(drives.map(dateOf))].sort(compareCodePoints);
  const { test } = splitItems(dates.length, preparation.settings.test_size);
  const testDates = new Set(Array.from(test, (i) => dates[i]));
  const testDrives = drives.filter((drive) => testDates.has(dateOf(drive)));

  await writeTruth(preparation, testDrives);
  for (const drive of drives) {
    const isTest = testDates.has(dateOf(drive));
    await copyTree(
      preparation,
      join(raw, "train", drive),
      join(open, isTest ? "test" : "train", drive),
      (file) => !isTest || !hidden.includes(basename(file)),
    );
  }
  await copyTree(preparation, join(raw, "metadata"), join(open, "metadata"));
}

/** `2020-7-11-US-SFO-2` → `2020-07-11`. */
function dateOf(drive: string): string {
  const [year, month = "", day = ""] = drive.split("-");
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

async function writeTruth(preparation: Preparation, drives: readonly string[]): Promise<void> {
  const trips: { id: string; columns: Column[] }[] = [];
  for (const drive of drives) {
    const folder = join(preparation.raw, "train", drive);
    for (const file of listTree(folder, GROUND_TRUTH).filter((file) => basename(file) === GROUND_TRUTH)) {
      const csv = await openRawCsv(preparation, join(folder, file), { defaultFloats: true });
      const [phone, parent] = `train/${drive}/${file}`.split("/").reverse().slice(1);
      trips.push({ id: `${parent}-${phone}`, columns: readColumns(csv, COLUMNS) });
    }
  }
  const kinds = COLUMNS.map((_, i) => joinedKind(trips.map(({ columns }) => columns[i])));
  const header = [
    { name: "tripId", kind: "text" as const },
    ...COLUMNS.map((name, i) => ({ name, kind: kinds[i] })),
  ];
  writeCsv(
    join(preparation.private, "test.csv"),
    header,
    rows(trips, kinds, (cells) => cells),
  );
  writeCsv(
    join(preparation.public, "sample_submission.csv"),
    [...header.slice(0, 2), ...header.slice(2).map(({ name }) => ({ name, kind: "float" as const }))],
    rows(trips, kinds, ([id, time]) => [id, time, ...SOMEWHERE]),
  );
}

function* rows(
  trips: readonly { id: string; columns: readonly Column[] }[],
  kinds: readonly CsvColumnKind[],
  show: (cells: CsvCell[]) => CsvCell[],
): Generator<CsvCell[]> {
  for (const { id, columns } of trips) {
    for (let row = 0; row < columns[0].length; row++) {
      yield show([id, ...columns.map((column, i) => joinedCell(column, row, kinds[i]))]);
    }
  }
}
