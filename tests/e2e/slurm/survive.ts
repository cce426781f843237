import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { mlebench, startMlebench } from "../cli.ts";
import { COMPETITION, scene } from "../trials/setting.ts";
import type { Cluster } from "./cluster.ts";
import { emptyQueue, lines, returnDrained, whatStandsWhere } from "./cluster-state.ts";

export interface Survival {
  folder: string;
  /** The exit code and last words of whoever finished the group. */
  resumed: { code: number | null; stdout: string; stderr: string };
  records: SlurmRecord[];
  verified: { code: number | null; stdout: string };
  /** What is still in the queue. */
  queue: string;
  seconds: number;
}

export interface SlurmRecord {
  status: string;
  attempt: number;
  executor: { name: string; jobId: string };
  host: { name: string };
}

export interface Hardship {
  trials: number;
  sandbox: string;
  /** How long an agent works. */
  sleepSeconds: number;
  /** How long a lock of a dead host is watched. */
  leaseSeconds: number;
  /** Slurm is told that the node is down; otherwise it has to find out, which takes it half a minute. */
  tellOfNode: boolean;
  /** The controller comes back without its memory: it saves what it knows every few seconds only. */
  forget?: boolean;
  /** Slurm never hears of the end of one task, and shows it running for ever. */
  ghost?: boolean;
  /** How long the rest may take once everything has been broken; then what stands where is told. */
  patienceSeconds: number;
  say?: (line: string) => void;
}

/** How long the first trials may take to begin. */
const BEGIN_MS = 90_000;

/**
 * Runs a group through all that happens on a cluster: tasks cancelled while they wait and while they run, jobs of higher
 * rank, whoever submitted killed, the controller killed and started again, a node without power.
 */
export async function survive(cluster: Cluster, hardship: Hardship): Promise<Survival> {
  const { trials, sandbox, sleepSeconds, leaseSeconds, patienceSeconds } = hardship;
  const before = performance.now();
  const story: string[] = [];
  const say = (line: string) => {
    const since = ((performance.now() - before) / 1000).toFixed(1);
    story.push(`${since.padStart(6)} s  ${line}`);
    hardship.say?.(line);
  };
  const setting = scene(
    `cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"; sleep ${sleepSeconds}`,
  );
  const env = { ...cluster.env, MLEBENCH_LEASE_SECONDS: `${leaseSeconds}` };
  const folder = path.join(setting.runsDir, "hard");
  const submitter = startMlebench(
    [
      ...["run", "--agent", "scripted", "--agents-dir", setting.agentsDir, "--data-dir", setting.dataDir],
      ...["--runs-dir", setting.runsDir, "--name", "hard", "-c", COMPETITION, "--seeds", `${trials}`],
      ...[
        "--executor",
        "slurm",
        "--sandbox",
        sandbox,
        "--cpus",
        "1",
        "--memory",
        "200MiB",
        "--time-limit",
        "60s",
      ],
    ],
    env,
  );
  let said = "";
  submitter.stderr?.on("data", (chunk) => {
    said += chunk;
  });
  const begun = () => lines(path.join(folder, "starts.jsonl")).length;
  while (begun() < 4) {
    if (performance.now() - before > BEGIN_MS || submitter.exitCode !== null) {
      submitter.kill("SIGKILL");
      throw new Error(`nothing begins: ${said}\n${whatStandsWhere(cluster, folder, story)}`);
    }
    await wait(100);
  }
  const tasks = cluster
    .slurm("squeue", "-h", "-r", "-o", "%F_%K %T")
    .split("\n")
    .map((line) => line.split(" "));
  const oneOf = (state: string) => tasks.find((task) => task[1] === state)?.[0];
  const cancelled = [oneOf("RUNNING"), oneOf("PENDING")].filter((task) => task !== undefined);
  if (cancelled.length === 0)
    throw new Error(`nothing to cancel is left\n${whatStandsWhere(cluster, folder, story)}`);
  say(`cancelling ${cancelled.join(" and ")}`);
  cluster.slurm("scancel", ...cancelled);
  if (hardship.ghost) {
    say("ending a task behind Slurm's back");
    endBehindSlurm(folder);
  }
  say("killing whoever submitted");
  submitter.kill("SIGKILL");
  await once(submitter, "exit");
  say("killing the controller");
  cluster.do("kill-controller");
  await wait(500);
  if (hardship.forget) {
    say("and all it knew of jobs");
    const state = path.join(path.dirname(cluster.env.SLURM_CONF), "state");
    for (const name of fs.readdirSync(state))
      if (name.startsWith("job_state")) fs.rmSync(path.join(state, name));
  }
  cluster.do("start-controller");
  say("cutting the power of n2");
  cluster.do("kill-node", "n2");
  if (hardship.tellOfNode) cluster.slurm("scontrol", "update", "nodename=n2", "state=down", "reason=test");
  say("a job of higher rank");
  cluster.slurm("sbatch", "-p", "urgent", "-w", "n3", "--exclusive", "-o", "/dev/null", "--wrap", "sleep 1");
  say("going on");
  const ended = new AbortController();
  const administrator = returnDrained(cluster, ended.signal, say);
  const resumed = await finished(startMlebench(["resume", folder], env), patienceSeconds, say);
  ended.abort();
  await administrator;
  if (resumed.code === null)
    throw new Error(
      `resume is not done after ${patienceSeconds} s\n${resumed.stderr.slice(-4000)}\n${whatStandsWhere(cluster, folder, story)}`,
    );
  say(`resume ended with ${resumed.code}`);
  const verified = mlebench(["verify", folder], {}, 120_000);
  cluster.do("start-node", "n2");
  const queue = await emptyQueue(cluster);
  return {
    folder,
    resumed,
    verified,
    records: fs
      .readdirSync(folder)
      .filter((name) => name.startsWith(COMPETITION))
      .map((name) => JSON.parse(fs.readFileSync(path.join(folder, name, "trial.json"), "utf8"))),
    queue,
    seconds: (performance.now() - before) / 1000,
  };
}

/** Kills what would tell Slurm of a task's end, and then ends the task. */
function endBehindSlurm(folder: string): void {
  const isTask = (pid: string) => {
    try {
      const [, , verb, group] = fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
      return verb === "trial" && group === folder;
    } catch {
      return false;
    }
  };
  const task = fs.readdirSync("/proc").find((pid) => /^\d+$/.test(pid) && isTask(pid));
  if (task === undefined) return;
  const [, parent] = /^PPid:\s+(\d+)/m.exec(fs.readFileSync(`/proc/${task}/status`, "utf8"))!;
  process.kill(Number(parent), "SIGKILL");
  process.kill(Number(task), "SIGTERM");
}

/** A null code: it was not done in time. */
async function finished(
  child: ReturnType<typeof startMlebench>,
  patienceSeconds: number,
  say: (line: string) => void,
): Promise<Survival["resumed"]> {
  const timer = setTimeout(() => child.kill("SIGKILL"), patienceSeconds * 1000);
  const result = { code: null as number | null, stdout: "", stderr: "" };
  child.stdout?.on("data", (chunk) => {
    result.stdout += chunk;
  });
  child.stderr?.on("data", (chunk) => {
    result.stderr += chunk;
    for (const line of String(chunk).split("\n")) if (/:|lock/.test(line) && !/ of /.test(line)) say(line);
  });
  [result.code] = await once(child, "close");
  clearTimeout(timer);
  return result;
}
