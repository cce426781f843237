import { expect, test } from "vitest";
import { learnTranscriber } from "../../../../src/agents/baseline/solvers/transcriber.ts";
import { alignWords } from "../../../../src/agents/baseline/validation/alignment.ts";

const SOUNDS: Record<string, string> = { a: "AH", b: "B", d: "D", s: "S", t: "T", x: "K S", e: "" };
const WORDS = [
  "bad",
  "sad",
  "tax",
  "dab",
  "bat",
  "sat",
  "stab",
  "date",
  "base",
  "taxes",
  "axe",
  "tab",
  "bed",
  "baste",
];
const pair = (word: string) => ({
  letters: [...word],
  outputs: [...word].flatMap((letter) => SOUNDS[letter].split(" ").filter((sound) => sound !== "")),
});

test("a letter with two sounds and a silent one are aligned as such", () => {
  const aligned = alignWords(WORDS.map(pair));
  expect(aligned[WORDS.indexOf("tax")]).toEqual(["T", "AH", "K S"]);
  expect(aligned[WORDS.indexOf("date")]).toEqual(["D", "AH", "T", ""]);
});

test("a word with more sounds than its letters can carry is left out", () => {
  expect(alignWords([{ letters: ["a"], outputs: ["X", "Y", "Z"] }])).toEqual([null]);
});

test("a word never seen is written by the rules of its letters", () => {
  const transcribe = learnTranscriber(WORDS.map(pair));
  expect(transcribe([..."stax"], { caution: 1, memory: 0.5 })).toEqual(["S", "T", "AH", "K", "S"]);
});

test("a letter never seen is skipped", () => {
  const transcribe = learnTranscriber(WORDS.map(pair));
  expect(transcribe([..."bäd"], { caution: 1, memory: 0.5 })).toEqual(["B", "D"]);
});
