import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parseSize, sizeText } from "../../../src/wording/sizes.ts";

describe("a size", () => {
  test.each([
    ["16GB", 16e9],
    ["16GiB", 2 ** 34],
    ["16 gib", 2 ** 34],
    ["16G", 2 ** 34],
    ["440g", 440 * 2 ** 30],
    ["1.5kB", 1500],
    ["512MiB", 2 ** 29],
    ["2TB", 2e12],
    ["12", 12],
    ["12 bytes", 12],
  ])("written %s is read as %d bytes", (text, bytes) => expect(parseSize(text)).toBe(bytes));

  test.each(["", "GB", "-1GB", "0", "1 2GB", "16GBit", "16XB", "1e9", "1,5GB", "0.1b", "99999999PB"])(
    "written %j is not one",
    (text) => expect(parseSize(text)).toBeNull(),
  );

  test.each([
    [0, "0 bytes"],
    [999, "999 bytes"],
    [1000, "1 kB"],
    [1024, "1 KiB"],
    [1023, "1023 bytes"],
    [16e9, "16 GB"],
    [2 ** 34, "16 GiB"],
    [440 * 2 ** 30, "440 GiB"],
    [123_456_789, "118 MiB"],
    [2 ** 40 - 1, "1024 GiB"],
  ])("of %d bytes is printed as %s", (bytes, text) => expect(sizeText(bytes)).toBe(text));

  test("that is printed can be read again, to the three digits that are printed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 52 }), (bytes) => {
        const again = parseSize(sizeText(bytes));
        expect(Math.abs(again! - bytes) / bytes).toBeLessThan(0.0051);
      }),
    );
  });

  test("in whole units of either kind survives being printed and read exactly", () => {
    const units = ["kB", "KiB", "MB", "MiB", "GB", "GiB", "TB", "TiB"];
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 999 }), fc.constantFrom(...units), (count, unit) => {
        const bytes = parseSize(`${count}${unit}`)!;
        expect(parseSize(sizeText(bytes))).toBe(bytes);
      }),
    );
  });
});
