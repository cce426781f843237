import { expect, test } from "vitest";
import type { GradedRun } from "../../../src/analysis/reports.ts";
import { withPercentiles } from "../../../src/analysis/statistics/percentiles.ts";

const ID = "spooky-author-identification";
const run = (change: Partial<GradedRun>): GradedRun => ({
  competition_id: ID,
  gold_medal: false,
  silver_medal: false,
  bronze_medal: false,
  above_median: true,
  submission_exists: true,
  valid_submission: true,
  ...change,
});

async function percentiles(...runs: GradedRun[]) {
  const [report] = await withPercentiles([{ file: "", runs }]);
  return report.runs.map(({ percentile }) => percentile);
}

test("a score of the original's report stands where the competition's board puts it", async () => {
  const [best, middle, worst] = await percentiles(
    run({ score: 0.01 }),
    run({ score: 0.45 }),
    run({ score: 50 }),
  );
  expect(best).toBe(100);
  expect(middle).toBeGreaterThan(10);
  expect(middle).toBeLessThan(90);
  expect(worst).toBeLessThan(5);
});

test("what our own report says is kept, and what has no score or no board stays without", async () => {
  expect(
    await percentiles(
      run({ score: 0.01, percentile: 12 }),
      run({ score: 0.01, percentile: null }),
      run({ score: null }),
      run({ score: 0.1, valid_submission: false }),
      run({ score: 0.1, competition_id: "nobody-knows-it" }),
    ),
  ).toEqual([12, null, null, undefined, undefined]);
});
