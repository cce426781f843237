import fs from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import type { ModelAnswer } from "../../../../src/agents/kit/model-client.ts";
import { treeOf } from "../../../../src/agents/tree/engine/tree.ts";
import { judge } from "../../../../src/agents/tree/evaluation/judge.ts";
import type { AttemptResult } from "../../../../src/agents/tree/execution/attempt.ts";
import { memoryOf } from "../../../../src/agents/tree/memory/memory.ts";
import { estimateTokens } from "../../../../src/agents/tree/memory/tokens.ts";
import { nothingSpent } from "../../../../src/agents/tree/operators/ask.ts";
import type { Workshop } from "../../../../src/agents/tree/operators/workshop.ts";
import type { SettingName } from "../../../../src/agents/tree/settings/schema.ts";
import { temporaryFolder } from "../../../e2e/temporary-folder.ts";
import { nodesOf, type Sketch, settingsWith } from "./nodes.ts";

interface Given {
  output?: string;
  csv?: string | null;
  settings?: Partial<Record<SettingName, unknown>>;
  review?: object | null;
  before?: Sketch[];
  direction?: "maximize" | "minimize" | null;
  metricName?: string | null;
  code?: string;
  trusted?: boolean;
  /** So many rows are hidden, each of the label `x`; a program is judged by its accuracy on them. */
  hidden?: number;
  result?: Partial<AttemptResult>;
}

/** Judges an attempt of the smallest task: two ids, one number each. Nobody validates. */
function judged(given: Given) {
  const { output = "METRIC rmse = 0.5 (lower is better)", csv = "id,y\na,1\nb,2\n" } = given;
  const file = path.join(temporaryFolder(), "predictions.csv");
  if (csv !== null) fs.writeFileSync(file, csv);
  const answer: ModelAnswer =
    given.review === null
      ? { status: "unreachable", message: "no reviewer" }
      : {
          status: "answered",
          text: "",
          toolCalls: [
            {
              id: "1",
              type: "function",
              function: { name: "submit_review", arguments: JSON.stringify(given.review ?? GOOD) },
            },
          ],
          inputTokens: 1,
          outputTokens: 1,
        };
  const direction = given.direction === undefined ? "minimize" : given.direction;
  const tree = treeOf(nodesOf(given.before ?? []));
  const shop = {
    settings: settingsWith({ "agent.review": "fallback", ...given.settings }),
    carved: given.hidden === undefined ? null : carvedOf(given.hidden),
    allData: "/home/data",
    sample: {
      header: ["id", "y"],
      rows: [
        ["a", "0"],
        ["b", "0"],
      ],
    },
    task: { description: "", metricName: given.metricName ?? null, direction },
    tree: () => tree,
    askFeedback: async () => answer,
    clock: { secondsLeft: () => Number.POSITIVE_INFINITY, searchSeconds: () => Number.POSITIVE_INFINITY },
  } as unknown as Workshop;
  const result: AttemptResult = {
    end: "exited",
    exitCode: 0,
    signal: null,
    output,
    seconds: 1,
    peakMemory: null,
    predictions: csv === null ? null : { file, sha256: "" },
    ...given.result,
  };
  const { code = "", trusted = false } = given;
  return judge({ shop, validateUrl: "http://127.0.0.1:9/", code, result, spent: nothingSpent(), trusted });
}

const hiddenIds = (rows: number) => Array.from({ length: rows }, (_, row) => `h${row}`);

function carvedOf(rows: number) {
  return {
    hidden: { search: new Map(hiddenIds(rows).map((id) => [id, ["1"]])), choice: new Map() },
    scoring: { metric: "accuracy", kind: "label", classColumn: null },
    sample: { header: ["id", "y"], rows: [] },
  };
}

/** The same label everywhere: right about all hidden rows. */
const allRight = (rows: number) =>
  `id,y\na,1\nb,1\n${hiddenIds(rows)
    .map((id) => `${id},1\n`)
    .join("")}`;

const GOOD = {
  is_bug: false,
  has_csv_submission: true,
  summary: "fine",
  metric: 0.25,
  lower_is_better: true,
};
const COMPAT = { compat: true, "agent.review": "always" };

describe("a step is a fault", () => {
  it.each<[string, Given, string]>([
    ["that ends with an error", { result: { exitCode: 1 } }, "exception"],
    ["that takes too long", { result: { end: "timeout", exitCode: null } }, "timeout"],
    ["that takes too much memory", { result: { end: "memory", exitCode: null } }, "memory"],
    ["without a submission", { csv: null }, "no submission"],
    ["with other columns", { csv: "id,z\na,1\nb,2\n" }, "invalid submission"],
    ["that copies the sample", { csv: "id,y\na,0.0\nb,0\n" }, "sample copy"],
    ["whose metric is nan", { output: "METRIC rmse = nan", review: null }, "absurd metric"],
    ["whose metric is nan, whatever the reviewer reads", { output: "METRIC rmse = nan" }, "absurd metric"],
    ["whose metric is beyond measure", { output: "METRIC rmse = 1e308" }, "absurd metric"],
    [
      "of which the reviewer reads what nobody can measure",
      { output: "done", review: { ...GOOD, metric: 1e300 } },
      "absurd metric",
    ],
    [
      "with an accuracy below zero, though the task names no metric",
      { output: "METRIC accuracy = -0.3 (higher is better)", direction: "maximize" },
      "absurd metric",
    ],
    [
      "that measures itself by another metric than the task's",
      { output: "METRIC rmse = 0.1 (lower is better)", metricName: "mae" },
      "other metric",
    ],
    [
      "whose loss would pass for a score",
      { output: "METRIC val_log_loss = 0.9 (lower is better)", metricName: "auc", direction: "maximize" },
      "other metric",
    ],
    ["that prints without end", { result: { end: "output", exitCode: null } }, "output"],
    ["without any metric", { output: "done", review: null }, "no metric"],
    ["with a value its metric cannot have", { output: "METRIC m = -1", metricName: "rmse" }, "absurd metric"],
    ["that is perfect", { output: "METRIC m = 0", metricName: "rmse" }, "too good"],
    [
      "that leaps",
      {
        output: "METRIC m = 0.01",
        before: [
          [null, 0.5, ofScripts()],
          [null, 0.6, ofScripts()],
          [null, 0.7, ofScripts()],
        ],
      },
      "too good",
    ],
    ["where nobody knows which way is better", { output: "METRIC m = 3", direction: null }, "no metric"],
    [
      "that the reviewer calls one",
      { settings: { "agent.review": "always" }, review: { ...GOOD, is_bug: true } },
      "review",
    ],
  ])("%s", async (_, given, kind) => {
    expect(await judged(given)).toMatchObject({ buggy: true, metric: null, why: { kind } });
  });
});

it.each([
  ["rmse of logarithms", "rmsle"],
  ["F1 micro", "macro-f1"],
  ["validation", "mae"],
  ["mae", "mae"],
])(
  "a program that calls its metric %s is compared where the task is scored by %s",
  async (word, metricName) => {
    const output = `METRIC ${word} = 0.5`;
    expect(await judged({ output, metricName })).toMatchObject({ buggy: false, metric: { value: 0.5 } });
  },
);

describe("a perfect value", () => {
  const of = (rows: number, printed: number) => ({
    ...{ hidden: rows, csv: allRight(rows), direction: "maximize" as const, metricName: "accuracy" },
    output: `METRIC accuracy = ${printed} (higher is better)`,
  });
  const tooGood = { buggy: true, why: { kind: "too good" } };
  const believed = { buggy: false, metric: { value: 1, source: "hold-out" } };

  it("on many hidden rows is a leak where the program itself expects mistakes", async () => {
    expect(await judged(of(100, 0.8))).toMatchObject(tooGood);
  });
  it("on a few hidden rows is no wonder", async () => {
    expect(await judged(of(10, 0.8))).toMatchObject(believed);
    expect(await judged(of(100, 0.99))).toMatchObject(believed);
  });
  it("is believed once two drafts came to it, each in its own way, or another is beyond doubt", async () => {
    const flagged: Sketch = [null, null, { why: { kind: "too good", message: "" } }];
    const repaired: Sketch = [0, null, { why: { kind: "too good", message: "" } }];
    expect(await judged({ ...of(100, 0.8), before: [flagged, repaired] })).toMatchObject(tooGood);
    expect(await judged({ ...of(100, 0.8), before: [flagged, flagged] })).toMatchObject(believed);
    expect(await judged({ ...of(100, 0.8), trusted: true })).toMatchObject(believed);
  });
  it("of a metric that nobody knows may lie below zero", async () => {
    expect(await judged({ output: "METRIC loss = -3.5" })).toMatchObject({ buggy: false });
    expect(await judged({ output: "METRIC loss = 0" })).toMatchObject(tooGood);
  });
});

describe("what a program claims of itself, where hidden rows measure it", () => {
  /** Right about one hidden row of two, by accuracy. */
  const of = (printed: string) => ({
    ...{ hidden: 100, direction: "maximize" as const, metricName: "accuracy", output: `METRIC ${printed}` },
    csv: allRight(100).replace(/^(h\d*[02468]),1$/gm, "$1,0"),
  });
  const measured = { buggy: false, metric: { value: 0.5, source: "hold-out" } };

  it.each(["log_loss = 1.3 (lower is better)", "loss = 11.7", "accuracy = 0.7", "mse = 1 (lower is better)"])(
    "by a metric of its own is no leak: %s",
    async (printed) => {
      expect(await judged(of(printed))).toMatchObject(measured);
    },
  );
  it.each(["accuracy = 1", "auc = 1.0 (higher is better)", "log_loss = 0 (lower is better)"])(
    "is a leak where it is perfect: %s",
    async (printed) => {
      expect(await judged(of(printed))).toMatchObject({ buggy: true, why: { kind: "leak" } });
    },
  );
  it("does not excuse a perfect value unless it is a share of rows", async () => {
    const perfect = { ...of("loss = 11.7"), csv: allRight(100) };
    expect(await judged(perfect)).toMatchObject({ buggy: true, why: { kind: "too good" } });
  });
});

it("a program that names the folder of all data is not measured by rows that it may have learned from", async () => {
  const given = {
    ...{ hidden: 100, csv: allRight(100).replace("h0,1", "h0,2"), metricName: "accuracy" },
    ...{ direction: "maximize" as const, output: "METRIC accuracy = 0.97" },
  };
  expect(await judged({ ...given, code: "read('./input/train.csv')" })).toMatchObject({ buggy: false });
  expect(await judged({ ...given, code: "read('/home/data/train.csv')" })).toMatchObject({
    buggy: true,
    why: { kind: "leak", message: expect.stringContaining("./input") },
  });
});

/** Measured by what the script printed. */
function ofScripts() {
  const metric = {
    name: "m",
    value: 0.5,
    direction: "minimize" as const,
    source: "reported",
    folds: [],
    spread: null,
  };
  return { metric };
}

describe("traps of the original", () => {
  it("a whole number is a metric, unless it is to be as the original", async () => {
    expect(await judged({ output: "METRIC m = 3" })).toMatchObject({ buggy: false, metric: { value: 3 } });
    const asOriginal = { settings: COMPAT, review: { ...GOOD, metric: 1 } };
    expect(await judged(asOriginal)).toMatchObject({ buggy: true, why: { kind: "no metric" } });
  });

  it("a value that its metric cannot have is a fault, unless it is to be as the original", async () => {
    const wrong = { metricName: "auc", direction: "maximize" as const };
    expect(await judged({ ...wrong, output: "METRIC auc = 4711.5" })).toMatchObject({
      buggy: true,
      why: { kind: "absurd metric" },
    });
    const asOriginal = { settings: COMPAT, review: { ...GOOD, metric: 4711.5, lower_is_better: false } };
    expect(await judged({ ...wrong, ...asOriginal })).toMatchObject({
      buggy: false,
      metric: { value: 4711.5 },
    });
  });

  it("the reviewer does not overrule what a program printed, unless it is to be as the original", async () => {
    const told = { output: "METRIC rmse = 0.5", review: { ...GOOD, metric: 0.1 } };
    const always = { "agent.review": "always" };
    expect(await judged({ ...told, settings: always })).toMatchObject({
      metric: { value: 0.5, source: "reported" },
    });
    expect(await judged({ ...told, settings: COMPAT })).toMatchObject({
      metric: { value: 0.1, source: "review" },
    });
  });

  it("the direction is fixed once; as the original, two that disagree end the run", async () => {
    const turned = { output: "METRIC m = 3 (higher is better)" };
    expect(await judged(turned)).toMatchObject({ metric: { direction: "minimize" } });
    const asOriginal = {
      settings: COMPAT,
      review: { ...GOOD, lower_is_better: false },
      before: [[null, 1] as const],
    };
    expect(await judged(asOriginal)).toMatchObject({ fatal: expect.stringContaining("disagree") });
  });

  it("a reviewer that fails is not the end, unless it is to be as the original", async () => {
    const always = { settings: { "agent.review": "always" }, review: null };
    expect(await judged(always)).toMatchObject({ buggy: false, metric: { value: 0.5, source: "reported" } });
    expect(await judged({ settings: COMPAT, review: null })).toMatchObject({ fatal: "no reviewer" });
  });

  it("the reviewer's reading counts where the script printed nothing", async () => {
    expect(await judged({ output: "0.25" })).toMatchObject({ metric: { value: 0.25, source: "review" } });
  });

  it("memory has a bound, unless it is to be as the original", () => {
    const many = nodesOf(Array.from({ length: 300 }, () => [null, 1, { plan: "x".repeat(400) }] as const));
    const words = (own: Partial<Record<SettingName, unknown>>) =>
      estimateTokens(
        memoryOf(treeOf(many), settingsWith({ "parts.memory_tokens": 1000, ...own }), "draft", null),
      );
    expect(words({})).toBeLessThan(1100);
    expect(words({ "parts.memory": "scoped", "parts.lessons": true })).toBeLessThan(1100);
    expect(words({ compat: true })).toBeGreaterThan(30_000);
    expect(words({ "parts.memory": "off" })).toBe(0);
  });
});
