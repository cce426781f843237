import { describe, expect, test } from "vitest";
import { alignWords } from "../../../src/starter/fields/pronunciation/align.ts";
import { jointSequences } from "../../../src/starter/fields/pronunciation/joint.ts";
import { averagedPerceptron } from "../../../src/starter/fields/pronunciation/perceptron.ts";
import { joinSounds, meanDistance } from "../../../src/starter/fields/pronunciation/speller.ts";
import { byEnding, contextTables, memory } from "../../../src/starter/fields/pronunciation/tables.ts";

const dictionary: Record<string, string> = {
  ...{ cat: "K AE T", city: "S IH T IY", cot: "K AA T", cit: "S IH T", fix: "F IH K S", fox: "F AA K S" },
  ...{ tax: "T AE K S", phot: "F AA T", phat: "F AE T", that: "DH AE T", hat: "HH AE T", hit: "HH IH T" },
  ...{
    pat: "P AE T",
    pit: "P IH T",
    pot: "P AA T",
    cap: "K AE P",
    cip: "S IH P",
    fit: "F IH T",
    fat: "F AE T",
  },
};
const words = Object.keys(dictionary);
const aligned = alignWords(
  words,
  words.map((word) => dictionary[word].split(" ")),
);

describe("alignment", () => {
  test.each([
    ["fox", ["F", "AA", "K S"]],
    ["city", ["S", "IH", "T", "IY"]],
    ["cot", ["K", "AA", "T"]],
  ])("%s", (word, chunks) => {
    expect(aligned.find((one) => one.word === word)?.chunks).toEqual(chunks);
  });

  test("the sounds of all letters are those of the word", () => {
    for (const { word, chunks } of aligned) expect(joinSounds(chunks)).toBe(dictionary[word]);
  });

  test("a word with more sounds than fit is left out", () => {
    expect(alignWords(["tv"], [["T", "IY", "V", "IY", "Z"]])).toEqual([]);
  });
});

describe("spellers", () => {
  const tables = { left: 1, right: 1, order: "in turn", least: 1, mixed: false } as const;
  test.each([
    ["tables", contextTables(tables)],
    ["mixed tables", contextTables({ ...tables, mixed: true })],
    ["joint sequences", jointSequences({ order: 3, discount: 0.5, beam: 4 })],
    ["memory", memory({ k: 1, reach: 2, decay: 0.5 })],
    ["perceptron", averagedPerceptron({ reach: 2, width: 2, history: 1, passes: 12, seed: 1 })],
  ])("%s tell a c before i from a c before a, in words never seen", (_, speller) => {
    const spell = speller(aligned);
    expect(joinSounds(spell("cix"))).toBe("S IH K S");
    expect(joinSounds(spell("cax"))).toBe("K AE K S");
  });

  test("an ending is said as in a known word", () => {
    expect(joinSounds(byEnding(3)(aligned)("pcity"))).toBe("P S IH T IY");
  });

  test("the distance counts phonemes, not letters", () => {
    const one = aligned.filter(({ word }) => word === "that");
    expect(meanDistance(one, () => ["DH", "IY", "T"])).toBe(1);
  });

  test("no word is silent", () => {
    expect(joinSounds(["", ""])).not.toBe("");
  });
});
