import fs from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { originalAggregate } from "../../../src/analysis/aggregate/original-aggregate.ts";
import { arrangeSeeds } from "../../../src/analysis/aggregate/seeds.ts";
import { compare, seedsToSeparate } from "../../../src/analysis/compare/compare.ts";
import { type GradedRun, readReports } from "../../../src/analysis/reports.ts";
import splits from "../../../src/competitions/splits.json" with { type: "json" };
import { PUBLISHED_ROWS, writePublishedRow } from "../../e2e/analysis/published-rows.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

function graded(competition: string, medal: "gold" | "silver" | "bronze" | null, percentile = 50): GradedRun {
  return {
    competition_id: competition,
    gold_medal: medal === "gold",
    silver_medal: medal === "silver",
    bronze_medal: medal === "bronze",
    above_median: medal !== null,
    submission_exists: true,
    valid_submission: true,
    percentile,
  };
}

const report = (...runs: GradedRun[]) => ({ file: "", runs });

describe("arranging seeds", () => {
  test("seed i is the i-th report of every competition, in reading order", () => {
    const outcome = arrangeSeeds(
      [report(graded("a", "gold"), graded("b", null)), report(graded("a", null), graded("b", "silver"))],
      {
        competitions: ["a", "b"],
        padMissing: false,
      },
    );
    if (!outcome.ok) throw new Error(outcome.message);
    expect(outcome.seeds.runs.map((seed) => seed.map((run) => run?.gold_medal))).toEqual([
      [true, false],
      [false, false],
    ]);
  });

  test("a competition without any report is refused by name, and padded when asked for", () => {
    const reports = [report(graded("a", "gold")), report(graded("a", "gold"))];
    const refused = arrangeSeeds(reports, { competitions: ["a", "b"], padMissing: false });
    expect(refused).toMatchObject({ ok: false, message: expect.stringContaining("b") });
    const padded = arrangeSeeds(reports, { competitions: ["a", "b"], padMissing: true });
    if (!padded.ok) throw new Error(padded.message);
    expect(padded.seeds.missing).toEqual([{ competitionId: "b", seeds: 2 }]);
    expect(originalAggregate(padded.seeds).metrics.any_medal_percentage.mean).toBe(50);
  });

  test("more seeds than there are is refused", () => {
    const outcome = arrangeSeeds([report(graded("a", null))], {
      competitions: ["a"],
      numSeeds: 2,
      padMissing: false,
    });
    expect(outcome).toMatchObject({ ok: false });
  });
});

describe("the original's numbers", () => {
  test("mean and standard error follow the sample standard deviation over seeds", () => {
    const reports = ["gold", null, "bronze"].map((medal) =>
      report(graded("a", medal as "gold"), graded("b", null)),
    );
    const outcome = arrangeSeeds(reports, { competitions: ["a", "b"], padMissing: false });
    if (!outcome.ok) throw new Error(outcome.message);
    const { mean, standard_error, ci_upper } = originalAggregate(outcome.seeds).metrics.any_medal_percentage;
    expect(mean).toBeCloseTo(100 / 3, 12);
    expect(standard_error).toBeCloseTo(Math.sqrt(2500 / 3) / Math.sqrt(3), 12);
    expect(ci_upper).toBeCloseTo(100 / 3 + 1.96 * standard_error, 12);
  });

  test.each(PUBLISHED_ROWS)(
    "a row like one of the published table comes out to the last digit: $agent",
    (row) => {
      const { padMissing, expected } = row;
      const groups = writePublishedRow(temporaryFolder(), row);
      const read = readReports(
        groups.flatMap((group) => fs.readdirSync(group).map((file) => path.join(group, file))),
      );
      if (!read.ok) throw new Error(read.message);
      const got = (["low", "medium", "high", "split75"] as const).map((split) => {
        const outcome = arrangeSeeds(read.reports, { competitions: splits[split], padMissing });
        if (!outcome.ok) throw new Error(outcome.message);
        const { mean, standard_error } = originalAggregate(outcome.seeds).metrics.any_medal_percentage;
        return `${mean.toFixed(2)} ± ${standard_error.toFixed(2)}`;
      });
      expect(got).toEqual(expected);
    },
  );
});

describe("comparing two agents", () => {
  const arranged = (medals: ("gold" | null)[][], percentile: number) => {
    const reports = medals.map((seed) =>
      report(...seed.map((medal, i) => graded(`c${i}`, medal, percentile))),
    );
    const outcome = arrangeSeeds(reports, {
      competitions: medals[0].map((_, i) => `c${i}`),
      padMissing: false,
    });
    if (!outcome.ok) throw new Error(outcome.message);
    return outcome.seeds;
  };

  test("equal agents are within noise, tie everywhere, and no number of seeds separates them", () => {
    const seeds = arranged(
      [
        ["gold", null],
        [null, "gold"],
      ],
      60,
    );
    const result = compare(seeds, seeds);
    expect(result.medalRate).toMatchObject({ mean: 0, pValue: 1, withinNoise: true });
    expect(result).toMatchObject({ wins: 0, ties: 2, losses: 0, seedsNeeded: null });
  });

  test("an agent that always wins is beyond noise", () => {
    const always = arranged(new Array(3).fill(new Array(10).fill("gold")), 99);
    const never = arranged(new Array(3).fill(new Array(10).fill(null)), 10);
    const result = compare(always, never);
    expect(result.medalRate.mean).toBe(100);
    expect(result.medalRate.withinNoise).toBe(false);
    expect(result.percentile?.mean).toBe(89);
    expect(result).toMatchObject({ wins: 10, losses: 0 });
  });

  test("a competition without a board has no part in the difference of percentiles", () => {
    const withoutBoard = (percentile: number) => {
      const seeds = arranged([["gold", null]], percentile);
      const runs = seeds.runs.map((seed) =>
        seed.map((run, i) => (run && i === 1 ? { ...run, score: 1, percentile: null } : run)),
      );
      return { ...seeds, runs };
    };
    expect(compare(withoutBoard(90), withoutBoard(40)).percentile?.mean).toBe(50);
  });

  test("the planner asks for more seeds when the spread grows", () => {
    const few = seedsToSeparate([9, 10, 11])!;
    const many = seedsToSeparate([0, 10, 20])!;
    expect(few).toBeLessThan(many);
  });
});
