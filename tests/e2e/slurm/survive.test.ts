// full: a real Slurm whose tasks, controller, node and submitter are killed; npm run soak -- slurm has 60 trials
import fs from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { KIND } from "../trials/kinds.ts";
import { type Cluster, canStartCluster, startCluster } from "./cluster.ts";
import { survive } from "./survive.ts";

describe.skipIf(!canStartCluster())("on a cluster where everything fails once", () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = startCluster();
  }, 240_000);
  afterAll(() => cluster.stop(), 60_000);

  test("every trial is finished exactly once, and nothing is left", async () => {
    const outcome = await survive(cluster, {
      trials: 16,
      sandbox: KIND,
      // Long enough to be cut off at work even when this machine is busy.
      sleepSeconds: 5,
      leaseSeconds: 10,
      tellOfNode: true,
      // Less than the test's own limit, so that a failure tells what stands where.
      patienceSeconds: 150,
    });
    expect([outcome.resumed.code, outcome.resumed.stderr]).toEqual([0, expect.anything()]);
    expect(outcome.records.map(({ status }) => status)).toEqual(Array(16).fill("finished"));
    expect(outcome.verified.code).toBe(0);
    expect(outcome.queue).toBe("");
    // What was cut off was an attempt, and is kept as one.
    expect(outcome.records.some(({ attempt }) => attempt > 1)).toBe(true);
    for (const name of fs.readdirSync(outcome.folder))
      for (const left of ["trial.lock", "heartbeat.json", "work"])
        expect(fs.existsSync(`${outcome.folder}/${name}/${left}`), `${name}/${left}`).toBe(false);
  }, 360_000);
});
