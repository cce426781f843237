import fc from "fast-check";
import { expect, test } from "vitest";
import { textColumn } from "../../../../src/table/columns/make-column.ts";
import { introsortOrder } from "../../../../src/table/rows/introsort.ts";
import { sortedRows } from "../../../../src/table/rows/sort-rows.ts";

/** Fewer are sorted in another way. */
const MANY = 129;

// "id" is nothing but what all texts share, so that its key is zero.
const SHARED = "id";
const often = fc.array(
  fc.constantFrom(SHARED, "id\u0000", "id0", "id1", "id10", "id-0000001", "id-0000002", "idé"),
  {
    minLength: MANY,
    maxLength: 3 * MANY,
  },
);
/** None is there twice but the shared beginning. */
const once = fc
  .uniqueArray(fc.integer({ min: 0, max: 10_000 }), { minLength: MANY, maxLength: 2 * MANY })
  .chain((numbers) => {
    const texts = [...numbers.map((number) => `id${number}`), ...Array.from({ length: 20 }, () => SHARED)];
    return fc.shuffledSubarray(texts, { minLength: texts.length, maxLength: texts.length });
  });

test.each([
  ["texts that repeat", often],
  ["the text that all others begin with, there more than once,", once],
])("%s stand as numpy's sort leaves them", (_, lists) => {
  fc.assert(
    fc.property(lists, (texts) => {
      const bytes = texts.map((text) => Buffer.from(text));
      const ascending = bytes.every((text, i) => i === 0 || Buffer.compare(bytes[i - 1], text) <= 0);
      fc.pre(!ascending);
      const expected = introsortOrder(texts.length, (a, b) => Buffer.compare(bytes[a], bytes[b]) < 0);
      expect(sortedRows(textColumn("id", texts))).toEqual(expected);
    }),
  );
});
