import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  createParquet,
  openParquet,
  type ParquetColumn,
  type ParquetValues,
} from "../../../src/formats/parquet.ts";
import { floatText } from "../../../src/table/python-text.ts";
import { goldenCase, scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();
const path = join(scratch, "table.parquet");

async function readAll(file: string, names?: string[]) {
  const opened = await openParquet(file);
  if (opened.status === "unreadable") throw new Error(opened.reason);
  const rows: unknown[][] = [];
  const problem = await opened.readBatches(names ?? opened.columns.map(({ name }) => name), (batch) => {
    for (let i = 0; i < batch.rows; i++) rows.push(batch.columns.map((column) => column[i]));
  });
  expect(problem).toBeNull();
  return { rows, columns: opened.columns, count: opened.rows };
}

async function writeAll(file: string, columns: ParquetColumn[], batches: ParquetValues[][]) {
  const writer = await createParquet(file, columns);
  if ("status" in writer) throw new Error(writer.reason);
  for (const batch of batches) writer.write({ rows: batch[0].length, columns: batch });
  writer.finish();
}

test("numbers of each type come back, in several batches, also an empty one", async () => {
  const columns: ParquetColumn[] = [
    { name: "id", type: "INT64" },
    { name: "angle", type: "FLOAT" },
    { name: "exact", type: "DOUBLE" },
    { name: "small", type: "INT32" },
  ];
  await writeAll(path, columns, [
    [
      BigInt64Array.from([1n, 2n ** 62n]),
      Float32Array.from([0.1, 2]),
      Float64Array.from([0.1, -0]),
      Int32Array.from([1, -1]),
    ],
    [new BigInt64Array(), new Float32Array(), new Float64Array(), new Int32Array()],
    [BigInt64Array.from([-3n]), Float32Array.from([3]), Float64Array.from([1e300]), Int32Array.from([7])],
  ]);
  const read = await readAll(path);
  expect(read.columns).toEqual(columns);
  expect(read.rows).toEqual([
    [1n, Math.fround(0.1), 0.1, 1],
    [2n ** 62n, 2, -0, -1],
    [-3n, 3, 1e300, 7],
  ]);
  expect((await readAll(path, ["exact", "id"])).rows[0]).toEqual([0.1, 1n]);
});

test("a missing float is NaN, a missing integer a problem with a sentence", async () => {
  const { parquetWriteFile } = await import("hyparquet-writer");
  parquetWriteFile({
    filename: path,
    columnData: [
      { name: "angle", type: "DOUBLE", data: [0.5, null] },
      { name: "short", type: "FLOAT", data: [null, 2] },
      { name: "id", type: "INT64", data: [null, 1n] },
    ],
  });
  const { rows } = await readAll(path, ["angle", "short"]);
  expect(rows).toEqual([
    [0.5, Number.NaN],
    [Number.NaN, 2],
  ]);
  const opened = await openParquet(path);
  if (opened.status === "unreadable") throw new Error(opened.reason);
  expect((await opened.readBatches(["id"], () => {}))?.reason).toBe('has missing values in column "id"');
});

test("a table without rows is a table", async () => {
  await writeAll(path, [{ name: "id", type: "INT64" }], []);
  expect(await readAll(path)).toEqual({ rows: [], columns: [{ name: "id", type: "INT64" }], count: 0 });
});

test("what is not Parquet, or lacks a column, is a problem with a sentence", async () => {
  writeFileSync(path, "not parquet at all, just text");
  const opened = await openParquet(path);
  expect(opened.status === "unreadable" && opened.reason).toMatch(/not a Parquet file/);
  await writeAll(path, [{ name: "id", type: "INT64" }], [[BigInt64Array.from([1n])]]);
  const again = await openParquet(path);
  if (again.status === "unreadable") throw new Error(again.reason);
  expect((await again.readBatches(["angle"], () => {}))?.reason).toBe('has no column "angle"');
  const bytes = readFileSync(path);
  bytes.fill(0xff, 4, 12);
  writeFileSync(path, bytes);
  const damaged = await openParquet(path);
  if (damaged.status === "open")
    expect((await damaged.readBatches(["id"], () => {}))?.reason).toMatch(/damaged column/);
});

describe("golden icecube tables", () => {
  const id = "icecube-neutrinos-in-deep-ice";
  test.each([id, `${id}/variants/float32`, `${id}/variants/plain-encoding`])(
    "of %s give the recorded rows and md5",
    async (name) => {
      const golden = await goldenCase(name, scratch);
      const { rows, columns } = await readAll(join(golden.raw, "train_meta.parquet"));
      const text = ({ type }: ParquetColumn, value: unknown) => {
        if (type === "FLOAT") return float32Text(Number(value));
        return type === "DOUBLE" ? floatText(Number(value)) : String(value);
      };
      const recorded = golden.expectedText("public/train_meta.parquet.csv").trim().split("\n");
      const train = new Set(recorded.slice(1).map((line) => line.split(",")[1]));
      const kept = rows.filter((row) => train.has(String(row[1])));
      const cells = kept.map((row) => columns.map((column, i) => text(column, row[i])));
      expect(cells.map((row) => row.join(","))).toEqual(recorded.slice(1));
      const json = JSON.stringify({ columns: columns.map((column) => column.name), rows: cells });
      const { parquet } = golden.expected.public["train_meta.parquet"] as { parquet?: { json_md5: string } };
      expect(createHash("md5").update(json).digest("hex")).toBe(parquet?.json_md5);
    },
  );
});

function float32Text(value: number): string {
  for (let digits = 1; ; digits++) {
    const short = Number(value.toPrecision(digits));
    if (Math.fround(short) === value) return floatText(short);
  }
}
