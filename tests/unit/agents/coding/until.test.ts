import { expect, test } from "vitest";
import { nextStart, type Progress, readUntil } from "../../../../src/agents/coding/until.ts";

const busy = { status: 0, seconds: 60, facts: { toolCalls: 5 } };
const broken = { status: 1, seconds: 60, facts: { toolCalls: 0 } };
const idle = { status: 0, seconds: 60, facts: { toolCalls: 0 } };

/** Ten of a hundred minutes are used. */
function progress(change: Partial<Progress> = {}): Progress {
  const now = Date.now() / 1000;
  const usual = { until: "used:0.9", start: now - 600, deadline: now + 5400, runs: [busy] };
  return { ...usual, maxContinuations: 50, budgetUsed: 0, ...change };
}

test.each([
  ["time and money are left", {}, 0],
  ["half of the money is spent", { budgetUsed: 0.5 }, 0],
  ["the share of the money is spent", { budgetUsed: 0.9 }, null],
  ["the share of the time is used", { start: Date.now() / 1000 - 1e6 }, null],
  ["its first stop is its last", { until: "first-stop" }, null],
  ["it did nothing once", { runs: [busy, idle] }, 0],
  ["it did nothing twice", { runs: [busy, idle, idle] }, null],
  ["its work ended in a failure", { runs: [{ ...busy, status: 1 }] }, 0],
  ["it ended badly after a good run", { runs: [busy, { ...busy, status: 1 }] }, 0],
  ["the model is out of reach from the start", { runs: [broken] }, 5],
  ["it never did anything", { runs: [broken, broken, broken] }, null],
  ["the model is out of reach for minutes", { runs: [busy, broken, broken, broken, broken] }, 320],
  ["the model has gone for good", { runs: [busy, broken, broken, broken, broken, broken] }, null],
  ["the model came back", { runs: [broken, broken, busy, broken] }, 5],
  ["waiting would use up the share", { runs: [broken], until: "used:0.1" }, null],
  ["it was continued often enough", { maxContinuations: 0 }, null],
  ["the deadline is near", { until: "used:1", deadline: Date.now() / 1000 + 5 }, null],
] as const)("when %s, another run is wanted: %s → in %s s", (_, change, seconds) => {
  expect(nextStart(progress(change as Partial<Progress>))).toBe(seconds);
});

test.each([
  ["used:0.9", 0.9],
  ["used:1", 1],
  ["first-stop", 0],
  ["used:1.5", null],
  ["used:", null],
  ["always", null],
])("%s reads as %s", (until, share) => {
  expect(readUntil(until)).toBe(share);
});
