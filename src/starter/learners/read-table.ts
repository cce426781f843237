import fs from "node:fs";
import path from "node:path";
import { cellText, isMissing } from "../../table/columns/column.ts";
import { readCsvFile } from "../../table/csv/reader.ts";
import { csvField, csvRow } from "../../table/csv/writer.ts";

/** A table as texts and numbers by column name. */
export interface TextTable {
  readonly rows: number;
  readonly header: readonly string[];
  /** Empty where the cell is. */
  texts(name: string): string[];
  /** NaN where the cell is empty or no number. */
  numbers(name: string): Float64Array;
}

export function readTable(folder: string, name: string): TextTable {
  const file = path.join(folder, name);
  const outcome = readCsvFile(file);
  if (!outcome.ok) throw new Error(`${file}: ${outcome.problem.message}`);
  const { table } = outcome;
  const column = (wanted: string) => {
    const found = table.column(wanted);
    if (!found) throw new Error(`${file} has no column ${wanted}`);
    return found;
  };
  return {
    rows: table.rowCount,
    header: table.header,
    texts(wanted) {
      const found = column(wanted);
      return Array.from({ length: found.length }, (_, row) =>
        isMissing(found, row) ? "" : cellText(found, row),
      );
    },
    numbers(wanted) {
      const found = column(wanted);
      return found.numbers.length > 0 ? found.numbers : new Float64Array(found.length).fill(Number.NaN);
    },
  };
}

/** Training rows followed by test rows; columns that the test file lacks are not there. */
export function readBoth(folder: string): TextTable {
  const parts = [readTable(folder, "train.csv"), readTable(folder, "test.csv")];
  return {
    rows: parts[0].rows + parts[1].rows,
    header: parts[1].header,
    texts: (name) => parts.flatMap((part) => part.texts(name)),
    numbers: (name) => Float64Array.from(parts.flatMap((part) => [...part.numbers(name)])),
  };
}

/** What lies in a file of its own for each row, those of the training table first, with the labels of these. */
export function readLabelledFiles<T>(folder: string, id: string, read: (folder: string, id: string) => T) {
  const train = readTable(folder, "train.csv");
  const testIds = readTable(folder, "sample_submission.csv").texts(id);
  return {
    train,
    labels: train.numbers("label"),
    testRows: testIds.length,
    items: [
      ...train.texts(id).map((name) => read(path.join(folder, "train"), name)),
      ...testIds.map((name) => read(path.join(folder, "test"), name)),
    ],
  };
}

/** The text of a submission from a value for each row of the test set. */
export type WriteSubmission = (value: (row: number) => string | number) => string;

/** Rows and columns are those of the sample submission. */
export function submissionWriter(folder: string): WriteSubmission {
  const sample = readTable(folder, "sample_submission.csv");
  const [id, target] = sample.header;
  const ids = sample.texts(id);
  const head = csvRow([id, target]);
  return (value) =>
    head + ids.map((own, row) => csvRow([csvField(own), csvField(String(value(row)))])).join("");
}

export function readBytes(...parts: string[]): Buffer {
  return fs.readFileSync(path.join(...parts));
}
