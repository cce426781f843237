import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { readJsonLines } from "../../../../src/table/json/lines.ts";
import type { JsonValue } from "../../../../src/table/json/value.ts";

const folder = mkdtempSync(join(tmpdir(), "json-lines-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function read(content: string | Buffer, longestLine?: number) {
  const path = join(folder, "lines.jsonl");
  writeFileSync(path, content);
  const values: JsonValue[] = [];
  for (const line of readJsonLines(path, longestLine)) {
    if (!line.ok) return { values, problem: line.problem };
    values.push(line.value);
  }
  return { values, problem: null };
}

describe("a file of JSON lines", () => {
  it.each([
    ["no line at all", "", []],
    ["a last line without a line feed", "1\n2", [1n, 2n]],
    ["lines that end as on Windows", '"a"\r\n"b"\r\n', ["a", "b"]],
    ["characters of several bytes", '"é€😀"\n', ["é€😀"]],
  ])("with %s is read", (_, content, values) => {
    expect(read(content)).toEqual({ values, problem: null });
  });

  it("gives back lines of any length, across the borders of what is read at once", () => {
    const size = fc.oneof(fc.nat(20), fc.nat(1 << 12), fc.nat(3 << 20));
    fc.assert(
      fc.property(fc.array(size, { maxLength: 6 }), (sizes) => {
        const texts = sizes.map((length, i) => String(i).repeat(length));
        const content = texts.map((text) => `${JSON.stringify(text)}\n`).join("");
        return read(content).values.every((value, i) => value === texts[i]);
      }),
      { numRuns: 20 },
    );
  });

  it("accepts a line of exactly the limit and stops at a longer one", () => {
    expect(read('"abc"\n"abc"', 5)).toEqual({ values: ["abc", "abc"], problem: null });
    expect(read('"abc"\n"abcd"\n1', 5)).toMatchObject({
      values: ["abc"],
      problem: { code: "FIELD_TOO_LONG", row: 2 },
    });
  });

  it.each([
    ["an empty line", "1\n\n2\n", "UNREADABLE", 2],
    ["something that is not JSON", "1\n{\n", "UNREADABLE", 2],
    ["two values in one line", "1 2\n", "UNREADABLE", 1],
    ["bytes that are no UTF-8", Buffer.from([0x31, 10, 0x22, 0xff, 0x22, 10]), "NOT_UTF8", 2],
  ])("ends at %s and names the line", (_, content, code, row) => {
    expect(read(content).problem).toMatchObject({ code, row });
  });

  it("that does not exist is a problem, not an exception", () => {
    const [line] = readJsonLines(join(folder, "absent.jsonl"));
    expect(line).toMatchObject({ ok: false, problem: { code: "UNREADABLE" } });
  });
});
