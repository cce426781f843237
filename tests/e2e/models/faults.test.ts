import { expect, test } from "vitest";
import { temporaryFolder } from "../temporary-folder.ts";
import { cutStreams } from "./cut-streams.ts";
import { runFaults } from "./faults.ts";

test("whatever a provider does wrong, every call stands in its own trial's ledger once, with what the provider charged", async () => {
  const report = await runFaults({
    folder: temporaryFolder(),
    calls: 600,
    trials: 3,
    seed: 4711,
    parallel: 12,
  });
  expect(report.problems).toEqual([]);
  expect(report.answered).toBeGreaterThan(200);
  expect(report.failed).toBeGreaterThan(5);
  expect(Object.keys(report.faults).length).toBeGreaterThan(7);
});

test("wherever a stream breaks off, in every pair of protocols, it is a failed call and never looks whole", async () => {
  const { cuts, problems } = await cutStreams(temporaryFolder(), 71);
  expect(problems).toEqual([]);
  expect(cuts).toBeGreaterThan(300);
}, 60_000);
