import fs from "node:fs";
import { basename, join } from "node:path";
import { isNumeric } from "../../table/columns/column.ts";
import { createChunkedFile } from "../../table/csv/chunked-file.ts";
import { floatText, parsePythonInt } from "../../table/python-text.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { moveFiles } from "../preparing/files/copy-files.ts";
import { listFiles } from "../preparing/files/list-files.ts";
import { unpackRaw } from "../preparing/files/nested-archive.ts";
import { plainTexts } from "../preparing/rows/column-values.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { openRawCsv, type RawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import type { MadeCell } from "../preparing/rows/row-target.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { sampleItems } from "../preparing/splits/sample-items.ts";
import { malformed, missingFile } from "../preparing/stop-preparing.ts";

const OFFICIAL_TEST_RECORDINGS = 64;
const SPECIES = Array.from({ length: 19 }, (_, species) => species);
const LABELS = "rec_labels_test_hidden.txt";
const FEATURE_HEADER = "rec_id,[histogram of segment features]";
const FEATURES = ["histogram_of_segments.txt", "segment_features.txt", "segment_rectangles.txt"];

/** A line of a text file about a recording: what follows the first comma, or nothing. */
interface RecordingLine {
  readonly id: number;
  readonly rest: string;
}

/**
 * Only recordings whose labels were published take part, numbered anew from 0; a fifth of them becomes the test set. Every rewritten feature file gets
 * the header of the histograms, also those that hold something else.
 */
export const preparer = definePreparer({
  settings: { test_size: 0.2 },
  async prepare(preparation) {
    const unpacked = await unpackRaw(preparation, "mlsp_contest_dataset.zip", "raw");
    const from = join(unpacked, "mlsp_contest_dataset");
    const essential = join(preparation.public, "essential_data");
    const supplemental = join(preparation.public, "supplemental_data");
    for (const folder of [essential, supplemental]) fs.mkdirSync(folder);

    const { folds, rows, newIds } = await labelledRecordings(
      preparation,
      join(from, "essential_data/CVfolds_2.txt"),
    );
    const isTest = new Set(sampleItems(rows.length, { fraction: preparation.settings.test_size }));
    if (isTest.size !== OFFICIAL_TEST_RECORDINGS)
      preparation.warn(
        `${isTest.size} recordings are for the test; officially they are ${OFFICIAL_TEST_RECORDINGS}`,
      );
    const [foldColumn] = readColumns(folds, ["fold"]);
    const foldText = foldColumn.kind === "float" ? floatText : String;
    const made = new Map<string, MadeCell>([
      ["rec_id", (_, id) => String(id)],
      ["fold", (_, id) => foldText(isTest.has(id) ? 1 : 0)],
    ]);
    await writeRows(preparation, folds, [
      {
        path: join(essential, "CVfolds_2.txt"),
        rows,
        columns: folds.header.map((name) => (made.has(name) ? { name, cell: made.get(name)! } : name)),
      },
    ]);
    const names = await writeFileNames(preparation, from, newIds);
    if (names.length !== rows.length)
      preparation.warn(`rec_id2filename.txt names ${names.length} files for ${rows.length} recordings`);

    const labels = recordingLines(join(from, "essential_data", LABELS), newIds);
    writeLines(
      join(essential, LABELS),
      "rec_id,[labels]",
      labels.map(({ id, rest }) => {
        if (isTest.has(id)) return `${id},?`;
        return rest === "" ? `${id}` : `${id},${rest}`;
      }),
    );
    for (const name of FEATURES) {
      const lines = recordingLines(join(from, "supplemental_data", name), newIds);
      writeLines(
        join(supplemental, name),
        FEATURE_HEADER,
        lines.map(({ id, rest }) => `${id},${rest}`),
      );
    }
    writeAnswers(preparation, labels, isTest);
    await placeFiles(preparation, from, names);
  },
});

interface Recordings {
  readonly folds: RawCsv;
  /** Those of fold 0. */
  readonly rows: Uint32Array;
  /** By the old number: the new one is the position among the rows. */
  readonly newIds: ReadonlyMap<number, number>;
}

async function labelledRecordings(preparation: Preparation, file: string): Promise<Recordings> {
  const csv = await openRawCsv(preparation, file);
  const [folds] = readColumns(csv, ["fold"]);
  const ids = recordingIds(csv);
  const rows = rowsWhere(csv.rowCount, (row) => folds.numbers[row] === 0);
  if (rows.length === 0) malformed(csv.name, "has no recording in fold 0");
  return { folds: csv, rows, newIds: new Map(Array.from(rows, (row, id) => [ids[row], id])) };
}

/** As numbers: a gap in one table makes its ids floats, which are the same ids all the same. */
function recordingIds(csv: RawCsv): Float64Array {
  const [ids] = readColumns(csv, ["rec_id"]);
  return isNumeric(ids) ? ids.numbers : malformed(csv.name, "has recordings without a number");
}

/** Writes the table of file names with the new numbers and returns the names. */
async function writeFileNames(
  preparation: Preparation,
  from: string,
  newIds: ReadonlyMap<number, number>,
): Promise<string[]> {
  const csv = await openRawCsv(preparation, join(from, "essential_data/rec_id2filename.txt"));
  const ids = recordingIds(csv);
  const [names] = readColumns(csv, ["filename"]).map(plainTexts);
  const rows = rowsWhere(csv.rowCount, (row) => newIds.has(ids[row]));
  const newId = { name: "rec_id", cell: (row: number) => String(newIds.get(ids[row])) };
  await writeRows(preparation, csv, [
    {
      path: join(preparation.public, "essential_data/rec_id2filename.txt"),
      rows,
      columns: csv.header.map((name) => (name === "rec_id" ? newId : name)),
    },
  ]);
  return Array.from(rows, (row) => names[row]);
}

/** The lines after the header that are about a recording in use, under its new number. */
function recordingLines(file: string, newIds: ReadonlyMap<number, number>): RecordingLine[] {
  if (!fs.existsSync(file)) missingFile(basename(file));
  const lines = fs
    .readFileSync(file, "utf8")
    .split(/\r\n|\n|\r/)
    .slice(1);
  return lines.flatMap((line) => {
    const comma = line.indexOf(",");
    const oldId = parsePythonInt(comma < 0 ? line : line.slice(0, comma));
    const id = oldId === null ? undefined : newIds.get(Number(oldId));
    return id === undefined ? [] : [{ id, rest: comma < 0 ? "" : line.slice(comma + 1) }];
  });
}

function writeLines(file: string, header: string, lines: readonly string[]): void {
  const target = createChunkedFile(file);
  try {
    target.write(`${header}\n`);
    for (const line of lines) target.write(`${line}\n`);
  } finally {
    target.close();
  }
}

function writeAnswers(
  preparation: Preparation,
  labels: readonly RecordingLine[],
  isTest: ReadonlySet<number>,
): void {
  const table = columns({ Id: "int", Probability: "int" });
  const ascending = [...isTest].sort((a, b) => a - b);
  writeCsv(
    join(preparation.public, "sample_submission.csv"),
    table,
    ascending.flatMap((id) => SPECIES.map((species) => [id * 100 + species, 0])),
  );
  const answers = labels
    .filter(({ id }) => isTest.has(id))
    .flatMap(({ id, rest }) => {
      const heard = new Set(rest.split(",").map((label) => String(parsePythonInt(label))));
      return SPECIES.map((species) => [id * 100 + species, heard.has(String(species)) ? 1 : 0]);
    });
  writeCsv(join(preparation.private, "answers.csv"), table, answers);
}

async function placeFiles(preparation: Preparation, from: string, names: readonly string[]): Promise<void> {
  const move = (folder: string, files: readonly string[]) =>
    moveFiles(
      preparation,
      `placing ${folder}`,
      [...new Set(files)].map((file) => [join(from, folder, file), join(preparation.public, folder, file)]),
    );
  const bitmaps = names.map((name) => `${name}.bmp`);
  const examples = new Set(listFiles(join(from, "supplemental_data/segmentation_examples"), ".bmp"));
  await move("essential_data", ["species_list.txt"]);
  await move(
    "essential_data/src_wavs",
    names.map((name) => `${name}.wav`),
  );
  for (const folder of ["filtered_spectrograms", "spectrograms", "supervised_segmentation"])
    await move(`supplemental_data/${folder}`, bitmaps);
  await move(
    "supplemental_data/segmentation_examples",
    bitmaps.filter((name) => examples.has(name)),
  );
  await move("supplemental_data", ["segment_clusters.bmp", "segment_mosaic.bmp"]);
}
