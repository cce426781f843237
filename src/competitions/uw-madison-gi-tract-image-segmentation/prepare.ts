import { join } from "node:path";
import { definePreparer } from "../preparer.ts";
import { copyNamed, copyTree } from "../preparing/files/copy-files.ts";
import { listFiles, listFolders, stem } from "../preparing/files/list-files.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";

const SEED = 42;
const DAYS_FOR_TRAINING = 4;

/** Whole cases go to test, and of the training cases all scan days beyond the fourth. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const [ids] = readColumns(csv, ["id"]).map(plainTexts);
    const parts = ids.map((id) => id.split("_"));
    const cases = [...new Set(parts.map(([name]) => name))];
    const split = splitItems(cases.length, preparation.settings.test_size, SEED);
    const testCases = new Set(Array.from(split.test, (position) => cases[position]));
    const testDays = lateDays(parts.filter(([name]) => !testCases.has(name)));
    const isTest = ([name, day]: string[]) => testCases.has(name) || testDays.has(`${name}_${day}`);

    const test = rowsWhere(csv.rowCount, (row) => isTest(parts[row]));
    const train = rowsWhere(csv.rowCount, (row) => !isTest(parts[row]));
    const sizes = scanSizes(preparation.raw, new Set(Array.from(test, (row) => dayOf(parts[row]))));
    const sizeCell = (side: 0 | 1) => (row: number) => {
      const slice = `${dayOf(parts[row])}/${parts[row].at(-1)}`;
      return `${sizes.get(slice)?.[side] ?? malformed("train", `has no scan of ${ids[row]}`)}.0`;
    };
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: train, columns: csv.header },
      { path: join(preparation.public, "test.csv"), rows: test, columns: ["id", "class"] },
      {
        path: join(preparation.private, "test.csv"),
        rows: test,
        columns: [
          "id",
          "class",
          { name: "predicted", from: "segmentation" },
          { name: "image_width", cell: sizeCell(0) },
          { name: "image_height", cell: sizeCell(1) },
        ],
      },
      {
        path: join(preparation.public, "sample_submission.csv"),
        rows: test,
        columns: ["id", "class", { name: "predicted", value: "1 1 5 2" }],
      },
    ]);
    for (const name of cases) {
      const source = join(preparation.raw, "train", name);
      const home = testCases.has(name) ? "test" : "train";
      await copyNamed(preparation, source, join(preparation.public, home, name), listFiles(source));
      for (const day of listFolders(source)) {
        const half = testDays.has(day) ? "test" : home;
        await copyTree(preparation, join(source, day), join(preparation.public, half, name, day));
      }
    }
  },
});

function dayOf([name, day]: string[]): string {
  return `${name}/${name}_${day}`;
}

function lateDays(parts: string[][]): Set<string> {
  const daysOf = new Map<string, Set<string>>();
  for (const [name, day] of parts) daysOf.set(name, (daysOf.get(name) ?? new Set()).add(day));
  const late = new Set<string>();
  for (const [name, days] of daysOf) {
    const ordered = [...days].sort((a, b) => dayNumber(a) - dayNumber(b));
    for (const day of ordered.slice(DAYS_FOR_TRAINING)) late.add(`${name}_${day}`);
  }
  return late;
}

function dayNumber(day: string): number {
  return Number(day.replace("day", ""));
}

/** Width and height of each slice, from the names of the scan files: slice_<number>_<width>_<height>_… */
function scanSizes(raw: string, days: Set<string>): Map<string, [width: string, height: string]> {
  const sizes = new Map<string, [string, string]>();
  for (const day of days) {
    for (const file of listFiles(join(raw, "train", day, "scans"), ".png")) {
      const [, slice, width, height] = stem(file).split("_");
      sizes.set(`${day}/${slice}`, [width, height]);
    }
  }
  return sizes;
}
