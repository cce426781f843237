// full: a process of another machine is stopped for longer than its lease, which takes its time
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { notTested } from "../../tools.ts";
import { mlebench } from "../cli.ts";
import { plan, scene } from "../trials/setting.ts";

const MAIN = path.resolve("dist/cli/main.js");
const canHaveOwnIds = spawnSync("unshare", ["--pid", "--fork", "--mount-proc", "true"]).status === 0;
if (!canHaveOwnIds)
  notTested({
    what: "an orphan on another node",
    why: "process ids of one's own need root",
    command: "run the tests as root",
    ofThisPlace: true,
  });

test.runIf(canHaveOwnIds)(
  "an orphan that wakes up after another has taken its trial publishes nothing",
  async () => {
    const setting = scene('cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"; sleep 5');
    const folder = await plan(setting, { sandbox: "process", executor: "slurm" });
    const [{ id }] = JSON.parse(fs.readFileSync(path.join(folder, "group.json"), "utf8")).trials;
    const trial = path.join(folder, id);
    // Its process ids are its own, so that nobody here can ask whether it lives: as on another node.
    const orphan = spawn(
      "unshare",
      ["--pid", "--fork", "--mount-proc", "--kill-child", process.execPath, MAIN, "trial", folder, id],
      { stdio: "ignore" },
    );
    await expect
      .poll(() => fs.existsSync(path.join(trial, "heartbeat.json")), { timeout: 60_000 })
      .toBe(true);
    const inner = Number(fs.readFileSync(`/proc/${orphan.pid}/task/${orphan.pid}/children`, "utf8").trim());
    expect(inner).toBeGreaterThan(1);
    process.kill(inner, "SIGSTOP");
    const taken = mlebench(["trial", folder, id], { MLEBENCH_LEASE_SECONDS: "10" }, 120_000);
    expect([taken.code, taken.stderr]).toEqual([0, expect.stringContaining("watching for a sign of life")]);
    const certificate = fs.readFileSync(path.join(trial, "certificate.json"), "utf8");
    const record = fs.readFileSync(path.join(trial, "trial.json"), "utf8");
    process.kill(inner, "SIGCONT");
    await once(orphan, "exit");
    expect(fs.readFileSync(path.join(trial, "certificate.json"), "utf8")).toBe(certificate);
    expect(fs.readFileSync(path.join(trial, "trial.json"), "utf8")).toBe(record);
    expect(JSON.parse(record)).toMatchObject({ status: "finished", attempt: 2 });
    expect(fs.existsSync(path.join(trial, "attempts", "1"))).toBe(true);
    const verified = mlebench(["verify", folder]);
    expect([verified.code, verified.stdout]).toEqual([0, expect.anything()]);
  },
  240_000,
);
