import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fittedTable, textTable, visibleLength } from "../../../src/reporters/text/table.ts";

const ROWS = [
  ["name", "score", "what there is to say about it"],
  ["starter-spam", "0.14698", "bubblewrap, isolated, network none, not a language model's result"],
];

describe("a table within a width", () => {
  it("is the plain table where there is room", () => {
    expect(fittedTable(ROWS, { right: [1], width: Number.POSITIVE_INFINITY })).toEqual(textTable(ROWS, [1]));
  });

  it("breaks cells between words, and keeps their column", () => {
    expect(fittedTable(ROWS, { right: [1], width: 50 })).toEqual([
      "name            score  what there is to say about",
      "                       it",
      "starter-spam  0.14698  bubblewrap, isolated,",
      "                       network none, not a",
      "                       language model's result",
    ]);
  });

  it("leaves columns out where words would have to be broken, and says which", () => {
    const lines = fittedTable(ROWS, { right: [1], width: 25, drop: [2] });
    expect(lines).toEqual([
      "name            score",
      "starter-spam  0.14698",
      "(no room for: what there is to say about it)",
    ]);
  });

  it("never loses a word, and is as narrow as its longest words allow", () => {
    const word = fc.stringMatching(/^[a-z]{1,9}$/);
    const cell = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join(" "));
    const table = fc.array(fc.tuple(cell, cell, cell), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(table, fc.integer({ min: 31, max: 90 }), (rows, width) => {
        const lines = fittedTable(rows, { right: [1], width });
        expect(Math.max(...lines.map(visibleLength))).toBeLessThanOrEqual(width);
        const words = (texts: readonly string[]) => texts.join(" ").split(/ +/).filter(Boolean).sort();
        expect(words(lines)).toEqual(words(rows.flat()));
      }),
    );
  });

  it("gives every line of a painted cell its colour", () => {
    const red = `${String.fromCharCode(27)}[31m`;
    const plain = `${String.fromCharCode(27)}[39m`;
    const lines = fittedTable([["a", `${red}one two${plain}`]], { right: [], width: 7 });
    expect(lines).toEqual([`a  ${red}one${plain}`, `   ${red}two${plain}`]);
  });
});
