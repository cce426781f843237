import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { findSamples } from "../../sample/find-sample.ts";
import { unpackSample } from "../../sample/unpack-sample.ts";
import { type MemoryPlan, planMemory } from "../memory-plan.ts";
import type { PublicView } from "../task.ts";
import { inferMetric } from "../validation/metric.ts";
import { findSideTables } from "./side-tables.ts";
import { readTable, type TableFacts, tableFacts } from "./table-file.ts";
import { readTextTable, type TextTable } from "./text-table.ts";

/** Files named after the ids of rows. */
export interface Media {
  readonly kind: "pictures" | "sounds";
  readonly extension: string;
  readonly trainFolder: string;
  readonly testFolder: string;
}

const EXTENSIONS = { png: "pictures", wav: "sounds" } as const;
/** Of a training table that would take longer to read only the beginning is. */
const BYTES_A_SECOND = 2 ** 26;

/** What may be read, and how much of it. */
export interface ReadingLimits {
  readonly memoryBytes: number;
  readonly seconds: number;
}

/** Everything an agent may look at, as far as it can be read and held. */
export function readPublicFiles(data: string, sample: TextTable, limits: ReadingLimits): PublicView {
  const mostBytes = Math.max(BYTES_A_SECOND, BYTES_A_SECOND * limits.seconds);
  const trainFacts = tableFacts(path.join(data, "train.csv"), mostBytes);
  const testFacts = tableFacts(path.join(data, "test.csv"));
  const memory = planMemory(limits.memoryBytes, trainFacts, testFacts, sample.rows);
  const asTexts = new Set(sample.header);
  const train = trainFacts && readTable(trainFacts, { rows: memory.trainRows, asTexts, mostBytes });
  const columns = testFacts === null ? [] : testColumns(testFacts, trainFacts, memory);
  const test = testFacts && readTable(testFacts, { asTexts, columns });
  return {
    sample,
    train,
    trainRowsInFile: trainFacts?.rows ?? 0,
    test,
    sideTables: train === null || test === null ? [] : findSideTables(data, train, test),
    media: findMedia(data, sample),
    metric: inferMetric(readDescription(data)),
    twinFolders: twinFolders(data),
    memory,
  };
}

/** The id, and of what the training table has too as much as there is room for. */
function testColumns(
  test: TableFacts,
  train: TableFacts | null,
  { testColumns: most }: MemoryPlan,
): string[] {
  const [id, ...others] = test.header;
  const shared = others.filter((name) => train === null || train.header.includes(name));
  return [id, ...shared].slice(0, most);
}

/** The sample submission, wherever it lies; null if nothing looks like one that has rows. */
export async function readSample(data: string): Promise<TextTable | null> {
  const sample = await findSample(data);
  return sample === null || sample.rows === 0 || sample.header.length < 2 ? null : sample;
}

async function findSample(data: string): Promise<TextTable | null> {
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

function readDescription(data: string): string {
  const file = path.join(data, "description.md");
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : "";
}

function findMedia(data: string, sample: TextTable): Media | null {
  const [trainFolder, testFolder] = [path.join(data, "train"), path.join(data, "test")];
  for (const [extension, kind] of Object.entries(EXTENSIONS)) {
    const first = path.join(testFolder, `${sample.columns[0].at(0)}.${extension}`);
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
