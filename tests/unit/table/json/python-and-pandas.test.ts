import fc from "fast-check";
import { expect, test } from "vitest";
import { pandasJson, pandasJsonFloat } from "../../../../src/table/json/pandas-json.ts";
import { readJson } from "../../../../src/table/json/reader.ts";
import type { JsonValue } from "../../../../src/table/json/value.ts";
import { pythonJson, writePythonJson } from "../../../../src/table/json/writer.ts";
import { compareCodePoints } from "../../../../src/table/rows/code-point-order.ts";

function value(text: string, dialect: "python" | "pandas" = "python"): JsonValue {
  const outcome = readJson(text, dialect);
  if (!outcome.ok) throw new Error(`${outcome.problem} at ${outcome.offset}`);
  return outcome.value;
}

test("integers are bigints of any size and floats are numbers", () => {
  expect(value("[1, 1.0, -0, -0.0, 1e5, 1E400, 11050272706755206784, NaN, Infinity, -Infinity]")).toEqual([
    1n,
    1,
    0n,
    -0,
    100000,
    Number.POSITIVE_INFINITY,
    11050272706755206784n,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    Number.NEGATIVE_INFINITY,
  ]);
});

test("key order is kept, also of keys that look like integers, and a repeated key keeps its first place", () => {
  const object = value('{"10": 1, "9": 2, "__proto__": 3, "10": 4}') as Map<string, JsonValue>;
  expect([...object]).toEqual([
    ["10", 4n],
    ["9", 2n],
    ["__proto__", 3n],
  ]);
});

test("escapes are decoded, unpaired surrogates included", () => {
  expect(value('"\\u00e9\\ud83d\\ude00\\/\\b\\f\\n\\r\\t\\"\\\\\\ud800"')).toBe('é😀/\b\f\n\r\t"\\\ud800');
});

test("long strings are decoded like short ones, whatever is in them", () => {
  const piece = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom('"', "\\", '\\"', "/", "\n", "\ud800", "é"),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 40 }), fc.boolean(), (pieces, padded) => {
      const text = `${padded ? "x".repeat(70) : ""}${pieces.join("")}`;
      expect(value(`[${JSON.stringify(text)}, ${pythonJson(text)}, ${pandasJson(text)}]`)).toEqual([
        text,
        text,
        text,
      ]);
    }),
  );
});

test.each([
  ["a raw control character", "\u0001", 101, "a control character inside a string"],
  ["an escape JSON does not know", "\\x", 101, "not an escape JSON knows"],
  ["half an escape", "\\u00", 101, "not an escape JSON knows"],
])("%s in a long string is found at its place", (_, bad, offset, problem) => {
  expect(readJson(`"${"x".repeat(100)}${bad}${"y".repeat(100)}"`)).toEqual({ ok: false, problem, offset });
});

test("a long string that never ends is malformed", () => {
  expect(readJson(`"${"x".repeat(100)}\\"`)).toMatchObject({ ok: false, problem: "a string is not closed" });
});

test("top-level scalars and blanks around are legal", () => {
  expect(value(" null\n")).toBeNull();
  expect(value("\t[ ]\r")).toEqual([]);
  expect(value("false")).toBe(false);
});

test.each([
  ["", 0, "expected a value"],
  ["[1,]", 3, "expected a value"],
  ['{"a":1,}', 7, "expected a key in double quotes"],
  ["{'a':1}", 1, "expected a key in double quotes"],
  ['{"a" 1}', 5, "expected a colon after the key"],
  ["[1 2]", 3, "expected a comma or a closing bracket"],
  ["[1}", 2, "expected a comma or a closing bracket"],
  ["[1", 2, "expected a comma or a closing bracket"],
  ["01", 1, "more text after the value"],
  ["1.", 1, "more text after the value"],
  ["-", 0, "expected a value"],
  ["tru", 0, "expected a value"],
  ["\ufeff1", 0, "expected a value"],
  ['"a', 2, "a string is not closed"],
  ['"a\nb"', 2, "a control character inside a string"],
  ['"\\x41"', 1, "not an escape JSON knows"],
  ['"\\u12g4"', 1, "not an escape JSON knows"],
  ["9".repeat(4301), 0, "an integer of too many digits"],
])("%j is malformed at character %i", (text, offset, problem) => {
  expect(readJson(text)).toEqual({ ok: false, problem, offset });
});

test("a text nested a hundred thousand levels deep is refused, not a crash", () => {
  for (const opening of ["[", '{"a":', '[{"a":']) {
    expect(readJson(opening.repeat(100_000))).toMatchObject({ ok: false, problem: "nested too deeply" });
  }
  const deepest = "[".repeat(990) + "]".repeat(990);
  expect(pythonJson(value(deepest))).toBe(deepest);
  expect(pandasJson(value(deepest))).toBe(deepest);
});

test("hundreds of thousands of digits cost no more than reading them", () => {
  expect(value(`0.${"1".repeat(300_000)}`)).toBe(0.1111111111111111);
  expect(readJson("1".repeat(300_000)).ok).toBe(false);
});

test("by default Python's JSON stands on one line with blanks after commas and colons", () => {
  expect(pythonJson(value('{"b":[1,1.0,1.10,1e5,-0.0],"a":{},"c":[],"d":null}'))).toBe(
    '{"b": [1, 1.0, 1.1, 100000.0, -0.0], "a": {}, "c": [], "d": null}',
  );
  expect(pythonJson(value("[NaN, Infinity, -Infinity, 1e16, 1e-05, 1208925819614629174706176]"))).toBe(
    "[NaN, Infinity, -Infinity, 1e+16, 1e-05, 1208925819614629174706176]",
  );
});

test("indented JSON has one member a line, sorted when asked", () => {
  const text = pythonJson(value('{"b":[1,{"z":true,"y":[]}],"a":{},"":"x"}'), { indent: 4, sortKeys: true });
  expect(text).toBe(
    [
      "{",
      '    "": "x",',
      '    "a": {},',
      '    "b": [',
      "        1,",
      "        {",
      '            "y": [],',
      '            "z": true',
      "        }",
      "    ]",
      "}",
    ].join("\n"),
  );
});

test("Python escapes everything outside printable ASCII, and no slash", () => {
  expect(pythonJson('\x7f/é\u2028😀\ud800\x00\x1f"\\\b\f\n\r\t<&>')).toBe(
    '"\\u007f/\\u00e9\\u2028\\ud83d\\ude00\\ud800\\u0000\\u001f\\"\\\\\\b\\f\\n\\r\\t<&>"',
  );
});

test("keys sort by code point, emoji after the private use area", () => {
  const object = new Map([
    ["😀", 2n],
    ["\ue000", 1n],
    ["a", 3n],
  ]);
  expect(pythonJson(object, { sortKeys: true })).toBe('{"a": 3, "\\ue000": 1, "\\ud83d\\ude00": 2}');
  expect(["😁", "b", "\uffff", "😀", "", "ba"].sort(compareCodePoints)).toEqual([
    "",
    "b",
    "ba",
    "\uffff",
    "😀",
    "😁",
  ]);
});

test("a list may be produced while it is written", () => {
  function* squares() {
    for (let i = 0n; i < 4n; i++) yield i * i;
  }
  const pieces: string[] = [];
  writePythonJson(new Map([["squares", squares()]]), (piece) => pieces.push(piece));
  expect(pieces.join("")).toBe('{"squares": [0, 1, 4, 9]}');
});

test("pandas reads fractions digit by digit, not correctly rounded", () => {
  const [long, exponent, whole, wide] = value(
    "[123456.7890123456789, -2.5e-3, 7, 18446744073709551615]",
    "pandas",
  ) as [number, number, bigint, bigint];
  expect(long).toBe(123456 + 789012345678900 * 1e-15);
  expect(exponent).toBe((2 + 5 * 0.1) * -1 * 1e-3);
  expect([whole, wide]).toEqual([7n, 18446744073709551615n]);
  expect(readJson("18446744073709551616", "pandas").ok).toBe(false);
  expect(readJson("-9223372036854775809", "pandas").ok).toBe(false);
  expect(value("-9223372036854775808", "pandas")).toBe(-9223372036854775808n);
});

test("pandas writes no blanks, escapes slashes, and turns what is not finite into null", () => {
  const record = new Map<string, JsonValue>([
    ["a/b", "</P>\x7fé😀\u0001\n"],
    ["list", [1n, 1, null, true, Number.NaN, 11050272706755206784n]],
    ["empty", new Map()],
  ]);
  expect(pandasJson(record)).toBe(
    '{"a\\/b":"<\\/P>\x7f\\u00e9\\ud83d\\ude00\\u0001\\n","list":[1,1.0,null,true,null,11050272706755206784],"empty":{}}',
  );
});

test.each([
  [1, "1.0"],
  [0.3297, "0.3297"],
  [-0.00004, "-0.00004"],
  [-0, "0.0"],
  [0.99999999999, "1.0"],
  [0.00000000025, "0.0000000002"],
  [0.00000000005, "0.0000000001"],
  [1e-5, "0.00001"],
  [2500, "2500.0"],
  [1e-16, "1e-16"],
  [1e16, "10000000000000000.0"],
  [10000000000000002, "1e+16"],
  [123456.7890123457, "123456.7890123457"],
  [1 / 2 ** 11, "0.0004882812"],
  [3 / 2 ** 11, "0.0014648438"],
])("pandas writes %s as %s", (number, expected) => {
  expect(pandasJsonFloat(number)).toBe(expected);
});
