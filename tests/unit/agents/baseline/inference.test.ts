import fs from "node:fs";
import { expect, test } from "vitest";
import { startClock } from "../../../../src/agents/baseline/clock.ts";
import { inferTask } from "../../../../src/agents/baseline/infer-task.ts";
import { readPublicFiles, readSample } from "../../../../src/agents/baseline/reading/public-files.ts";
import { inferMetric } from "../../../../src/agents/baseline/validation/metric.ts";
import { readContract } from "../../../../src/agents/kit/contract.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

const STARTERS = [
  ["batch-jobs", "kappa", "maximize"],
  ["bird-strikes", "auc", "maximize"],
  ["births", "mae", "minimize"],
  ["cutouts", "dice", "maximize"],
  ["dependencies", "map-at-k", "maximize"],
  ["garments", "accuracy", "maximize"],
  ["house-prices", "rmsle", "minimize"],
  ["pronunciation", "edit-distance", "minimize"],
  ["sounds", "macro-f1", "maximize"],
  ["spam", "log-loss", "minimize"],
  ["stained-drawings", "rmse", "minimize"],
  ["verb-frames", "micro-f1", "maximize"],
] as const;

test.each(STARTERS)("the metric of starter-%s is read from its description", (id, name, direction) => {
  const description = fs.readFileSync(`src/competitions/starter-${id}/description.md`, "utf8");
  expect(inferMetric(description)).toMatchObject({ name, direction });
});

test("a description without a known metric still says which way is better", () => {
  const metric = inferMetric("## Metric\n\n**Some index of ours, lower is better.**\n");
  expect(metric).toMatchObject({ name: null, direction: "minimize" });
});

test("the number of entries that count is read from the metric's name", () => {
  expect(inferMetric("## Evaluation\n\n**MAP@7, higher is better.**").k).toBe(7);
});

async function taskOf(files: Record<string, string>) {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) writeText(folder, name, content);
  const sample = await readSample(folder);
  return sample && inferTask(readPublicFiles(folder, sample, { memoryBytes: Number.NaN, seconds: 10 }));
}

test("classes that are columns of the sample are found in the column that names them", async () => {
  const task = await taskOf({
    "description.md": "## Evaluation\n\nMulti-class logarithmic loss.",
    "train.csv": "id,text,author\n1,some words,A\n2,other words,B\n3,more,C\n",
    "test.csv": "id,text\n4,words\n",
    "sample_submission.csv": "id,A,B,C\n4,0.3,0.3,0.4\n",
  });
  expect(task).toMatchObject({ shape: "rows", answer: { kind: "probabilities", column: "author" } });
});

test("a feature whose values are the names of the classes is not taken for the target", async () => {
  const task = await taskOf({
    "description.md": "## Evaluation\n\nMulti-class logarithmic loss.",
    "train.csv": "id,pixel,digit\n1,0,2\n2,1,0\n3,2,1\n",
    "test.csv": "id,pixel\n4,1\n",
    "sample_submission.csv": "id,0,1,2\n4,0.3,0.3,0.4\n",
  });
  expect(task).toMatchObject({ shape: "rows", answer: { kind: "probabilities", column: "digit" } });
});

test("a column that repeats and that the test lacks keeps rows together", async () => {
  const rows = Array.from({ length: 20 }, (_, i) => `${i},${i % 6},${i},${i % 2}`);
  const task = await taskOf({
    "description.md": "## Metric\n\n**Accuracy, higher is better.**",
    "train.csv": `id,person,x,y\n${rows.join("\n")}\n`,
    "test.csv": "id,x\n50,1\n",
    "sample_submission.csv": "id,y\n50,0\n",
  });
  expect(task).toMatchObject({ shape: "rows", answer: { kind: "label" } });
  expect(task).toMatchObject({ separation: { by: "groups", column: "person" } });
});

const NUMBER_TASK = { "description.md": "## Metric\n\n**RMSE, lower is better.**" };

test("a column that repeats in train and test, without a value in common, keeps rows together", async () => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `${from + i},p${Math.floor((from + i) / 3)},${i % 7}`);
  const task = await taskOf({
    ...NUMBER_TASK,
    "train.csv": `id,person,x,y\n${rows(0, 60).join(",1\n")},2\n`,
    "test.csv": `id,person,x\n${rows(60, 75).join("\n")}\n`,
    "sample_submission.csv": "id,y\n60,0\n",
  });
  expect(task).toMatchObject({ separation: { by: "groups", column: "person" } });
});

test.each([
  ["dates", (i: number) => new Date(Date.UTC(2021, 0, 1 + i)).toISOString().slice(0, 10)],
  ["numbers", (i: number) => String(1000 + i / 2)],
])("%s that lie later in the test part the folds by time", async (_, moment) => {
  const rows = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, i) => `${from + i},${moment(from + i)},${i % 7}`);
  const task = await taskOf({
    ...NUMBER_TASK,
    "train.csv": `id,when,x,y\n${rows(0, 60).join(",1\n")},2\n`,
    "test.csv": `id,when,x\n${rows(60, 75).join("\n")}\n`,
    "sample_submission.csv": "id,y\n60,0\n",
  });
  expect(task).toMatchObject({ separation: { by: "time", column: "when" } });
});

test("rows parted by chance are neither grouped nor ordered", async () => {
  const row = (i: number) => `${i},p${i % 9},${2000 + (i % 25)},${i % 7}`;
  const rows = (rest: number) => Array.from({ length: 40 }, (_, i) => row(2 * i + rest));
  const task = await taskOf({
    ...NUMBER_TASK,
    "train.csv": `id,person,when,x,y\n${rows(0).join(",1\n")},2\n`,
    "test.csv": `id,person,when,x\n${rows(1).join("\n")}\n`,
    "sample_submission.csv": "id,y\n1,0\n",
  });
  expect(task).toMatchObject({ separation: { by: "chance" } });
});

test("data that make no sense are an unknown task with a reason, not an error", async () => {
  const task = await taskOf({ "sample_submission.csv": "id,y\n1,0\n", "train.csv": '"unclosed' });
  expect(task).toMatchObject({ shape: "unknown", why: expect.stringContaining("train.csv") });
});

test("without a sample submission there is nothing to infer", async () => {
  expect(await taskOf({ "train.csv": "id,y\n1,0\n" })).toBeNull();
});

test("the plan's seconds come from the limit alone; the clock only says when it is over", () => {
  const contract = readContract({ TIME_LIMIT_SECS: "100", MLEBENCH_DEADLINE_EPOCH: "1050" });
  let now = 1_000_000;
  const clock = startClock(contract, () => now);
  expect(clock.plannedSeconds).toBeCloseTo(startClock(contract, () => 0).plannedSeconds);
  expect(clock.isOver()).toBe(false);
  now = 1_049_000;
  expect(clock.isOver()).toBe(true);
  expect(clock.wasCut()).toBe(true);
});
