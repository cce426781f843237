import fc from "fast-check";
import { expect, test } from "vitest";
import { fixedText, float32Text, generalText } from "../../src/table/cells/float-format.ts";
import { csvField, csvRow } from "../../src/table/csv/writer.ts";
import { pandasJson } from "../../src/table/json/pandas-json.ts";
import { readJson } from "../../src/table/json/reader.ts";
import type { JsonValue } from "../../src/table/json/value.ts";
import { pythonJson } from "../../src/table/json/writer.ts";
import { compareCodePoints } from "../../src/table/rows/code-point-order.ts";

const anyText = fc.string({ unit: "binary", maxLength: 12 });
const moderate = fc.double({ noNaN: true, min: -1e300, max: 1e300 });
const jsonValue = fc.letrec<{ node: JsonValue }>((tie) => ({
  node: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constant(null),
    fc.boolean(),
    anyText,
    fc.double(),
    fc.bigInt(),
    fc.array(tie("node")),
    fc.array(fc.tuple(anyText, tie("node"))).map((entries) => new Map(entries)),
  ),
})).node;

test("whatever Python's writer prints reads back the same, whatever the layout", () => {
  fc.assert(
    fc.property(jsonValue, fc.constantFrom({}, { indent: 4 }), (value, style) => {
      expect(readJson(pythonJson(value, style))).toEqual({ ok: true, value });
    }),
  );
});

test("what pandas' writer prints is JSON with the same strings", () => {
  fc.assert(
    fc.property(fc.array(anyText), (texts) => {
      expect(JSON.parse(pandasJson(texts))).toEqual(texts);
    }),
  );
});

test("the reader accepts what JSON.parse accepts and never throws", () => {
  const fragment = fc.constantFrom(
    ...'{}[],:"\\-+.0123eE \n\tau\u0001'.split(""),
    "true",
    "null",
    '"a":',
    "[1,",
    "1.5",
  );
  fc.assert(
    fc.property(
      fc.oneof(
        fc.json(),
        fc.array(fragment).map((parts) => parts.join("")),
      ),
      (text) => {
        const outcome = readJson(text);
        let isJson = true;
        try {
          JSON.parse(text);
        } catch {
          isJson = false;
        }
        expect(outcome.ok).toBe(isJson);
      },
    ),
    { numRuns: 2000 },
  );
});

test("a row of CSV fields reads back by the quoting rules", () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1 }), (texts) => {
      expect(fieldsOf(csvRow(texts.map((text) => csvField(text))))).toEqual(texts);
    }),
  );
});

test("numbers keep as many digits as their format promises", () => {
  fc.assert(
    fc.property(moderate, (value) => {
      expect(Math.abs(Number(generalText(value, 10)) - value)).toBeLessThanOrEqual(Math.abs(value) * 1e-9);
      if (Math.abs(value) < 1e6) expect(Math.abs(Number(fixedText(value, 10)) - value)).toBeLessThan(1e-9);
    }),
  );
  fc.assert(
    fc.property(fc.float({ noNaN: true, noDefaultInfinity: true }), (value) => {
      expect(Math.fround(Number(float32Text(value)))).toBe(value);
    }),
  );
});

test("code-point order is the order of UTF-8 bytes", () => {
  fc.assert(
    fc.property(anyText, anyText, (a, b) => {
      expect(Math.sign(compareCodePoints(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
    }),
  );
});

/** The fields of one row, by the plainest reading of the rules: a quoted field starts with a quote, doubled quotes are one. */
function fieldsOf(row: string): string[] {
  const fields = `,${row.slice(0, -1)}`.match(/,(?:"(?:[^"]|"")*"|[^,]*)/g) ?? [];
  return fields.map((field) =>
    field.startsWith(',"') ? field.slice(2, -1).replaceAll('""', '"') : field.slice(1),
  );
}
