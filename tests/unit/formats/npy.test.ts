import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { encodeMaskRuns } from "../../../src/formats/mask-runs.ts";
import { gatherNpyRows, npyHeaderBytes, npyTexts, readNpy, readNpyHeader } from "../../../src/formats/npy.ts";
import { goldenCase, scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();
const path = join(scratch, "array.npy");

function mask(height: number, width: number, set: number[], descr = "|u1", one = [1]) {
  const data = Buffer.alloc(height * width * one.length);
  for (const pixel of set) data.set(one, pixel * one.length);
  writeFileSync(path, Buffer.concat([npyHeaderBytes(descr, [height, width, 1]), data]));
  const array = readNpy(path);
  if (array.status === "unreadable") throw new Error(array.reason);
  return encodeMaskRuns(array);
}

describe("mask runs", () => {
  test("go down the columns and on to the next one", () => {
    expect(mask(2, 3, [3, 1])).toBe("2 2");
    expect(mask(2, 3, [0, 5])).toBe("1 1 6 1");
    expect(mask(2, 2, [0, 1, 2, 3])).toBe("1 4");
  });
  test.each([
    ["<i4", [1, 0, 0, 0]],
    ["<f2", [0, 0x3c]],
    ["<f4", [0, 0, 0x80, 0x3f]],
    ["<f8", [0, 0, 0, 0, 0, 0, 0xf0, 0x3f]],
  ])("are the same in a mask of %s", (descr, one) => {
    expect(mask(2, 3, [0, 5], descr, one)).toBe("1 1 6 1");
  });
  test("of an empty mask are a dash", () => expect(mask(3, 3, [])).toBe("-"));
});

test("the header of a one-dimensional array is padded as NumPy does it", () => {
  const bytes = npyHeaderBytes("<U2", [60]);
  expect(bytes.length % 64).toBe(0);
  expect(bytes.toString("latin1", 10)).toMatch(
    /^\{'descr': '<U2', 'fortran_order': False, 'shape': \(60,\), \} +\n$/,
  );
});

test("labels print as text, whatever integer or text type holds them", () => {
  const cases: [string, Buffer, string[]][] = [
    ["<U2", Buffer.from([55, 0, 0, 0, 0, 0, 0, 0, 49, 0, 0, 0, 50, 0, 0, 0]), ["7", "12"]],
    ["|S2", Buffer.from("7\0" + "12"), ["7", "12"]],
    ["<i8", Buffer.from(BigInt64Array.from([-7n, 2n ** 60n]).buffer), ["-7", "1152921504606846976"]],
    ["<i4", Buffer.from(Int32Array.from([-7, 12]).buffer), ["-7", "12"]],
    ["|u1", Buffer.from([7, 200]), ["7", "200"]],
  ];
  for (const [descr, data, expected] of cases) {
    writeFileSync(path, Buffer.concat([npyHeaderBytes(descr, [2]), data]));
    const array = readNpy(path);
    expect(array.status === "array" && npyTexts(array)).toEqual(expected);
  }
});

test("rows of an array that is stored column by column are gathered into one that is not", () => {
  const header = npyHeaderBytes("|u1", [3, 2]).toString("latin1").replace("False", "True ");
  writeFileSync(path, Buffer.concat([Buffer.from(header, "latin1"), Buffer.from([1, 3, 5, 2, 4, 6])]));
  const gathered = join(scratch, "gathered.npy");
  expect(gatherNpyRows(path, gathered, [2, 0])).toBeNull();
  expect(readFileSync(gathered)).toEqual(
    Buffer.concat([npyHeaderBytes("|u1", [2, 2]), Buffer.from([5, 6, 1, 2])]),
  );
});

test.each([
  ["is not a .npy file", Buffer.from("just text, long enough")],
  ["cut off", npyHeaderBytes("<f8", [4])],
  ["which we cannot read", Buffer.concat([npyHeaderBytes("|O8", [1]), Buffer.alloc(8)])],
  ["cut off in its header", npyHeaderBytes("<f8", [4]).subarray(0, 40)],
])("a file that is bad (%s) is a problem with a sentence", (words, bytes) => {
  writeFileSync(path, bytes);
  const header = readNpyHeader(path);
  expect(header.status === "unreadable" && header.reason).toContain(words);
});

describe("golden arrays", () => {
  test("masks of every type and order give the recorded run-length codes", async () => {
    const id = "google-research-identify-contrails-reduce-global-warming";
    const golden = await goldenCase(id, scratch);
    const rows = golden.expectedText("private/answers.csv").trim().split("\n").slice(1);
    expect(rows.length).toBeGreaterThan(2);
    for (const row of rows) {
      const [record, code, height, width] = row.split(",");
      const array = readNpy(join(golden.raw, "train", record, "human_pixel_masks.npy"));
      expect(array.status === "array" && encodeMaskRuns(array)).toBe(code);
      const band = readNpyHeader(join(golden.raw, "train", record, "band_08.npy"));
      expect(band.status === "header" && band.shape.slice(0, 2)).toEqual([Number(height), Number(width)]);
    }
  });

  test("rows gathered in the order of the labels give NumPy's bytes", async () => {
    const golden = await goldenCase("ml2021spring-hw2", scratch);
    const folder = join(golden.raw, "timit_11/timit_11");
    const labels = readNpy(join(folder, "train_label_11.npy"));
    const texts = labels.status === "array" ? npyTexts(labels) : [];
    expect(Array.isArray(texts) && texts.length).toBe(83);
    const all = Array.from({ length: 83 }, (_, i) => i);
    expect(gatherNpyRows(join(folder, "train_11.npy"), path, all)).toBeNull();
    expect(readFileSync(path)).toEqual(readFileSync(join(folder, "train_11.npy")));
    expect(gatherNpyRows(join(folder, "train_label_11.npy"), path, all)).toBeNull();
    expect(readFileSync(path)).toEqual(readFileSync(join(folder, "train_label_11.npy")));
    gatherNpyRows(join(folder, "train_11.npy"), path, all.slice(0, 60));
    const recorded = golden.expected.public["timit_11/timit_11/train_11.npy"] as { bytes?: number };
    expect(readFileSync(path).length).toBe(recorded.bytes);
    expect(
      createHash("md5")
        .update(npyHeaderBytes("<f4", [60, 6]))
        .digest("hex"),
    ).toBe(createHash("md5").update(readFileSync(path).subarray(0, 128)).digest("hex"));
  });
});
