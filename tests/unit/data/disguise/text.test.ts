import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { catalogue, loadCompetition } from "../../../../src/competitions/catalogue.ts";
import { makeDisguise } from "../../../../src/data/disguise/disguise.ts";
import { headerCells, renameHeader } from "../../../../src/data/disguise/header.ts";
import { disguiseText, wordPattern, wordsOf } from "../../../../src/data/disguise/text.ts";
import { GIVEAWAYS } from "../../../../src/data/disguise/words.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const entries = await catalogue();

test("every competition with a text has rules", () => {
  const described = entries.filter(({ id }) =>
    fs.existsSync(path.resolve("src/competitions", id, "description.md")),
  );
  expect(described.length).toBeGreaterThanOrEqual(94);
  for (const { id } of described) expect(GIVEAWAYS[id], id).toBeDefined();
});

describe("none of the removed words is left in a description", () => {
  test.each(entries.map(({ id, name }) => [id, name]))("%s", (id, name) => {
    const file = path.resolve("src/competitions", id, "description.md");
    const words = wordsOf(id, name);
    const text = disguiseText(fs.readFileSync(file, "utf8"), { words, columns: new Map(), files: new Map() });
    for (const word of words) expect(text).not.toMatch(wordPattern(word));
    // What is to be done is still there.
    for (const section of ["## Task", "## Metric", "## Submission format"]) expect(text).toContain(section);
  });
});

test("an official text loses prizes, addresses, host and people, and keeps the task", () => {
  const text = [
    "# Right Whale Redux",
    "## Description",
    "Hosted on Kaggle by Cornell. See https://www.kaggle.com/c/x for more. The winner gets a prize of $10,000.",
    "Predict `whale_call` from `clip_name`; `whale_call` is 0 or 1.",
    "## Prizes",
    "First place: a trip.",
    "### Rules of the prizes",
    "none",
    "## Evaluation",
    "Area under the curve of whale_call.",
  ].join("\n");
  const words = wordsOf(
    "the-icml-2013-whale-challenge-right-whale-redux",
    "The ICML 2013 Whale Challenge - Right Whale Redux",
  );
  const columns = new Map([
    ["whale_call", "column_001"],
    ["clip_name", "column_002"],
  ]);
  expect(disguiseText(text, { words, columns, files: new Map() })).toBe(
    [
      "# A prediction task",
      "## Description",
      "Hosted on this source by this source. See (an address) for more.",
      "Predict `column_001` from `column_002`; `column_001` is 0 or 1.",
      "## Evaluation",
      "Area under the curve of column_001.",
    ].join("\n"),
  );
});

test("files and folders that name the source are renamed, alike in the data, in tables and in the text", async () => {
  const data = temporaryFolder();
  const from = path.join(data, "public");
  const id = "herbarium-2020-fgvc7";
  writeText(from, "nybg2020/train/metadata.json", "{}");
  writeText(from, "nybg2020/train/images/nybg_1.jpg", "x");
  writeText(from, "kaggle_notes.csv", "file_path,Id\nnybg2020/train/images/nybg_1.jpg,nybg_1\n");
  writeText(from, "sample_submission.csv", "Id,Predicted\nnybg_1,0\n");
  const loaded = await loadCompetition(id);
  const disguise = await makeDisguise({
    loaded: loaded!,
    publicFolder: from,
    data: "digest",
    place: path.join(data, "texts"),
    shelf: path.join(data, ".disguised"),
    description: "# Herbarium\n\nSee `nybg2020/train/metadata.json`, `kaggle_notes.csv` and `nybg2020/`.\n",
  });
  const read = (name: string) => fs.readFileSync(path.join(disguise.publicFolder, name), "utf8");
  expect(read("source2020/train/metadata.json")).toBe("{}");
  // Files in folders are often named by ids, which must come back as they are.
  expect(read("source2020/train/images/nybg_1.jpg")).toBe("x");
  expect(read("source_notes.csv")).toBe("column_001,Id\nsource2020/train/images/nybg_1.jpg,nybg_1\n");
  expect(read("description.md")).toContain(
    "See `source2020/train/metadata.json`, `source_notes.csv` and `source2020/`.",
  );
  expect(`${disguise.name}${disguise.publicFolder.slice(data.length)}`).not.toMatch(/herbarium|nybg/i);
});

test("a header comes back as it was, whatever its names", () => {
  const name = fc
    .string({ minLength: 1, maxLength: 8 })
    .filter((text) => !/[\r\n]/.test(text) && text.trim() === text);
  fc.assert(
    fc.property(fc.uniqueArray(name, { minLength: 1, maxLength: 6 }), (names) => {
      const line = names.map((one) => (/[",]/.test(one) ? `"${one.replaceAll('"', '""')}"` : one)).join(",");
      fc.pre(
        headerCells(line)?.join("\u0000") === names.join("\u0000") &&
          !names.some((one) => one.startsWith("column_")),
      );
      const there = new Map(names.map((one, i) => [one, `column_${i}`]));
      const back = new Map(names.map((one, i) => [`column_${i}`, one]));
      expect(headerCells(renameHeader(renameHeader(line, there), back))).toEqual(names);
    }),
  );
  expect(renameHeader("a,b\r", new Map([["b", "c"]]))).toBe("a,c\r");
  expect(renameHeader('a,"b', new Map([["a", "c"]]))).toBe('a,"b');
});
