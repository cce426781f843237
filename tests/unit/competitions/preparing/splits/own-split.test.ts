import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type OwnSplitRequest,
  ownSplit,
  timesOf,
} from "../../../../../src/competitions/preparing/splits/own-split.ts";
import { readCsvBytes } from "../../../../../src/table/csv/reader.ts";

const keyed = fc.record({
  keys: fc.array(fc.constantFrom("a", "b", "c", "d", "e"), { minLength: 2, maxLength: 60 }),
  testSize: fc.double({ min: 0.05, max: 0.95, noNaN: true }),
  seed: fc.nat(1000),
});

function request(
  { keys, testSize, seed }: { keys: string[]; testSize: number; seed: number },
  by: OwnSplitRequest["by"],
): OwnSplitRequest {
  // Every seventh row has no target.
  const rows = keys.flatMap((_, row) => (row % 7 === 6 ? [] : [row]));
  return { rows, sourceRows: keys.length, testSize, seed, by };
}

/** Runs the split twice and checks what holds for every rule; null where it refuses. */
function checked(asked: OwnSplitRequest) {
  const split = ownSplit(asked);
  expect(ownSplit(asked)).toEqual(split);
  if (typeof split === "string") return null;
  expect([...split.train, ...split.test].sort((a, b) => a - b)).toEqual([...asked.rows]);
  const numbers = asked.rows.map((row) => split.numbers[row]).sort((a, b) => a - b);
  expect(numbers).toEqual(asked.rows.map((_, i) => i + 1));
  return split;
}

describe("splitting a table", () => {
  it("uses each row once, test having the share asked for", () => {
    fc.assert(
      fc.property(keyed, (input) => {
        const asked = request(input, { kind: "rows" });
        const split = checked(asked);
        if (split)
          expect(split.test.length).toBe(Math.max(1, Math.round(input.testSize * asked.rows.length)));
      }),
    );
  });

  it("has every class that can be split on both sides", () => {
    fc.assert(
      fc.property(keyed, (input) => {
        const { keys } = input;
        const split = checked(request(input, { kind: "classes", keys }));
        if (!split) return;
        const [train, test] = [split.train, split.test].map((rows) => Array.from(rows, (row) => keys[row]));
        for (const label of new Set([...train, ...test])) {
          expect(train).toContain(label);
          if (train.filter((one) => one === label).length > 1) expect(test).toContain(label);
        }
      }),
    );
  });

  it("never has a group on both sides", () => {
    fc.assert(
      fc.property(keyed, (input) => {
        const { keys } = input;
        const split = checked(request(input, { kind: "group", keys }));
        if (!split) return;
        const train = new Set(Array.from(split.train, (row) => keys[row]));
        expect(Array.from(split.test, (row) => keys[row]).filter((key) => train.has(key))).toEqual([]);
      }),
    );
  });

  it("has test strictly after train", () => {
    fc.assert(
      fc.property(keyed, fc.array(fc.nat(9), { minLength: 60, maxLength: 60 }), (input, days) => {
        const times = Float64Array.from(days);
        const split = checked(request(input, { kind: "time", times }));
        if (!split) return;
        const [train, test] = [split.train, split.test].map((rows) => Array.from(rows, (row) => times[row]));
        expect(Math.max(...train)).toBeLessThan(Math.min(...test));
      }),
    );
  });
});

describe("times", () => {
  const times = (...cells: string[]) => {
    const read = readCsvBytes(Buffer.from(`when\n${cells.join("\n")}\n`));
    return read.ok ? timesOf(read.table.column("when")!) : null;
  };

  it.each([
    [["2024-05-31", "2024-06-01"]],
    [["2024-05", "2024-06"]],
    [["2024-05-31 23:59", "2024-06-01 00:00"]],
    [["2024-05-31T23:00:00Z", "2024-06-01T03:30:00+02:00"]],
    [["2019", "2020"]],
    [["0.5", "1e3"]],
  ])("are in order: %s", (cells) => {
    const [first, second] = times(...cells)!;
    expect(first).toBeLessThan(second);
  });

  it("mean the same on every machine when they name no zone", () => {
    expect(times("2024-05-31 12:00", "2024-05-31T12:00:00.5")).toEqual(
      Float64Array.of(Date.UTC(2024, 4, 31, 12), Date.UTC(2024, 4, 31, 12, 0, 0, 500)),
    );
  });

  it.each([
    [["31.05.2024", "01.06.2024"]],
    [["2024-05-31", "nan"]],
    [["2024-13-40", "2024-01-01"]],
    [["inf", "1"]],
  ])("are not read from %s", (cells) => {
    expect(times(...cells)).toBeNull();
  });
});
