import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { findSamples } from "../sample/find-sample.ts";
import { unpackSample } from "../sample/unpack-sample.ts";
import { inferMetric } from "./metric.ts";
import type { PublicView } from "./task.ts";
import { readTextTable, type TextTable } from "./text-table.ts";

/** Files named after the ids of rows. */
export interface Media {
  readonly kind: "pictures" | "sounds";
  readonly extension: string;
  readonly trainFolder: string;
  readonly testFolder: string;
}

const EXTENSIONS = { png: "pictures", wav: "sounds" } as const;
const LARGEST_TABLE = 2 ** 29;

/** Everything an agent may look at, as far as it can be read; null without a sample submission. */
export async function readPublicFiles(data: string): Promise<PublicView | null> {
  const sample = await readSample(data);
  if (sample === null || sample.rows === 0 || sample.header.length < 2) return null;
  const media = findMedia(data, sample);
  return {
    sample,
    train: readNamed(data, "train"),
    test: readNamed(data, "test"),
    media,
    metric: inferMetric(readDescription(data)),
    twinFolders: twinFolders(data),
  };
}

async function readSample(data: string): Promise<TextTable | null> {
  for (const { file, packed } of findSamples(data)) {
    if (!packed) {
      const table = readTextTable(file);
      if (table !== null) return table;
      continue;
    }
    const folder = fs.mkdtempSync(path.join(os.tmpdir(), "baseline-"));
    try {
      const unpacked = await unpackSample(file, folder);
      const table = unpacked === null ? null : readTextTable(unpacked);
      if (table !== null) return table;
    } finally {
      fs.rmSync(folder, { recursive: true, force: true });
    }
  }
  return null;
}

function readNamed(data: string, name: string): TextTable | null {
  const file = path.join(data, `${name}.csv`);
  const size = fs.statSync(file, { throwIfNoEntry: false })?.size ?? Number.POSITIVE_INFINITY;
  return size > LARGEST_TABLE ? null : readTextTable(file);
}

function readDescription(data: string): string {
  const file = path.join(data, "description.md");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
}

function findMedia(data: string, sample: TextTable): Media | null {
  const [trainFolder, testFolder] = [path.join(data, "train"), path.join(data, "test")];
  for (const [extension, kind] of Object.entries(EXTENSIONS)) {
    const first = path.join(testFolder, `${sample.columns[0][0]}.${extension}`);
    if (fs.existsSync(first) && fs.existsSync(trainFolder))
      return { kind, extension, trainFolder, testFolder };
  }
  return null;
}

/** Other folders that hold exactly the names of `train`: what its pictures are to become. */
function twinFolders(data: string): string[] {
  const names = listing(path.join(data, "train"));
  if (names === "") return [];
  return fs
    .readdirSync(data, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && entry.name !== "train" && entry.name !== "test")
    .map(({ name }) => path.join(data, name))
    .filter((folder) => listing(folder) === names)
    .sort();
}

function listing(folder: string): string {
  return fs.existsSync(folder) ? fs.readdirSync(folder).sort().join("\n") : "";
}
