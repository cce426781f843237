import { expect, test } from "vitest";
import { curves } from "../../../src/analysis/aggregate/curves.ts";
import { readRecords, type TrialRecord } from "../../../src/analysis/trial-records.ts";
import { type SyntheticTrial, writeGroup } from "../../e2e/analysis/synthetic-group.ts";
import { temporaryFolder } from "../../e2e/temporary-folder.ts";

function recordsOf(trials: SyntheticTrial[]): TrialRecord[] {
  const read = readRecords([writeGroup(temporaryFolder(), trials)]);
  if (!read.ok) throw new Error(read.message);
  return read.agents.flatMap(({ records }) => records);
}

const ID = "spooky-author-identification";

test("a better submission that was replaced by a worse one is a selection error, in the metric's direction", () => {
  const points = [
    { elapsedSeconds: 600, score: 0.3, medal: "silver" as const, percentile: 95 },
    { elapsedSeconds: 4000, score: 0.5, medal: null, percentile: 40 },
  ];
  const result = curves(recordsOf([{ competitionId: ID, seed: 0, medal: null, points }]), () => "minimize")!;
  expect(result.trials[0]).toMatchObject({
    best: { score: 0.3 },
    final: { score: 0.5 },
    points: [{ bestScore: 0.3 }, { bestScore: 0.3 }],
    selectionError: { score: expect.closeTo(0.2, 12), percentile: 55, medalLost: true },
  });
  expect(result.selection).toEqual({
    finalMedalRate: 0,
    bestMedalRate: 100,
    medalsLost: 1,
    percentileGap: 55,
  });
  const at = (seconds: number) => result.moments.find((moment) => moment.seconds === seconds);
  expect(result.moments.map(({ seconds }) => seconds)).toEqual(Array.from({ length: 25 }, (_, i) => 300 * i));
  expect(at(0)).toMatchObject({ medalRate: 0, bestMedalRate: 0, percentile: 0, bestPercentile: 0 });
  expect(at(3600)).toMatchObject({ medalRate: 100, bestMedalRate: 100, percentile: 95 });
  expect(at(7200)).toMatchObject({ medalRate: 0, bestMedalRate: 100, percentile: 40, bestPercentile: 95 });
});

test("the best so far never falls, and the end of the curve is the final result", () => {
  const points = [0.1, 0.6, 0.4, 0.9, 0.2].map((score, i) => ({
    elapsedSeconds: 1000 * (i + 1),
    score,
    medal: score > 0.5 ? ("bronze" as const) : null,
    percentile: 100 * score,
  }));
  const { moments, selection } = curves(
    recordsOf([{ competitionId: ID, seed: 0, medal: null, points }]),
    () => "maximize",
  )!;
  const best = moments.map(({ bestPercentile }) => bestPercentile!);
  expect(best).toEqual(best.toSorted((a, b) => a - b));
  expect(moments.at(-1)).toMatchObject({ medalRate: selection.finalMedalRate, percentile: 20 });
});

test("a version that could not be scored stands for nothing while it stands", () => {
  const points = [
    { elapsedSeconds: 1, score: 0.9, medal: "gold" as const, percentile: 99 },
    { elapsedSeconds: 2000, score: null, status: "invalid", percentile: null },
  ];
  const result = curves(recordsOf([{ competitionId: ID, seed: 0, medal: null, points }]), () => "maximize")!;
  expect(result.moments.find(({ seconds }) => seconds === 3600)).toMatchObject({
    medalRate: 0,
    bestMedalRate: 100,
  });
  expect(result.trials[0].selectionError).toEqual({ score: null, percentile: 99, medalLost: true });
});

test("trials without a grade are counted, not drawn, and without any there is no curve", () => {
  const [record] = recordsOf([{ competitionId: ID, seed: 0, medal: "gold", points: [{ score: 1 }] }]);
  const ungraded = { ...record, grade: null };
  expect(curves([record, ungraded], () => "maximize")).toMatchObject({ without: 1 });
  expect(curves([ungraded], () => "maximize")).toBeNull();
});
