import { join } from "node:path";
import {
  createParquet,
  openParquet,
  type ParquetColumn,
  type ParquetFile,
  type ParquetValues,
  type ParquetWriter,
} from "../../formats/parquet.ts";
import { createChunkedFile } from "../../table/csv/chunked-file.ts";
import { type CsvColumn, csvWriter } from "../../table/csv/writer.ts";
import { definePreparer, type Preparation } from "../preparer.ts";
import { copyNamed } from "../preparing/files/copy-files.ts";
import { pause } from "../preparing/pause.ts";
import { splitItems } from "../preparing/splits/split-rows.ts";
import { malformed } from "../preparing/stop-preparing.ts";

const META = "train_meta.parquet";
const ANGLES = ["azimuth", "zenith"];
const ANSWERS = ["event_id", ...ANGLES];

export const preparer = definePreparer({
  settings: { test_size: 0.1 },
  async prepare(preparation) {
    const { raw, public: open } = preparation;
    const meta = await openParquet(join(raw, META));
    if (meta.status === "unreadable") return malformed(META, meta.reason);
    const batches = await distinctBatches(preparation, meta);
    const split = splitItems(batches.length, preparation.settings.test_size);
    const train = Array.from(split.train, (i) => batches[i]);
    const test = Array.from(split.test, (i) => batches[i]);
    await writeEvents(preparation, meta, new Set(test));

    await copyNamed(preparation, raw, open, ["sensor_geometry.csv"]);
    for (const [side, ids] of Object.entries({ train, test })) {
      const files = ids.map((id) => `batch_${id}.parquet`);
      await copyNamed(preparation, join(raw, "train"), join(open, side), files);
    }
  },
});

/** In order of first appearance. */
async function distinctBatches(preparation: Preparation, meta: ParquetFile): Promise<(number | bigint)[]> {
  const batches = new Set<number | bigint>();
  await visitMeta(preparation, meta, "reading batches", ["batch_id"], ([ids]) => {
    for (let i = 0; i < ids.length; i++) if (i === 0 || ids[i] !== ids[i - 1]) batches.add(ids[i]);
  });
  return [...batches];
}

async function writeEvents(
  preparation: Preparation,
  meta: ParquetFile,
  testBatches: ReadonlySet<number | bigint>,
): Promise<void> {
  const { public: open } = preparation;
  const names = meta.columns.map(({ name }) => name);
  const shown = meta.columns.filter(({ name }) => !ANGLES.includes(name));
  const train = await parquetTarget(join(open, META), meta.columns);
  const test = await parquetTarget(join(open, "test_meta.parquet"), shown);
  const answers = createChunkedFile(join(preparation.private, "test.csv"));
  const sample = createChunkedFile(join(open, "sample_submission.csv"));
  try {
    const kinds = new Map(meta.columns.map(({ name, type }) => [name, csvKind(type)]));
    const kindOf = (name: string) => kinds.get(name) ?? malformed(META, `has no column "${name}"`);
    const id = { name: "event_id", kind: kindOf("event_id") };
    const angles = (kind: (name: string) => CsvColumn["kind"]) =>
      ANGLES.map((name) => ({ name, kind: kind(name) }));
    const writeAnswer = csvWriter([id, ...angles(kindOf)], answers.write);
    const writeSample = csvWriter([id, ...angles(() => "int")], sample.write);

    await visitMeta(preparation, meta, "splitting events", names, (columns) => {
      const isTest = testRows(columns[names.indexOf("batch_id")], testBatches);
      const side = (wanted: 0 | 1, of: readonly string[]) =>
        of.map((name) => columns[names.indexOf(name)].filter((_, row) => isTest[row] === wanted));
      const trainColumns = side(0, names);
      train.write({ rows: trainColumns[0].length, columns: trainColumns });
      const testColumns = side(
        1,
        shown.map(({ name }) => name),
      );
      test.write({ rows: testColumns[0].length, columns: testColumns });
      const [ids, azimuth, zenith] = side(1, ANSWERS);
      for (let row = 0; row < ids.length; row++) {
        writeAnswer([ids[row], azimuth[row], zenith[row]]);
        writeSample([ids[row], 1, 1]);
      }
    });
    train.finish();
    test.finish();
  } finally {
    answers.close();
    sample.close();
  }
}

function testRows(batches: ParquetValues, testBatches: ReadonlySet<number | bigint>): Uint8Array {
  const isTest = new Uint8Array(batches.length);
  for (let i = 0; i < batches.length; i++) {
    const same = i > 0 && batches[i] === batches[i - 1];
    isTest[i] = same ? isTest[i - 1] : Number(testBatches.has(batches[i]));
  }
  return isTest;
}

/** Angles print as short as the width allows in which they are stored. */
function csvKind(type: ParquetColumn["type"]): CsvColumn["kind"] {
  if (type === "FLOAT") return "float32";
  return type === "DOUBLE" ? "float" : "int";
}

async function visitMeta(
  preparation: Preparation,
  meta: ParquetFile,
  what: string,
  names: string[],
  visit: (columns: readonly ParquetValues[]) => void,
): Promise<void> {
  let done = 0;
  const problem = await meta.readBatches(names, async ({ rows, columns }) => {
    visit(columns);
    done += rows;
    preparation.progress({ what, done, total: meta.rows });
    await pause(preparation);
  });
  if (problem) malformed(META, problem.reason);
}

async function parquetTarget(path: string, columns: ParquetColumn[]): Promise<ParquetWriter> {
  const writer = await createParquet(path, columns);
  return "status" in writer ? malformed(META, writer.reason) : writer;
}
