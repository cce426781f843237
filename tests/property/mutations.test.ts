// full: thousands of mutated submissions
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const COUNT = 3000;

// The soak runs in processes of its own, with a watchdog: a grader that hangs must not hang the tests.
test(`${COUNT} mutated submissions of all competitions each give a typed outcome, without a crash or a hang`, async () => {
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["scripts/soak.mjs", "mutations", "--count", String(COUNT)],
    { timeout: 240_000 },
  );
  expect(stderr).toBe("");
  const summary = JSON.parse(stdout);
  expect(summary).toMatchObject({ cases: COUNT, competitions: 82, defects: 0 });
  expect(Object.keys(summary.statuses).sort()).toEqual(["invalid", "scored"]);
  expect(summary.statuses.scored).toBeGreaterThan(COUNT / 20);
}, 250_000);
