// full: large tables
import { expect, test } from "vitest";
import { formatProblem } from "../../../src/agents/baseline/format-check.ts";
import { readTextTable } from "../../../src/agents/baseline/reading/text-table.ts";
import { agentPlace, runAgent } from "./agent-process.ts";
import { writeLargeTable } from "./large-tables.ts";

const MEMORY = 400 * 2 ** 20;

test("a table of 200,000 rows is learned from in 400 MB, and every row of the test is predicted", async () => {
  const data = writeLargeTable({ trainRows: 200_000, testRows: 100_000, furtherColumns: 0 });
  const place = agentPlace({ data, seconds: 24, untilDeadline: 400, memoryBytes: MEMORY });
  const { code, stderr, peakBytes } = await runAgent(place.variables);
  expect(code, stderr).toBe(0);
  // On systems without /proc it cannot be measured from outside.
  if (process.platform === "linux") expect(peakBytes).toBeGreaterThan(2 ** 25);
  expect(peakBytes).toBeLessThan(MEMORY);
  const sample = readTextTable(`${data}/sample_submission.csv`);
  if (sample === null) throw new Error("no sample submission");
  expect(formatProblem(place.submission, sample)).toBeNull();
  const answers = readTextTable(place.submission)?.columns[1] ?? [];
  expect(new Set(answers).size).toBeGreaterThan(50_000);
  // The target's own deviation is 1.1, its noise 0.09.
  expect(place.metrics().value).toBeLessThan(0.5);
  expect(place.solution()).toMatchObject({ settings: { rowsInFile: 200_000 } });
}, 300_000);
