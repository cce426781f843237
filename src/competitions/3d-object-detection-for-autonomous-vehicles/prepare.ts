import fs from "node:fs";
import { basename, join } from "node:path";
import type { JsonObject } from "../../table/json/value.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { type Copy, copyFiles } from "../preparing/files/copy-files.ts";
import { pause } from "../preparing/pause.ts";
import { texts } from "../preparing/rows/column-values.ts";
import { openRawCsv, readColumns } from "../preparing/rows/raw-csv.ts";
import { rowsWhere } from "../preparing/rows/row-choice.ts";
import { writeRows } from "../preparing/rows/write-rows.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";
import { readJsonRecords, textMember } from "../preparing/texts/json-file.ts";
import { type Half, recordsOfHalf, tableFile, tableRecords, writeTable } from "./json-table.ts";

const HALVES: readonly Half[] = ["train", "test"];
const UNCHANGED_TABLES = ["attribute", "category", "sensor", "visibility"];
const MAP_IMAGE = "map_raster_palo_alto.png";
const VALUES_PER_BOX = 8;

/** What is recorded of one camera or lidar at one moment. */
interface Recording {
  readonly half: Half;
  readonly sensor: string;
  readonly pose: string;
  readonly folder: "images" | "lidar";
  readonly file: string;
}

export const preparer = definePreparer({
  settings: { test_size: 0.2 },
  async prepare(preparation) {
    for (const half of HALVES) fs.mkdirSync(join(preparation.public, `${half}_data`));
    const tokens = Array.from(tableRecords(preparation, "log"), (log) => member(log, "token", "log"));
    if (new Set(tokens).size !== tokens.length) malformed(tableFile("log"), "has a token twice");
    const split = splitItems(tokens.length, preparation.settings.test_size);
    const logs = new Map<string, Half>();
    for (const i of split.train) logs.set(tokens[i], "train");
    for (const i of split.test) logs.set(tokens[i], "test");

    await writeTables(preparation, "log", (log) => logs.get(member(log, "token", "log")));
    await writeTables(preparation, "scene", (scene) => logs.get(member(scene, "log_token", "scene")));
    // The token of a scene is that of its log in these data.
    const sampleHalf = (sample: JsonObject) => logs.get(member(sample, "scene_token", "sample"));
    await writeTables(preparation, "sample", sampleHalf);
    await writeMaps(
      preparation,
      Array.from(split.test, (i) => tokens[i]),
    );

    const samples = new Map<string, Half>();
    for (const sample of tableRecords(preparation, "sample")) {
      samples.set(member(sample, "token", "sample"), sampleHalf(sample)!);
    }
    const labelled = await writeBoxes(preparation, samples);
    await writeRecordings(preparation, labelled);
    await writeAnnotations(preparation, labelled);
    await copyUnchanged(preparation);
  },
});

/** Both halves of a table whose records stay in the order of the file. */
async function writeTables(
  preparation: Preparation,
  table: string,
  halfOf: (record: JsonObject) => Half | undefined,
): Promise<void> {
  for (const half of HALVES) {
    await writeTable(preparation, half, table, recordsOfHalf(preparation, half, table, halfOf));
    await pause(preparation);
  }
}

/** There is one map. By a mistake of the original it lists the test logs in both halves. */
async function writeMaps(preparation: Preparation, testTokens: string[]): Promise<void> {
  const maps = readJsonRecords(join(preparation.raw, tableFile("map")));
  if (maps.length !== 1) malformed(tableFile("map"), `has ${maps.length} maps instead of one`);
  const [map] = maps;
  map.set("log_tokens", testTokens);
  for (const half of HALVES) await writeTable(preparation, half, "map", [map]);
}

/** The CSV files. Returns the half of each sample that has boxes, which decides over the tables that refer to samples. */
async function writeBoxes(
  preparation: Preparation,
  samples: ReadonlyMap<string, Half>,
): Promise<Map<string, Half>> {
  const csv = await openRawCsv(preparation, join(preparation.raw, "train.csv"));
  const [ids, boxes] = readColumns(csv, ["Id", "PredictionString"]).map(texts);
  const halves = ids.map((id) => (id === null ? undefined : samples.get(id)));
  const test = rowsWhere(csv.rowCount, (row) => halves[row] === "test");
  await writeRows(preparation, csv, [
    {
      path: join(preparation.public, "train.csv"),
      rows: rowsWhere(csv.rowCount, (row) => halves[row] === "train"),
      columns: ["Id", "PredictionString"],
    },
    {
      path: join(preparation.private, "test.csv"),
      rows: test,
      columns: ["Id", { name: "PredictionString", cell: (row) => withConfidences(boxes[row] ?? "") }],
    },
    {
      path: join(preparation.public, "sample_submission.csv"),
      rows: test,
      columns: ["Id", { name: "PredictionString", value: "" }],
    },
  ]);
  const labelled = new Map<string, Half>();
  for (const [row, half] of halves.entries()) if (half) labelled.set(ids[row]!, half);
  if (labelled.size !== samples.size || labelled.size !== csv.rowCount) {
    preparation.warn(`train.csv has ${csv.rowCount} rows for ${samples.size} samples`);
  }
  return labelled;
}

/** Puts the confidence 1.0, which a submission states for each box, before the eight values of each true box. */
function withConfidences(boxes: string): string {
  const values = boxes.split(" ");
  if (values.length % VALUES_PER_BOX !== 0)
    malformed("train.csv", "has a box with more or less than eight values");
  return values.map((value, i) => (i % VALUES_PER_BOX === 0 ? `1.0 ${value}` : value)).join(" ");
}

async function writeRecordings(preparation: Preparation, samples: ReadonlyMap<string, Half>): Promise<void> {
  const sampleHalf = (record: JsonObject) => samples.get(member(record, "sample_token", "sample_data"));
  await writeTables(preparation, "sample_data", sampleHalf);
  const recordings = Array.from(tableRecords(preparation, "sample_data"), (record): Recording => {
    const folder = folderOf(member(record, "fileformat", "sample_data"));
    const half = sampleHalf(record)!;
    const sensor = member(record, "calibrated_sensor_token", "sample_data");
    const pose = member(record, "ego_pose_token", "sample_data");
    return { half, sensor, pose, folder, file: basename(member(record, "filename", "sample_data")) };
  });
  await pause(preparation);

  const sensors = byToken(preparation, "calibrated_sensor");
  const poses = byToken(preparation, "ego_pose");
  for (const half of HALVES) {
    const own = recordings.filter((recording) => recording.half === half);
    const usedSensors = [...new Set(own.map(({ sensor }) => sensor))];
    await writeTable(
      preparation,
      half,
      "calibrated_sensor",
      looked(sensors, usedSensors, "calibrated_sensor"),
    );
    const usedPoses = own.map(({ pose }) => pose);
    await writeTable(preparation, half, "ego_pose", looked(poses, usedPoses, "ego_pose"));
    await pause(preparation);
  }
  await copyRecordings(preparation, recordings);
}

function folderOf(format: string): Recording["folder"] {
  if (format === "jpeg") return "images";
  return format === "bin"
    ? "lidar"
    : malformed(tableFile("sample_data"), `has a file of the format ${format}`);
}

async function copyRecordings(preparation: Preparation, recordings: readonly Recording[]): Promise<void> {
  const copies = new Map<string, Copy>();
  for (const { half, folder, file } of recordings) {
    const target = `${half}_${folder}/${file}`;
    copies.set(target, [join(preparation.raw, `train_${folder}`, file), join(preparation.public, target)]);
  }
  const repeated = recordings.length - copies.size;
  if (repeated > 0) preparation.warn(`sample_data.json names ${repeated} files more than once`);
  await copyFiles(preparation, "copying images and lidar", [...copies.values()]);
}

/** Only for train: what a sample shows is what is to be found in test. */
async function writeAnnotations(preparation: Preparation, samples: ReadonlyMap<string, Half>): Promise<void> {
  const used = new Set<string>();
  const annotations = function* () {
    const halfOf = (record: JsonObject) => samples.get(member(record, "sample_token", "sample_annotation"));
    for (const record of recordsOfHalf(preparation, "train", "sample_annotation", halfOf)) {
      used.add(member(record, "instance_token", "sample_annotation"));
      yield record;
    }
  };
  await writeTable(preparation, "train", "sample_annotation", annotations());
  await pause(preparation);
  const halfOf = (record: JsonObject) => (used.has(member(record, "token", "instance")) ? "train" : "test");
  await writeTable(preparation, "train", "instance", recordsOfHalf(preparation, "train", "instance", halfOf));
}

async function copyUnchanged(preparation: Preparation): Promise<void> {
  const copies = HALVES.flatMap((half) => [
    ...UNCHANGED_TABLES.map(
      (table): Copy => [
        join(preparation.raw, tableFile(table)),
        join(preparation.public, `${half}_data`, `${table}.json`),
      ],
    ),
    [
      join(preparation.raw, "train_maps", MAP_IMAGE),
      join(preparation.public, `${half}_maps`, MAP_IMAGE),
    ] as const,
  ]);
  await copyFiles(preparation, "copying maps", copies);
}

function byToken(preparation: Preparation, table: string): Map<string, JsonObject> {
  const records = new Map<string, JsonObject>();
  for (const record of tableRecords(preparation, table)) records.set(member(record, "token", table), record);
  return records;
}

function* looked(
  records: ReadonlyMap<string, JsonObject>,
  tokens: readonly string[],
  table: string,
): Generator<JsonObject> {
  for (const token of tokens)
    yield records.get(token) ?? malformed(tableFile(table), `lacks the record ${token}`);
}

function member(record: JsonObject, key: string, table: string): string {
  return textMember(record, key, tableFile(table));
}
