import { expect, test } from "vitest";
import { demoRows } from "../../../src/analysis/demo-rows.ts";
import { collectResults } from "../../../src/analysis/results.ts";
import { readRecords } from "../../../src/analysis/trial-records.ts";
import { demoLines } from "../../../src/reporters/text/demo.ts";
import { plantGroup } from "../report/planted-group.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const COMPETITIONS = ["starter-births", "starter-spam", "starter-sounds"];

/** The lines of a demo whose baseline left these texts as its metrics. */
async function linesFor(metrics: readonly string[]): Promise<string[]> {
  const trials = COMPETITIONS.map((competitionId, i) => ({
    competitionId,
    seed: 0,
    files: { "submission/metrics.json": metrics[i] },
  }));
  const read = readRecords([plantGroup(temporaryFolder(), "baseline", trials)]);
  if (!read.ok) throw new Error(read.message);
  const results = await collectResults(read.agents, [], { title: "demo", now: new Date(0) });
  return demoLines(results, demoRows(results), (_, text) => text);
}

test("a demo says how often the clock cut what the agent had planned", async () => {
  const lines = await linesFor(['{"cut":true,"value":null}', '{"cut":false}', '{"cut":true}']);
  expect(lines).toContain("The clock cut baseline short in 2 of 3: on a quieter machine it gets further.");
});

test("and is silent where it did not, whatever the agent wrote", async () => {
  const lines = await linesFor(['{"cut":false}', "no JSON", "[]"]);
  expect(lines.filter((line) => line.includes("The clock cut"))).toEqual([]);
});
