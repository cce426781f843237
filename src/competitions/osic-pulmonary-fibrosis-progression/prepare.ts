import { join } from "node:path";
import { type Column, isMissing } from "../../table/columns/column.ts";
import type { CsvCell, CsvColumn } from "../../table/csv/writer.ts";
import { compareCodePoints } from "../../table/rows/code-point-order.ts";
import { definePreparer } from "../preparer.ts";
import { copyTree } from "../preparing/files/copy-files.ts";
import { csvCellOf, csvKindOf, plainTexts } from "../preparing/rows/column-values.ts";
import { writeCsv } from "../preparing/rows/csv-file.ts";
import { joinedCell } from "../preparing/rows/joined-columns.ts";
import { headerWithout, openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { groupRows } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";

/** Whole patients go to one half or the other. The answers ask for every week, also those without a measurement. */
export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
    const measurements = headerWithout(csv, "Patient", "Weeks");
    const table = readColumns(csv, ["Patient", "Weeks", ...measurements]);
    const patients = [...groupRows(plainTexts(table[0]))].sort(([a], [b]) => compareCodePoints(a, b));
    const split = splitItems(patients.length, preparation.settings.test_size);
    const train = Array.from(split.train, (position) => patients[position]);
    const test = Array.from(split.test, (position) => patients[position]);

    const trainRows = Uint32Array.from(train.flatMap(([, rows]) => rows));
    await writeRows(preparation, csv, [
      { path: join(preparation.public, "train.csv"), rows: trainRows, columns: csv.header },
    ]);
    const known = ["Patient", ...headerWithout(csv, "Patient")].map(
      (name) => table.find((column) => column.name === name)!,
    );
    writeCsv(
      join(preparation.public, "test.csv"),
      known.map((column) => ({ name: column.name, kind: csvKindOf(column) })),
      test.toSorted(([a], [b]) => compareCodePoints(a, b)).map(([, rows]) => earliest(known, table[1], rows)),
    );
    writeAnswers(preparation, table, test);
    for (const [folder, group] of Object.entries({ train, test })) {
      for (const [patient] of group) {
        await copyTree(
          preparation,
          join(preparation.raw, "train", patient),
          join(preparation.public, folder, patient),
        );
      }
    }
  },
});

type PatientRows = [patient: string, rows: number[]];

/** What is known at the first visit: of each column the first value that is there, in the order of the weeks. */
function earliest(columns: Column[], weeks: Column, rows: number[]): CsvCell[] {
  const ordered = rows.toSorted((a, b) => weeks.numbers[a] - weeks.numbers[b]);
  return columns.map((column) =>
    csvCellOf(column, ordered.find((row) => !isMissing(column, row)) ?? ordered[0]),
  );
}

/** A left join of patients × weeks with the measurements: its gaps turn whole numbers into floats. */
function writeAnswers(
  { public: publicFolder, private: privateFolder }: { public: string; private: string },
  table: Column[],
  test: PatientRows[],
): void {
  const weeks = table[1].numbers;
  const all = test.flatMap(([, rows]) => rows.map((row) => weeks[row]));
  const first = all.reduce((a, b) => Math.min(a, b));
  const last = all.reduce((a, b) => Math.max(a, b));
  const measured = (rows: number[], week: number) => rows.filter((row) => weeks[row] === week);
  const calendar = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const hasGaps = test.some(([, rows]) => calendar.some((week) => measured(rows, week).length === 0));
  const kinds = table.slice(2).map((column): CsvColumn => {
    const kind = csvKindOf(column);
    return { name: column.name, kind: hasGaps && kind === "int" ? "float" : kind };
  });
  const answers: CsvCell[][] = [];
  for (const [patient, rows] of test) {
    for (const week of calendar) {
      const visits = measured(rows, week);
      for (const row of visits.length > 0 ? visits : [null]) {
        const values = table
          .slice(2)
          .map((column, i) => (row === null ? null : joinedCell(column, row, kinds[i].kind)));
        answers.push([patient, week, ...values, `${patient}_${week}`, 100]);
      }
    }
  }
  writeCsv(
    join(privateFolder, "test.csv"),
    [
      { name: "Patient", kind: "text" },
      { name: "Weeks", kind: "int" },
      ...kinds,
      { name: "Patient_Week", kind: "text" },
      { name: "Confidence", kind: "int" },
    ],
    answers,
  );
  writeCsv(
    join(publicFolder, "sample_submission.csv"),
    [
      { name: "Patient_Week", kind: "text" },
      { name: "FVC", kind: "int" },
      { name: "Confidence", kind: "int" },
    ],
    answers.map((cells) => [cells.at(-2) ?? null, 2000, 100]),
  );
}
