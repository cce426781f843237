import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson, valueDigest } from "../../../src/trials/certificate/canonical-json.ts";

test("has sorted keys, no blanks, and nothing of what is undefined", () => {
  const value = { b: [1, undefined, { d: null, c: "é\n" }], a: undefined, aa: {}, "": [] };
  expect(canonicalJson(value)).toBe('{"":[],"aa":{},"b":[1,null,{"c":"é\\n","d":null}]}');
});

test("is the same value, and the same text whatever order its keys came in", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = canonicalJson(value);
      expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(canonicalJson(reversed(JSON.parse(text)))).toBe(text);
    }),
  );
});

test("has a digest however deep somebody else's record is nested, and however wide", () => {
  const deep = JSON.parse(`${"[".repeat(100_000)}${"]".repeat(100_000)}`);
  expect(canonicalJson(deep)).toHaveLength(200_000);
  expect(valueDigest(JSON.parse(`${'{"a":'.repeat(50_000)}1${"}".repeat(50_000)}`))).toMatch(
    /^[0-9a-f]{64}$/,
  );
  expect(canonicalJson(Array(300_000).fill(1))).toHaveLength(600_001);
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, item]) => [key, reversed(item)]),
  );
}
