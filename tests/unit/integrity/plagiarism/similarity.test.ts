import { FingerprintIndex } from "@dodona/dolos-core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { printOf, sharedPassages, similarityOf } from "../../../../src/integrity/plagiarism/similarity.ts";
import { tokenHash, winnow } from "../../../../src/integrity/plagiarism/winnow.ts";
import { dolosTokens, tokenisedFile } from "./dolos.ts";
import { pairs } from "./pairs.ts";
import recorded from "./recorded-from-dolos.json" with { type: "json" };

async function ours(left: { name: string; text: string }, right: { name: string; text: string }) {
  const [a, b] = [await printOf(left.name, left.text), await printOf(right.name, right.text)];
  if (a.status === "skipped" || b.status === "skipped") throw new Error("a file was skipped");
  return similarityOf(a.printed, b.printed).similarity;
}

async function dolos(left: { name: string; text: string }, right: { name: string; text: string }) {
  const index = new FingerprintIndex(23, 17);
  const files = [
    tokenisedFile(left.name, await dolosTokens(left)),
    tokenisedFile(right.name, await dolosTokens(right)),
  ];
  index.addFiles(files);
  return index.allPairs()[0].similarity;
}

describe("similarities are those of Dolos' own index", () => {
  test.each(pairs().map((pair) => [pair.name, pair] as const))("%s", async (_, { left, right }) => {
    expect(Math.abs((await ours(left, right)) - (await dolos(left, right)))).toBeLessThanOrEqual(1e-12);
  });

  test("at least thirty pairs are compared, of all kinds", () => {
    expect(pairs().length).toBeGreaterThanOrEqual(30);
  });
});

describe("similarities are within 0.01 of those that Dolos itself gave, parsers and all", () => {
  test.each(pairs().map((pair) => [pair.name, pair] as const))("%s", async (name, { left, right }) => {
    const theirs = (recorded.similarities as Record<string, number>)[name];
    expect(Math.abs((await ours(left, right)) - theirs)).toBeLessThanOrEqual(0.01);
  });
});

test("any row of tokens has Dolos' fingerprints", () => {
  const token = fc.constantFrom("(", ")", "call", "block", "identifier", "if_statement", "string");
  fc.assert(
    fc.property(fc.array(token, { maxLength: 400 }), (tokens) => {
      const index = new FingerprintIndex(23, 17);
      index.addFiles([tokenisedFile("a", tokens)]);
      const theirs = index.entries()[0].kgrams.map(({ from }) => from);
      expect([...winnow(hashesOf(tokens)).starts]).toEqual(theirs);
    }),
    { numRuns: 200 },
  );
});

test("what was renamed is the same, what is unrelated is not, and order hardly matters", async () => {
  const of = async (name: string) => {
    const { left, right } = pairs().find((pair) => pair.name === name)!;
    return ours(left, right);
  };
  expect(await of("boosting.py: copy")).toBe(1);
  expect(await of("boosting.py: renamed")).toBe(1);
  expect(await of("words.py: comments and blank lines removed")).toBe(1);
  expect(await of("boosting.py: reordered")).toBeGreaterThan(0.8);
  expect(await of("boosting.py: renamed, reordered, dead code")).toBeGreaterThan(0.6);
  expect(await of("boosting.py: unrelated network")).toBeLessThan(0.3);
  expect(await of("boosting.py: nothing")).toBe(0);
});

test("the passages that two files share stand side by side, with their lines", async () => {
  const { left, right } = pairs().find(({ name }) => name === "boosting.py: half of each")!;
  const passages = await sharedPassages(left, right);
  expect(passages.length).toBeGreaterThan(0);
  const [first] = passages;
  expect(first.left.text).toContain("def ");
  expect(first.left.text.split("\n").length).toBe(first.left.to - first.left.from + 1);
  expect(right.text).toContain(first.right.text.split("\n")[1]);
});

function hashesOf(tokens: readonly string[]): Int32Array {
  return Int32Array.from(tokens.map(tokenHash));
}
