import fs from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { namesSource, rewriteJson } from "../../../../src/data/disguise/json-values.ts";
import { anyWord } from "../../../../src/data/disguise/text.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const folder = temporaryFolder();
const PATTERN = anyWord(["New York Botanical Garden", "iNaturalist"]);

function rewritten(text: string): string {
  const from = writeText(folder, "from.json", text);
  const to = path.join(folder, "to.json");
  rewriteJson(from, to, PATTERN);
  return fs.readFileSync(to, "utf8");
}

test("prose and bare names lose the source; keys, ids and names of files stay", () => {
  const shown = rewritten(
    JSON.stringify({
      info: { contributor: "iNaturalist", text: 'The "New York Botanical Garden" asks' },
      iNaturalist: 1,
      images: [{ id: "iNaturalist_7", file_name: "iNaturalist-8.jpg" }],
    }),
  );
  expect(JSON.parse(shown)).toEqual({
    info: { contributor: "source", text: 'The "source" asks' },
    iNaturalist: 1,
    images: [{ id: "iNaturalist_7", file_name: "iNaturalist-8.jpg" }],
  });
});

test("wherever a piece ends, a word across it is found and a key across it stays", () => {
  const PIECE = 2 ** 22;
  for (const before of [PIECE - 30, PIECE - 14, PIECE - 3, PIECE - 1, PIECE, 2 * PIECE - 9]) {
    for (const tail of ['"iNaturalist"', '"é of iNaturalist"', '"iNaturalist" : 5']) {
      const filler = `"${"é".repeat((before - 8) / 2 - 40)}",${"1,".repeat(40)}`;
      const text = `{"a":[${filler}${tail.includes(":") ? `{${tail}}` : tail}]}`;
      expect(namesSource(writeText(folder, "long.json", text), PATTERN)).toBe(true);
      const expected = tail.includes(":") ? text : text.replace("iNaturalist", "source");
      expect(rewritten(text) === expected, `${before} ${tail}`).toBe(true);
    }
  }
});

test("any JSON stays JSON, and what does not name the source stays to the byte", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(rewritten(text)).toBe(text);
    }),
    { numRuns: 300 },
  );
  expect(rewritten('not "JSON')).toBe('not "JSON');
  expect(namesSource(writeText(folder, "none.json", "{}"), PATTERN)).toBe(false);
});
