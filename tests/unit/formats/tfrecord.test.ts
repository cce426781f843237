import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { exampleBytes, readTfRecords } from "../../../src/formats/tfrecord.ts";
import { goldenCase, scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();

const field = (number: number, content: Buffer) =>
  Buffer.concat([Buffer.from([number * 8 + 2, content.length]), content]);
const bytesFeature = (values: string[]) =>
  field(1, Buffer.concat(values.map((value) => field(1, Buffer.from(value)))));
const entry = (key: string, feature: Buffer) =>
  field(1, Buffer.concat([field(1, Buffer.from(key)), field(2, feature)]));
const example = (...entries: Buffer[]) => field(1, Buffer.concat(entries));

test("the first bytes value of a feature is found, wherever it lies", () => {
  const target = Buffer.from([0x1a, 3, 0x0a, 1, 7]);
  const payload = example(entry("target", target), entry("image_name", bytesFeature(["é.jpg", "b"])));
  expect(exampleBytes(payload, "image_name")?.toString()).toBe("é.jpg");
});

test("a feature that is missing, empty or no bytes list is null", () => {
  const payload = example(
    entry("none", Buffer.alloc(0)),
    entry("number", Buffer.from([0x1a, 3, 0x0a, 1, 7])),
  );
  expect(exampleBytes(payload, "none")).toBeNull();
  expect(exampleBytes(payload, "number")).toBeNull();
  expect(exampleBytes(payload, "image_name")).toBeNull();
});

test("a damaged message never throws", () => {
  const payload = example(entry("image_name", bytesFeature(["a.jpg"])));
  for (let i = 0; i < payload.length; i++) {
    const changed = Buffer.from(payload);
    changed[i] ^= 0xff;
    expect(() => exampleBytes(changed, "image_name")).not.toThrow();
    expect(() => exampleBytes(payload.subarray(0, i), "image_name")).not.toThrow();
  }
});

describe("golden TFRecords", () => {
  test.each([
    ["cassava-leaf-disease-classification", "train_tfrecords", "train.csv", "image_id"],
    ["siim-isic-melanoma-classification", "tfrecords", "train.csv", "image_name"],
  ])("of %s name exactly the images of the table", async (id, folder, table, column) => {
    const golden = await goldenCase(id, scratch);
    const names: string[] = [];
    for (const file of golden
      .files(folder)
      .filter((name) => name.includes("train") && name.endsWith(".tfrec"))) {
      const problem = await readTfRecords(join(golden.raw, folder, file), (payload) => {
        names.push(exampleBytes(payload, "image_name")?.toString() ?? "");
        return null;
      });
      expect(problem).toBeNull();
    }
    const [header, ...rows] = readFileSync(join(golden.raw, table), "utf8").trim().split(/\r?\n/);
    const at = header.split(",").indexOf(column);
    const known = new Set(rows.map((row) => row.split(",")[at]));
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  test("cut off or with a wrong length are problems", async () => {
    const golden = await goldenCase("siim-isic-melanoma-classification", scratch);
    const name = readdirSync(join(golden.raw, "tfrecords")).find((file) => file.startsWith("train")) ?? "";
    const bytes = readFileSync(join(golden.raw, "tfrecords", name));
    const path = join(scratch, "bad.tfrec");
    writeFileSync(path, bytes.subarray(0, 100));
    expect((await readTfRecords(path, () => null))?.reason).toMatch(/cut off in record 1/);
    bytes[0] ^= 1;
    writeFileSync(path, bytes);
    expect((await readTfRecords(path, () => null))?.reason).toMatch(/impossible length/);
  });
});
