import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { agreement } from "../../../src/data/audit/agreement.ts";
import { almostPerfect, targetValues } from "../../../src/data/audit/checks/column-power.ts";
import { readDescribedFiles } from "../../../src/data/audit/checks/described-files.ts";
import { groupOfFile } from "../../../src/data/audit/checks/group-names.ts";
import { sideOf } from "../../../src/data/audit/reading/public-files.ts";
import { randomNumbers } from "./prepared-set.ts";

const everywhere = () => true;

describe("the power of one column", () => {
  const random = randomNumbers(21);
  const outcome = Array.from({ length: 500 }, () => (random() < 0.3 ? "1" : "0"));
  const target = targetValues(outcome)!;

  it("is nothing for an id, however well it tells its own row", () => {
    expect(
      almostPerfect(
        outcome.map((_, i) => `id${i}`),
        target,
        everywhere,
      ),
    ).toBeNull();
  });

  it("is found in the size of a number that rises with the outcome", () => {
    const power = almostPerfect(
      outcome.map((value) => String(Number(value) + random() * 0.5)),
      target,
      everywhere,
    );
    expect(power).toMatchObject({ measure: "AUC", figure: 1, rows: 500 });
  });

  it("is found in a gap", () => {
    const cells = outcome.map((value, i) => (value === "1" ? "" : `name ${i}`));
    expect(almostPerfect(cells, target, everywhere)).toMatchObject({ reading: "whether it is filled" });
  });

  it("is found for a number that is the target in another unit", () => {
    const prices = outcome.map(() => String(random() * 100));
    const euros = prices.map((price) => String(Number(price) * 0.9 + 2));
    expect(almostPerfect(euros, targetValues(prices)!, everywhere)).toMatchObject({ measure: "correlation" });
  });

  it("is not found in a column that is right nine times in ten", () => {
    const cells = outcome.map((value, i) => (i % 10 === 0 ? "1" : value));
    expect(almostPerfect(cells, target, everywhere)).toBeNull();
  });

  it("is never found in noise", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 1e6 }), fc.integer({ min: 2, max: 40 }), (seed, values) => {
        const noise = randomNumbers(seed);
        expect(
          almostPerfect(
            outcome.map(() => String(Math.floor(noise() * values))),
            target,
            everywhere,
          ),
        ).toBeNull();
      }),
      { numRuns: 50 },
    );
  });
});

describe("the agreement of two columns", () => {
  it("is no more than chance for a constant, whatever the answers are", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("0", "1"), { minLength: 1 }), (answers) => {
        expect(
          agreement(
            answers.map(() => "0"),
            answers,
          ).beyondChance,
        ).toBeLessThanOrEqual(0);
      }),
    );
  });

  it("does not depend on how a truth value is spelled", () => {
    expect(agreement(["True", "false", "1.0"], ["1", "0", "true"]).share).toBe(1);
  });
});

describe("the files section of a description", () => {
  const described = readDescribedFiles(
    '# X\n\n## Files\n\n- `test/<id>.png`, `extra/**.json`, `pack.zip`, `raw/*`: RINEX logs.\n- beside it "notes.txt"\n\n## Metric\n\n`not/here.csv`\n',
  )!;

  it.each([
    ["test/a.png", "named"],
    ["test/deep/a.png", null],
    ["extra/1/2/a.json", "named"],
    ["pack.zip/inner/a.jpg", "named"],
    ["raw/rinex.o", "wildcard"],
    ["not/here.csv", null],
  ])("covers %s: %s", (path, covered) => expect(described.covers(path)).toBe(covered));

  it("knows its words and the names it quotes", () => {
    expect([described.mentions("rinex"), described.mentions("nmea")]).toEqual([true, false]);
    expect(described.quotes("notes.txt")).toBe(true);
  });

  it("that names no path says nothing", () => {
    expect(readDescribedFiles("## Files\n\nSome tables.\n")).toBeNull();
    expect(readDescribedFiles("# No such section\n")).toBeNull();
  });
});

describe("a path", () => {
  it.each([
    ["test_images/a.png", "test"],
    ["en_train.csv.zip", "train"],
    ["nybg2020/test/images/1.jpg", "test"],
    ["latest.csv", null],
    ["sample_submission.csv", null],
  ])("%s belongs to %s", (path, side) => expect(sideOf(path)).toBe(side));

  it("names its group only when it looks like one", () => {
    expect(groupOfFile("0a7c2a8d_nohash_2.wav")).toEqual({ group: "0a7c2a8d", number: 2 });
    for (const name of ["clip_00000000.wav", "ISIC_0015719.jpg", "1234_2.png", "slice_0001.png"])
      expect(groupOfFile(name)).toBeNull();
  });
});
