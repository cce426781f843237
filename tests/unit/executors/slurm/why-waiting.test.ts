import { expect, test } from "vitest";
import { whyWaiting } from "../../../../src/executors/slurm/why-waiting.ts";

function task(state: string, reason: string) {
  return { key: "k", jobId: "1", index: 0, state, reason, node: "" };
}

test("what waits its turn needs no word, and neither does what runs", () => {
  expect(
    whyWaiting([task("PENDING", "Resources"), task("PENDING", "Priority"), task("RUNNING", "held")]),
  ).toBe("");
});

test("what no waiting mends is told once for all tasks", () => {
  const line = whyWaiting([task("PENDING", "PartitionTimeLimit"), task("PENDING", "PartitionTimeLimit")]);
  expect(line).toBe("some trials wait in Slurm's queue for: PartitionTimeLimit");
});

test.each([
  "Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority partitions",
  "ReqNodeNotAvail, UnavailableNodes:n[1-4]",
])("of nodes out of service it is said how one finds out, and who returns them: %s", (reason) => {
  expect(whyWaiting([task("PENDING", reason)])).toMatch(/sinfo -R.*state=resume/);
});
