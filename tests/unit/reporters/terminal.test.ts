import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { publishedRows } from "../../../src/analysis/standings/published.ts";
import type { Standings } from "../../../src/analysis/standings/schema.ts";
import { standingsLines } from "../../../src/reporters/standings/formats.ts";
import { foldLine } from "../../../src/reporters/text/fold-line.ts";

const RED = `${String.fromCharCode(27)}[31m`;
const PLAIN = `${String.fromCharCode(27)}[39m`;

describe("a long line", () => {
  test("breaks between words, and goes on further in", () => {
    expect(foldLine("  one two three four", 12)).toEqual(["  one two", "    three", "    four"]);
  });

  test("is as long as it looks: colours take no room", () => {
    const line = `${RED}one${PLAIN} two`;
    expect(foldLine(line, 7)).toEqual([line]);
    expect(foldLine(line, 6)).toEqual([`${RED}one${PLAIN}`, "  two"]);
  });

  test("keeps all its words, none beyond the width unless it is longer by itself", () => {
    const words = fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(
        words,
        fc.integer({ min: 13, max: 40 }),
        fc.integer({ min: 0, max: 2 }),
        (all, width, margin) => {
          const folded = foldLine(" ".repeat(margin) + all.join(" "), width);
          expect(folded.join(" ").trim().split(/ +/)).toEqual(all);
          for (const line of folded) expect(line.length).toBeLessThanOrEqual(width);
        },
      ),
    );
  });
});

describe("standings on a terminal", () => {
  const standings: Standings = {
    schema: "mlebench/standings",
    version: 1,
    createdAt: "",
    mlebenchVersion: "",
    rows: publishedRows(),
  };
  const tableOf = (width: number) => {
    const lines = standingsLines(standings, (_, text) => text, width);
    return lines.slice(0, lines.indexOf(""));
  };

  test.each([80, 100, 120, 160])("fit into %d columns", (width) => {
    for (const line of tableOf(width)) expect(line.length).toBeLessThanOrEqual(width);
  });

  test("show more where there is more room, and name what is left out", () => {
    expect(tableOf(80)[0]).not.toContain("Trust");
    expect(tableOf(120)[0]).toContain("Trust");
    expect(tableOf(Number.POSITIVE_INFINITY)[0]).toContain("Models");
    const [note] = standingsLines(standings, (_, text) => text, 80).slice(-1);
    expect(note).toMatch(/^not shown: Models, .*Trust.*--format markdown/);
  });
});
