// full: a real Slurm of four nodes on this machine; its decisions alone are tested in tests/unit/executors/slurm
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { mlebench, startMlebench } from "../cli.ts";
import { KIND } from "../trials/kinds.ts";
import { COMPETITION, type Scene, scene } from "../trials/setting.ts";
import { type Cluster, canStartCluster, startCluster } from "./cluster.ts";
import { emptyQueue } from "./cluster-state.ts";

const COPY = 'cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"';

describe.skipIf(!canStartCluster())("with the executor slurm", () => {
  let cluster: Cluster;
  beforeAll(() => {
    cluster = startCluster();
  }, 240_000);
  afterAll(() => cluster.stop(), 60_000);

  function runArguments({ agentsDir, dataDir, runsDir }: Scene, name: string, seeds: number): string[] {
    return [
      ...[
        "run",
        "--agent",
        "scripted",
        "--agents-dir",
        agentsDir,
        "--data-dir",
        dataDir,
        "--runs-dir",
        runsDir,
      ],
      ...["--name", name, "-c", COMPETITION, "--seeds", `${seeds}`, "--executor", "slurm", "--sandbox", KIND],
      ...["--cpus", "1", "--memory", "200MiB", "--time-limit", "60s"],
    ];
  }

  test("a group runs on the nodes, and every trial's record says where", async () => {
    const setting = scene(COPY);
    const ran = mlebench(
      [...runArguments(setting, "eight", 8), "--gpus", "0", "--json"],
      cluster.env,
      120_000,
    );
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("error")]);
    const folder = path.join(setting.runsDir, "eight");
    const records = readRecords(folder);
    expect(records).toHaveLength(8);
    const jobs = records.map(({ executor }) => executor.jobId);
    expect(new Set(jobs).size).toBe(8);
    for (const { status, attempt, executor, host } of records)
      expect({ status, attempt, executor, host }).toMatchObject({
        status: "finished",
        attempt: 1,
        executor: { name: "slurm", jobId: expect.stringMatching(/^\d+_\d$/) },
        host: { name: expect.stringMatching(/^n[1-4]$/) },
      });
    expect(mlebench(["verify", folder]).code).toBe(0);
    expect(await emptyQueue(cluster)).toBe("");
    // Nothing remains of tasks whose trials are finished.
    expect(fs.readdirSync(path.join(folder, "slurm", "logs"))).toEqual([]);
  }, 240_000);

  test("what the cluster cannot do is said before, or in Slurm's own words", () => {
    const setting = scene(COPY);
    const args = (name: string, ...more: string[]) => [...runArguments(setting, name, 2), ...more];
    const tooMuch = mlebench(args("much", "--gpus", "9"), cluster.env);
    expect([tooMuch.code, tooMuch.stderr]).toEqual([3, expect.stringContaining("TOO_MUCH")]);
    const nowhere = mlebench(args("nowhere", "--partition", "nosuch"), cluster.env);
    expect([nowhere.code, nowhere.stderr]).toEqual([3, expect.stringContaining("there are: main, urgent")]);
    const refused = mlebench(args("refused", "--constraint", "nosuch"), cluster.env, 120_000);
    expect([refused.code, refused.stderr]).toEqual([3, expect.stringContaining("SBATCH_REFUSED")]);
    const odd = mlebench(args("odd", "--slurm-arg", "--array=1-5"), cluster.env);
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining("BAD_SLURM_ARG")]);
  }, 240_000);

  test("doctor sees the cluster, and which nodes are out of service and why", () => {
    const slurmChecks = () => {
      const args = ["doctor", "--executor", "slurm", "--offline", "--json"];
      const { checks } = JSON.parse(mlebench(args, cluster.env, 120_000).stdout) as {
        checks: { area: string; name: string; status: string; message: string }[];
      };
      return checks.filter(({ area }) => area === "slurm");
    };
    expect(slurmChecks().map(({ name, status }) => `${name} ${status}`)).toEqual(
      expect.arrayContaining(["cluster ok", "time limit ok", "nodes ok", "grace ok", "accounting ok"]),
    );
    cluster.slurm("scontrol", "update", "nodename=n4", "state=drain", "reason=Duplicate jobid");
    try {
      expect(slurmChecks().find(({ name }) => name === "nodes")).toMatchObject({
        status: "warning",
        message: "out of service are n4: Duplicate jobid",
      });
    } finally {
      cluster.slurm("scontrol", "update", "nodename=n4", "state=resume");
    }
  }, 240_000);

  test("status, logs and cancel work while Slurm runs a trial, from a host that only sees the folder", async () => {
    const setting = scene(`${COPY}; echo still here; sleep 100`);
    const child = startMlebench([...runArguments(setting, "long", 1), "--nodes", "n3"], cluster.env);
    const folder = path.join(setting.runsDir, "long");
    const status = () =>
      JSON.parse(mlebench(["status", folder, "--json"]).stdout).groups[0].trials[0] as {
        id: string;
        state: string;
        heartbeat: { host: string; executor: string } | null;
      };
    await expect
      .poll(() => fs.existsSync(path.join(folder, "group.json")) && status().heartbeat, {
        timeout: 120_000,
        interval: 1000,
      })
      .toMatchObject({ host: "n3", executor: "slurm" });
    const { id } = status();
    await expect
      .poll(() => mlebench(["logs", path.join(folder, id)]).stdout, { timeout: 60_000, interval: 1000 })
      .toContain("still here");
    expect(mlebench(["cancel", path.join(folder, id)]).code).toBe(0);
    const [code] = await once(child, "exit");
    expect(code).toBe(0);
    expect(status().state).toBe("finished");
  }, 240_000);
});

interface RecordOfTrial {
  status: string;
  attempt: number;
  executor: { name: string; jobId: string };
  host: { name: string };
}

function readRecords(folder: string): RecordOfTrial[] {
  return fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(COMPETITION))
    .map((name) => JSON.parse(fs.readFileSync(path.join(folder, name, "trial.json"), "utf8")));
}
