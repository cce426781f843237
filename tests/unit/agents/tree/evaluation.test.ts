import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { blendCells, chooseWeights } from "../../../../src/agents/tree/endgame/blend.ts";
import { carve } from "../../../../src/agents/tree/evaluation/carve.ts";
import {
  hiddenIdsOf,
  measureHidden,
  readPredictions,
} from "../../../../src/agents/tree/evaluation/predictions.ts";
import {
  isImpossible,
  isPerfect,
  otherMetric,
  reportedMetric,
} from "../../../../src/agents/tree/evaluation/reported.ts";
import { scoreRows } from "../../../../src/agents/tree/evaluation/score.ts";
import { largestTable, readRows, writeRows } from "../../../../src/agents/tree/evaluation/table.ts";
import { readTask, type TaskFacts } from "../../../../src/agents/tree/evaluation/task.ts";
import { unifiedDiff } from "../../../../src/agents/tree/journal/diff.ts";
import { extractReply } from "../../../../src/agents/tree/operators/extract.ts";
import { hurtsMost } from "../../../../src/agents/tree/operators/refine.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";
import { smallCompetition } from "../../../e2e/tree/agent-setting.ts";

const contract = (data: string) =>
  ({ data, home: data, memoryLimitBytes: Number.NaN }) as Parameters<typeof readTask>[0];

/** Every row has its day, and one of twenty sites. */
function withDays(): string {
  const data = smallCompetition();
  const train = readRows(path.join(data, "train.csv"))!;
  writeRows(path.join(data, "train.csv"), {
    header: [...train.header, "day", "site"],
    rows: train.rows.map((row, i) => [...row, String(i), `s${i % 20}`]),
  });
  return data;
}

async function carved(data: string, seed = 0, change: Partial<TaskFacts> = {}, look = 0) {
  const task = { ...(await readTask(contract(data))), ...change };
  return carve(data, task, { seed, look }, path.join(temporaryFolder(), "view"));
}

describe("hidden rows", () => {
  it("are a tenth and a tenth, the same for a seed, others for another, and nowhere in the training table", async () => {
    const data = smallCompetition();
    const [one, again, other] = [await carved(data), await carved(data), await carved(data, 1)];
    if (one.status !== "carved" || again.status !== "carved" || other.status !== "carved")
      throw new Error("not carved");
    const { hidden, folder } = one.carved;
    expect([hidden.search.size, hidden.choice.size]).toEqual([40, 40]);
    expect([...hidden.search.keys()]).toEqual([...again.carved.hidden.search.keys()]);
    expect([...hidden.search.keys()]).not.toEqual([...other.carved.hidden.search.keys()]);
    const train = readRows(path.join(folder, "train.csv"));
    const ids = new Set(hiddenIdsOf(one.carved));
    expect(ids.size).toBe(80);
    expect(train?.rows).toHaveLength(320);
    expect(train?.rows.some(([id]) => ids.has(id))).toBe(false);
    const test = readRows(path.join(folder, "test.csv"));
    expect(test?.header).not.toContain("y");
    expect(test?.rows).toHaveLength(140);
    expect(readRows(path.join(folder, "sample_submission.csv"))?.rows).toHaveLength(140);
    expect(fs.readdirSync(folder).sort()).toEqual(fs.readdirSync(data).sort());
  });

  it("are the latest where the test lies later, and whole groups where it holds other groups", async () => {
    const data = withDays();
    const late = await carved(data, 0, { separation: { by: "time", column: "day" } });
    const groups = await carved(data, 0, { separation: { by: "groups", column: "site" } });
    if (late.status !== "carved" || groups.status !== "carved") throw new Error("not carved");
    expect(hiddenIdsOf(late.carved).every((id) => Number(id.slice(1)) >= 320)).toBe(true);
    const left = readRows(path.join(groups.carved.folder, "train.csv"))!.rows.map((row) => row.at(-1));
    const taken = hiddenIdsOf(groups.carved).map((id) => `s${Number(id.slice(1)) % 20}`);
    expect(taken.some((site) => left.includes(site))).toBe(false);
  });

  it.each([0, 1, 2])(
    "are the latest for seed %i, and nobody learns from what comes after them",
    async (seed) => {
      const data = withDays();
      const day = (id: string) => Number(id.slice(1));
      for (const look of [0, 1]) {
        const late = await carved(data, seed, { separation: { by: "time", column: "day" } }, look);
        if (late.status !== "carved") throw new Error(late.why);
        const left = readRows(path.join(late.carved.folder, "train.csv"))!.rows.map(([id]) => day(id));
        const hidden = hiddenIdsOf(late.carved).map(day);
        expect(Math.max(...left)).toBeLessThan(Math.min(...hidden));
        expect(Math.max(...hidden)).toBe(399 - 80 * look);
        expect(hidden).toHaveLength(80);
      }
    },
  );

  it("are left alone where ids are not their own, rows are few, or no metric is known", async () => {
    const data = smallCompetition(60);
    expect(await carved(data)).toEqual({ status: "not carved", why: expect.stringContaining("60") });
    const twice = smallCompetition();
    const train = readRows(path.join(twice, "train.csv"))!;
    writeRows(path.join(twice, "train.csv"), { ...train, rows: [...train.rows, train.rows[0]] });
    expect(await carved(twice)).toMatchObject({ status: "not carved" });
    const nameless = smallCompetition();
    fs.writeFileSync(path.join(nameless, "description.md"), "Do your best.\n");
    expect(await carved(nameless)).toMatchObject({ status: "not carved" });
  });

  it("are left alone where a table would not fit into the memory there is", async () => {
    const data = smallCompetition();
    const { size } = fs.statSync(path.join(data, "train.csv"));
    const task = await readTask(contract(data));
    const within = (memory: number) =>
      carve(data, task, { seed: 0, mostBytes: largestTable(memory) }, path.join(temporaryFolder(), "view"));
    expect(within(16 * size - 16)).toEqual({
      status: "not carved",
      why: expect.stringContaining("too large"),
    });
    for (const memory of [16 * size, Number.NaN, 0, Number.POSITIVE_INFINITY])
      expect(within(memory)).toMatchObject({ status: "carved" });
  });

  it("are scored by our own metric, with the spread over folds", async () => {
    const data = smallCompetition();
    const outcome = await carved(data);
    if (outcome.status !== "carved") throw new Error("not carved");
    const { hidden } = outcome.carved;
    const right = new Map([...hidden.search, ...hidden.choice]);
    expect(measureHidden(outcome.carved, "both", right, "minimize")).toMatchObject({ value: 0, spread: 0 });
    const shifted = new Map([...right].map(([id, [y]]) => [id, [String(Number(y) + 2)]]));
    expect(measureHidden(outcome.carved, "search", shifted, "minimize")?.value).toBeCloseTo(2, 3);
  });
});

describe("predictions", () => {
  it.each([
    ["id,z\nq1,1\nq2,2\n", "columns"],
    ["id,y\nq1,1\n", "q2 is missing"],
    ["id,y\nq1,1\nq2,\n", "not a number"],
    ["id,y\nq1,1\nq1,1\nq2,2\n", "twice"],
    ["id,y\nq1,1\nq2,2\nq3,3\n", "3 rows"],
  ])("%j are wrong: %s", (text, words) => {
    const file = path.join(temporaryFolder(), "p.csv");
    fs.writeFileSync(file, text);
    const sample = {
      header: ["id", "y"],
      rows: [
        ["q1", "0"],
        ["q2", "0"],
      ],
    };
    expect(readPredictions(file, sample, [])).toEqual({
      status: "wrong",
      why: expect.stringContaining(words),
    });
  });
});

describe("metrics on hidden rows", () => {
  const score = (
    metric: string,
    kind: string,
    truth: string[][],
    predicted: string[][],
    classes: string[] = [],
  ) =>
    scoreRows(
      { metric, kind, classColumn: null } as Parameters<typeof scoreRows>[0],
      truth,
      predicted,
      classes,
    );
  it.each([
    ["auc", "probability", [["1"], ["0"]], [["0.9"], ["0.1"]], 1],
    ["log-loss", "probability", [["1"], ["0"]], [["0.5"], ["0.5"]], Math.log(2)],
    ["accuracy", "label", [["1"], ["b"]], [["1.0"], ["c"]], 0.5],
    ["macro-f1", "label", [["a"], ["b"]], [["a"], ["b"]], 1],
    ["micro-f1", "label set", [["a b"], ["c"]], [["a"], ["c d"]], 2 / 3],
    ["rmse", "number", [["1"], ["3"]], [["1"], ["1"]], Math.SQRT2],
    ["mae", "number", [["1"], ["3"]], [["1"], ["1"]], 1],
    ["rmsle", "number", [["0"]], [["-2"]], null],
    ["kappa", "grade", [["0"], ["1"], ["2"]], [["0.2"], ["1.4"], ["1.9"]], 1],
    ["edit-distance", "sequence", [["A B C"]], [["A C"]], 1],
    ["dice", "masks", [["1 4"]], [["3 4"]], 0.5],
    ["rmse", "number", [["1"]], [["x"]], null],
    ["auc", "probability", [["1"]], [["0.4"]], null],
  ])("%s of %s", (metric, kind, truth, predicted, expected) => {
    const value = score(metric, kind, truth, predicted);
    if (expected === null) expect(value).toBeNull();
    else expect(value).toBeCloseTo(expected, 10);
  });
  it("log loss over a column for each class, rows scaled to one", () => {
    expect(score("log-loss", "probabilities", [["b"]], [["1", "1"]], ["a", "b"])).toBeCloseTo(
      Math.log(2),
      10,
    );
  });
});

describe("what scripts report", () => {
  it.each([
    ["micro-f1", "accuracy", null],
    ["accuracy", "micro_f1", null],
    ["micro-f1", "macro_f1", null],
    ["macro-f1", "accuracy", "accuracy"],
    ["rmse", "accuracy", "accuracy"],
  ])("scored by %s, %s is another metric: %s", (own, word, other) => {
    expect(otherMetric(own, word)).toBe(other);
  });
  it.each([
    [
      "METRIC rmse = 0.5 (lower is better)",
      { status: "metric", name: "rmse", value: 0.5, direction: "minimize" },
    ],
    [
      "x\nMETRIC auc: 1 (higher is better)\n",
      { status: "metric", name: "auc", value: 1, direction: "maximize" },
    ],
    ["METRIC f1 = 0\n", { status: "metric", name: "f1", value: 0, direction: null }],
    ["METRIC a = 1\nMETRIC a = 2", { status: "metric", name: "a", value: 2, direction: null }],
    ["METRIC rmse = nan", { status: "absurd", text: "nan" }],
    ["METRIC rmse = inf", { status: "absurd", text: "inf" }],
    ["METRIC rmse = 1e300", { status: "absurd", text: "1e300" }],
    ["the metric is 3", { status: "none" }],
  ])("%j", (text, expected) => {
    expect(reportedMetric(text)).toEqual(expected);
  });
  it("cannot be better than perfect", () => {
    expect([isImpossible("auc", 1.2), isImpossible("rmse", -1), isImpossible("auc", 0.5)]).toEqual([
      true,
      true,
      false,
    ]);
    expect([
      isPerfect(0, "minimize", "rmse"),
      isPerfect(1, "maximize", "auc"),
      isPerfect(0.9, "maximize", "auc"),
    ]).toEqual([true, true, false]);
  });
});

describe("replies", () => {
  it.each([
    ["A plan.\n```python\nprint(1)\n```\nbye", { plan: "A plan.", code: "print(1)\n" }],
    ["```\na\n```\n```js\nlonger one\n```", { plan: "", code: "longer one\n" }],
    ["Plan\n```js\nnever ends", { plan: "Plan", code: "never ends\n" }],
    ["no code at all", { plan: "no code at all", code: null }],
    ["```\n\n```", { plan: "", code: null }],
  ])("%j", (reply, expected) => {
    expect(extractReply(reply)).toEqual(expected);
  });
});

describe("mixes", () => {
  const cells = (value: string) => new Map([["a", [value]]]);
  it("average numbers and vote on the rest", () => {
    const mix = (kind: "number" | "grade" | "label", values: string[]) =>
      blendCells(
        kind,
        values.map((value) => ({ cells: cells(value), weight: 1 })),
      ).get("a");
    expect(mix("number", ["1", "2"])).toEqual(["1.5"]);
    expect(mix("grade", ["1", "2", "2"])).toEqual(["2"]);
    expect(mix("label", ["x", "y", "y"])).toEqual(["y"]);
  });
  it("take a member only if it helps", () => {
    const away = (mixed: ReadonlyMap<string, readonly string[]>) =>
      Math.abs(Number(mixed.get("a")![0]) - 1.5);
    const better = (value: number, than: number) => value < than;
    expect(chooseWeights("number", [cells("1"), cells("2"), cells("9")], away, better)).toEqual([1, 1, 0]);
    expect(chooseWeights("number", [cells("1.5"), cells("2")], away, better)).toEqual([1, 0]);
    expect(chooseWeights("number", [cells("1")], () => null, better)).toBeNull();
  });
});

it("a diff shows what changed, and nothing where nothing did", () => {
  expect(unifiedDiff("a\nb\nc\n", "a\nx\nc\n")).toBe("@@ -1,4 +1,4 @@\n a\n-b\n+x\n c\n \n");
  expect(unifiedDiff("a\n", "a\n")).toBe("");
});

it("the block without which the metric is worst is refined", () => {
  const text = "ABLATION features = 0.7\nABLATION model = 0.9\nABLATION x = nan\n";
  expect([hurtsMost(text, "minimize"), hurtsMost(text, "maximize"), hurtsMost("", null)]).toEqual([
    "model",
    "features",
    null,
  ]);
});
