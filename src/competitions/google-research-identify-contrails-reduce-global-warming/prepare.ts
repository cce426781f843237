import { join } from "node:path";
import { checkEntryName } from "../../archive/entry-name.ts";
import { encodeMaskRuns } from "../../formats/mask-runs.ts";
import { readNpy, readNpyHeader } from "../../formats/npy.ts";
import { pythonChoice, pythonRandom } from "../../random/python-random.ts";
import type { JsonObject } from "../../table/json/value.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { type Copy, copyFiles, copyNamed, copyTree } from "../preparing/files/copy-files.ts";
import { pause } from "../preparing/pause.ts";
import { columns, writeCsv } from "../preparing/rows/csv-file.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";
import { readJsonRecords, textMember, writeJsonFile } from "../preparing/texts/json-file.ts";

const BANDS = Array.from({ length: 9 }, (_, i) => `band_${String(i + 8).padStart(2, "0")}.npy`);
const MASKS = ["human_individual_masks.npy", "human_pixel_masks.npy"];
const SAMPLE_MASKS = ["1 3 10 5", "-"];

export const preparer = definePreparer({
  async prepare(preparation) {
    const records = readJsonRecords(join(preparation.raw, "train_metadata.json"));
    const validation = readJsonRecords(join(preparation.raw, "validation_metadata.json"));
    const split = splitItems(records.length, { testCount: validation.length });
    const train = Array.from(split.train, (row) => records[row]);
    const test = Array.from(split.test, (row) => records[row]);

    await writeJsonFile(preparation, join(preparation.public, "train_metadata.json"), train);
    await copyNamed(preparation, preparation.raw, preparation.public, ["validation_metadata.json"]);
    await writeAnswers(preparation, test.map(recordId));

    const trainFiles = recordFiles(preparation, train.map(recordId), "train", [...BANDS, ...MASKS]);
    await copyFiles(preparation, "copying train", trainFiles);
    await copyFiles(preparation, "copying test", recordFiles(preparation, test.map(recordId), "test", BANDS));
    await copyTree(preparation, join(preparation.raw, "validation"), join(preparation.public, "validation"));
  },
});

async function writeAnswers(preparation: Preparation, ids: readonly string[]): Promise<void> {
  const answers: [id: string, runs: string, height: number, width: number][] = [];
  for (const id of ids) {
    const [height, width] = imageSize(join(preparation.raw, "train", id, "band_08.npy"), id);
    answers.push([
      id,
      maskRuns(join(preparation.raw, "train", id, "human_pixel_masks.npy"), id),
      height,
      width,
    ]);
    if (answers.length % 64 === 0) {
      preparation.progress({ what: "encoding masks", done: answers.length, total: ids.length });
      await pause(preparation);
    }
  }
  const table = columns({ record_id: "text", encoded_pixels: "text", height: "int", width: "int" });
  writeCsv(join(preparation.private, "answers.csv"), table, answers);
  const generator = pythonRandom(0);
  writeCsv(
    join(preparation.public, "sample_submission.csv"),
    table,
    answers.map(([id, _, height, width]) => [id, pythonChoice(generator, SAMPLE_MASKS), height, width]),
  );
}

function imageSize(file: string, id: string): [height: number, width: number] {
  const name = `train/${id}/band_08.npy`;
  const header = readNpyHeader(file);
  if (header.status === "unreadable") return malformed(name, "is not a NumPy array we can read");
  const [height, width] = header.shape;
  return width === undefined ? malformed(name, "is not an image") : [height, width];
}

function maskRuns(file: string, id: string): string {
  const name = `train/${id}/human_pixel_masks.npy`;
  const mask = readNpy(file);
  if (mask.status === "unreadable") return malformed(name, "is not a NumPy array we can read");
  const runs = encodeMaskRuns(mask);
  return typeof runs === "string" ? runs : malformed(name, "is not a mask of numbers");
}

function* recordFiles(
  preparation: Preparation,
  ids: readonly string[],
  folder: string,
  names: readonly string[],
): Generator<Copy> {
  for (const id of ids) {
    for (const name of names) {
      yield [join(preparation.raw, "train", id, name), join(preparation.public, folder, id, name)];
    }
  }
}

function recordId(record: JsonObject): string {
  const id = textMember(record, "record_id", "train_metadata.json");
  const checked = checkEntryName(id);
  return "problem" in checked ? malformed("train_metadata.json", `has a record that ${checked.problem}`) : id;
}
