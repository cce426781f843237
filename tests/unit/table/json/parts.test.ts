import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type JsonPart, readJsonParts } from "../../../../src/table/json/parts.ts";

const folder = mkdtempSync(join(tmpdir(), "mlebench-json-"));
afterAll(() => rmSync(folder, { recursive: true }));

function parts(content: string | Buffer, encoding?: "utf8" | "latin1"): JsonPart[] {
  const path = join(folder, "input.json");
  writeFileSync(path, content);
  return [...readJsonParts(path, encoding)];
}

test("lists come element by element and other members whole", () => {
  const text =
    ' { "images" : [ {"id":1, "name":"a,]}\\""} , [2.0,[ ]] ], "info":{"y":[1]}, "none" : [ ] , "n":3 } \n';
  expect(parts(text)).toEqual([
    { kind: "list", key: "images" },
    {
      kind: "element",
      key: "images",
      value: new Map<string, unknown>([
        ["id", 1n],
        ["name", 'a,]}"'],
      ]),
    },
    { kind: "element", key: "images", value: [2, []] },
    { kind: "member", key: "info", value: new Map([["y", [1n]]]) },
    { kind: "list", key: "none" },
    { kind: "member", key: "n", value: 3n },
  ]);
});

test("a file that is a list has elements without a key", () => {
  expect(parts("[1, null]")).toEqual([
    { kind: "list", key: "" },
    { kind: "element", key: "", value: 1n },
    { kind: "element", key: "", value: null },
  ]);
  expect(parts("{}")).toEqual([]);
});

test("a file many times larger than the buffer comes out whole", () => {
  const names = Array.from({ length: 300_000 }, (_, i) => `ünï\\u0041"${i}`);
  const values = parts(JSON.stringify(["x".repeat(9_000_000), ...names])).slice(2);
  expect(values.map((part) => part.kind === "element" && part.value)).toEqual(names);
});

test("Latin-1 decoding turns UTF-8 pairs into two characters", () => {
  expect(parts('["é"]', "latin1").at(-1)).toEqual({ kind: "element", key: "", value: "Ã©" });
});

test.each([
  ["", "expected a list or an object"],
  ["3", "expected a list or an object"],
  ["[1,]", "expected a value"],
  ["[1", "the text ends too early"],
  ['["a', "the text ends too early"],
  ['["a\\', "the text ends too early"],
  ["[1] 2", "more text after the value"],
  ["[1}", "the text ends too early"],
  ['{"a":[1]]', "expected a comma or a closing bracket"],
  ['{"a":1,}', "the text ends too early"],
  ['{1:"a"}', "expected a key in double quotes"],
  ['{"a":}', "expected a value"],
])("%j ends in a malformed piece", (text, problem) => {
  expect(parts(text).at(-1)).toEqual({ kind: "malformed", problem });
});
