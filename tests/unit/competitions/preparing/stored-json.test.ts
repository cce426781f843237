import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { PreparationStopped } from "../../../../src/competitions/preparing/stop-preparing.ts";
import { type StoredJson, withStoredJson } from "../../../../src/competitions/preparing/texts/stored-json.ts";
import { readJson } from "../../../../src/table/json/reader.ts";
import { pythonJson } from "../../../../src/table/json/writer.ts";
import { workshop } from "./workshop.ts";

async function stored(text: string, use: (json: StoredJson) => void, encoding: "utf8" | "latin1" = "utf8") {
  const { preparation } = workshop({ "data.json": text });
  await withStoredJson(preparation, path.join(preparation.raw, "data.json"), encoding, async (json) =>
    use(json),
  );
  expect(fs.readdirSync(preparation.scratch)).toEqual([]);
}

test("what is stored is written as if it had been in memory", async () => {
  const { preparation } = workshop();
  const file = path.join(preparation.raw, "data.json");
  const style = { indent: 4, sortKeys: true };
  await fc.assert(
    fc.asyncProperty(fc.dictionary(fc.string({ unit: "binary" }), fc.jsonValue()), async (value) => {
      const text = JSON.stringify(value);
      fs.writeFileSync(file, text);
      const outcome = readJson(text);
      const expected = outcome.ok ? pythonJson(outcome.value, style) : outcome.problem;
      await withStoredJson(preparation, file, "utf8", async ({ members }) => {
        expect(pythonJson(members, style)).toBe(expected);
      });
    }),
    { numRuns: 20 },
  );
});

test("records come in any order, and a changed one is not changed in the store", async () => {
  await stored('{"a": [{"n": 1}, {"n": 1.0, "t": "é\\ud800"}], "b": [{"n": 3}]}', (json) => {
    const records = json.records("a");
    expect(records.length).toBe(2);
    expect(records.at(1).get("n")).toBe(1);
    records.at(0).set("n", null);
    expect([...records].map((record) => record.get("n"))).toEqual([1n, 1]);
    expect(records.at(1).get("t")).toBe("é\ud800");
    expect([...json.records("b")]).toHaveLength(1);
  });
});

test("a repeated member keeps its first place and its last value", async () => {
  await stored('{"a": [1, 2], "b": 0, "a": [3], "b": [], "c": [1], "c": 7}', ({ members }) => {
    expect(pythonJson(members)).toBe('{"a": [3], "b": [], "c": 7}');
  });
});

test("bytes beyond ASCII are single characters in Latin-1", async () => {
  await stored(
    '{"a": [{"é": "é"}]}',
    ({ members }) => {
      expect(pythonJson(members)).toBe('{"a": [{"\\u00c3\\u00a9": "\\u00c3\\u00a9"}]}');
    },
    "latin1",
  );
});

test.each([
  ['{"a": [1]', "is not JSON"],
  ['{"a": [1]}', "has no object at position 0 of a"],
  ['{"a": 1}', "has no list a"],
  ['[{"a": []}]', "has no list a"],
])("%s ends the preparation with a reason", async (text, reason) => {
  const attempt = stored(text, (json) => json.records("a").at(0));
  await expect(attempt).rejects.toThrow(PreparationStopped);
  await expect(attempt).rejects.toMatchObject({ problem: { message: expect.stringContaining(reason) } });
});
