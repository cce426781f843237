import { describe, expect, it } from "vitest";
import { binaryAuc, defineCompetition, regression } from "../../../../src/public/competition.ts";
import { nextDouble, seededByInteger } from "../../../../src/random/mt19937.ts";
import { hopelessProblem, leadOverSample } from "../../../../src/workflows/init/lead.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const scored = (score: number) => ({ status: "scored", score }) as const;
const scores = (sample: number, baseline: number) => ({
  sample: scored(sample),
  baseline: scored(baseline),
  perfect: scored(1),
});

const competition = (direction: "maximize" | "minimize", grade: ReturnType<typeof binaryAuc>) =>
  defineCompetition({
    ...{ id: "mine", name: "Mine", category: "Tabular", complexity: "dev", contest: "simple" },
    ...{ dataSizeGB: null, opened: null, closed: null },
    metric: { name: "made up", direction },
    columns: { id: ["id"], target: ["y"] },
    files: { answers: "prepared/private/test.csv", sampleSubmission: "prepared/public/sample.csv" },
    grade,
  });
const auc = competition("maximize", binaryAuc({ id: "id", target: "y" }));
const mae = (truth: Float64Array, guess: Float64Array) =>
  truth.reduce((sum, value, i) => sum + Math.abs(value - guess[i]), 0) / truth.length;
const byMae = competition("minimize", regression({ id: "id", target: "y", error: mae, rows: "independent" }));

const root = temporaryFolder();
let files = 0;
const file = (values: readonly number[], order = values.map((_, row) => row)) =>
  writeText(
    root,
    `${files++}/submission.csv`,
    `id,y\n${order.map((row) => `r${row},${values[row]}\n`).join("")}`,
  );
const drawn = (count: number, seed: number) => {
  const generator = seededByInteger(seed);
  return Array.from({ length: count }, () => nextDouble(generator));
};

describe("how firmly the baseline is ahead of the constant guess", () => {
  const truth = drawn(120, 1).map((value) => Number(value < 0.4));
  const answers = file(truth);
  const constant = truth.map(() => 0.4);

  it("is certain where it has learned something, whatever the order of its rows", () => {
    const errors = drawn(120, 2);
    const learned = truth.map((value, row) => 0.4 * value + 0.6 * errors[row]);
    const straight = leadOverSample(auc, { sample: file(constant), baseline: file(learned) }, answers);
    expect(straight).toEqual({ share: 1, rows: 120 });
    const backwards = learned.map((_, row) => 119 - row);
    const turned = file(learned, backwards);
    expect(leadOverSample(auc, { sample: file(constant), baseline: turned }, answers)).toEqual(straight);
  });

  it("is paired: what is a little better on every row is better in every resample", () => {
    const numbers = drawn(50, 3);
    const near = file(numbers.map((value) => value + 0.49));
    const far = file(numbers.map((value) => value + 0.5));
    expect(leadOverSample(byMae, { sample: far, baseline: near }, file(numbers))?.share).toBe(1);
  });

  it("is not known without a baseline", () => {
    expect(leadOverSample(auc, { sample: file(constant), baseline: null }, answers)).toBeNull();
  });

  it("lets about one table of twenty pass that tells nothing, not every other one", () => {
    let [better, ready] = [0, 0];
    for (let seed = 100; seed < 140; seed++) {
      const guessed = drawn(120, seed);
      const [won, lost] = [1, 0].map((side) => guessed.filter((_, row) => truth[row] === side));
      const wins = won.flatMap((a) => lost.map((b) => Number(a > b)));
      const score = wins.reduce((sum, win) => sum + win, 0) / wins.length;
      const lead = leadOverSample(auc, { sample: file(constant), baseline: file(guessed) }, answers);
      if (score > 0.5) better++;
      if (hopelessProblem(scores(0.5, score), "maximize", lead).length === 0) ready++;
    }
    expect(better).toBeGreaterThan(10);
    expect(ready).toBeLessThanOrEqual(5);
  });
});

describe("a task is hopeless", () => {
  const reasons = (sample: number, baseline: number, share: number | null, direction = "maximize" as const) =>
    hopelessProblem(scores(sample, baseline), direction, share === null ? null : { share, rows: 80 }).join();

  it("where the constant guess is as good, and where chance alone may have put the baseline ahead", () => {
    expect(reasons(0.5, 0.8, 1)).toBe("");
    expect(reasons(0.5, 0.8, null)).toBe("");
    expect(reasons(0.5, 0.5, 0)).toContain("not better than the constant guess");
    expect(hopelessProblem(scores(9, 9.5), "minimize", null).join()).toContain("not better than");
    expect(hopelessProblem(scores(9, 3), "minimize", { share: 0.99, rows: 80 })).toEqual([]);
    expect(reasons(0.5, 0.52, 0.714)).toContain(
      "by more than chance: drawing the 80 test rows again, it is ahead in 71 % of cases, and 95 % are asked for",
    );
  });
});
