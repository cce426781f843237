import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readBsonDocuments, readBsonNumber, withoutBsonElement } from "../../../src/formats/bson.ts";
import { goldenCase, scratchFolder } from "./scratch.ts";

const scratch = scratchFolder();

// {_id: 5, category_id: 1000010653, name: "ab", imgs: []}
const elements =
  "105f69640005000000" +
  "1063617465676f72795f6964009df39a3b" +
  "026e616d650003000000616200" +
  "04696d6773000500000000";
const document = Buffer.from(`37000000${elements}00`, "hex");

test("numbers are read by name; a missing or other element is null", () => {
  expect(document.length).toBe(document.readInt32LE(0));
  expect(readBsonNumber(document, "_id")).toBe(5);
  expect(readBsonNumber(document, "category_id")).toBe(1000010653);
  expect(readBsonNumber(document, "name")).toBeNull();
  expect(readBsonNumber(document, "nothing")).toBeNull();
});

test("removing an element shortens the document by type, name and value and mends its length", () => {
  const shorter = withoutBsonElement(document, "category_id");
  expect(shorter?.toString("hex")).toBe(
    `26000000${elements.replace("1063617465676f72795f6964009df39a3b", "")}00`,
  );
  expect(withoutBsonElement(document, "nothing")).toBeNull();
});

test("a document that lies about the length of a value is not followed out of its bytes", () => {
  const liar = Buffer.from(document);
  liar.writeInt32LE(0x7fffffff, liar.indexOf("name\0") + 5);
  expect(readBsonNumber(liar, "imgs")).toBeNull();
  for (let cut = 0; cut < document.length; cut++)
    expect(() => readBsonNumber(document.subarray(0, cut), "imgs")).not.toThrow();
});

test("documents arrive one by one, also one larger than the read buffer", async () => {
  const large = Buffer.alloc(9 << 20);
  large.writeInt32LE(large.length, 0);
  writeFileSync(join(scratch, "mixed.bson"), Buffer.concat([document, large, document]));
  const lengths: number[] = [];
  const problem = await readBsonDocuments(join(scratch, "mixed.bson"), (bytes) => {
    lengths.push(bytes.length);
    return null;
  });
  expect(problem).toBeNull();
  expect(lengths).toEqual([document.length, large.length, document.length]);
});

test.each([
  ["cut off", document.subarray(0, 30), /cut off in record 1/],
  ["with half a length", Buffer.concat([document, Buffer.from([9, 0])]), /cut off in record 2/],
  ["with a negative length", Buffer.from("ffffffff00", "hex"), /impossible length before record 1/],
  ["with a huge length", Buffer.from("ffffff7f00", "hex"), /impossible length/],
])("a file %s is a problem with a sentence", async (_, bytes, words) => {
  writeFileSync(join(scratch, "bad.bson"), bytes);
  const problem = await readBsonDocuments(join(scratch, "bad.bson"), () => null);
  expect(problem?.reason).toMatch(words);
});

describe("the golden cdiscount data", () => {
  test("split by the recorded answers gives the recorded train.bson and test.bson", async () => {
    const golden = await goldenCase("cdiscount-image-classification-challenge", scratch);
    const answers = golden.expectedText("private/answers.csv").trim().split("\n").slice(1);
    const testIds = new Set(answers.map((line) => Number(line.split(",")[0])));
    const train = createHash("md5");
    const held = createHash("md5");
    const problem = await readBsonDocuments(join(golden.raw, "train.bson"), (bytes) => {
      const id = readBsonNumber(bytes, "_id");
      if (id !== null && testIds.has(id)) held.update(withoutBsonElement(bytes, "category_id") ?? "");
      else train.update(bytes);
      return null;
    });
    expect(problem).toBeNull();
    expect(train.digest("hex")).toBe(golden.expected.public["train.bson"].md5);
    expect(held.digest("hex")).toBe(golden.expected.public["test.bson"].md5);
  });
});
