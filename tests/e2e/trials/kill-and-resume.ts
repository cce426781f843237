import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { readGroup } from "../../../src/trials/group/folder.ts";
import { readEvents } from "../../../src/trials/trial/events.ts";
import { readTrial } from "../../../src/trials/trial/folder.ts";
import { type System, systemOptions } from "../survival/faults.ts";
import { COMPETITION, layOutPrepared, shellAgent } from "./setting.ts";

/** Three versions of a submission within a fraction of a second, and a background process that would outlive it. */
const SCRIPT = `
sleep 1000 &
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
sleep 0.15
echo "id99999,0.3,0.3,0.4" >> "$SUBMISSION_DIR/submission.csv"
sleep 0.15
cp "$DATA_DIR/sample_submission.csv" "$SUBMISSION_DIR/submission.csv"
`;

/** What a harness may get from anybody who may send it signals at all. */
export const ANY_SIGNAL: readonly NodeJS.Signals[] = [
  ...(["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGKILL", "SIGSTOP", "SIGCONT", "SIGPIPE"] as const),
  ...(["SIGUSR1", "SIGUSR2", "SIGALRM", "SIGVTALRM", "SIGWINCH", "SIGABRT", "SIGURG"] as const),
];

export interface KillPlan {
  /** The built command line. */
  main: string;
  folder: string;
  kills: number;
  trials: number;
  system: System;
  /** Which signals it gets, one after the other until it ends; SIGKILL unless told. */
  signals?: readonly NodeJS.Signals[];
  random(): number;
  log(line: string): void;
}

/**
 * Kills the harness again and again while it runs a group, resumes it each time, and returns everything that is not
 * as it should be in the end: a trial that is not finished exactly once, a submission that was lost, a certificate
 * that does not verify, anything left on the host. A fast machine may be done before the last kill.
 */
export async function killAndResume(plan: KillPlan): Promise<{ kills: number; problems: string[] }> {
  const { folder } = plan;
  const dataDir = layOutPrepared(path.join(folder, "data"));
  const agents = shellAgent(path.join(folder, "agents"), SCRIPT);
  const runs = path.join(folder, "runs");
  const group = path.join(runs, "killed");
  const start = [
    ...["run", "--agent", "scripted", "--agents-dir", agents, "--data-dir", dataDir, "--runs-dir", runs],
    ...["-c", COMPETITION, "--seeds", String(plan.trials), "--workers", "2", "--name", "killed"],
    ...[...systemOptions(plan.system), "--time-limit", "60s", "--json"],
  ];
  const problems: string[] = [];
  const sealed = new Map<string, string>();
  let kills = 0;
  for (let round = 0; round < 10 * plan.kills + 10; round++) {
    const planned = readGroup(group) !== null;
    const harness = launch(plan.main, planned ? ["resume", group, "--json"] : start);
    const last = kills >= plan.kills;
    if (!last) kills += await pester(harness, plan, plan.kills - kills);
    await harness.ended;
    problems.push(...changedCertificates(group, sealed));
    plan.log(`round ${round}: ${kills} kills, ${sealed.size} of ${plan.trials} finished`);
    const interrupted = !last && plan.signals !== undefined && harness.child.exitCode === 130;
    if (last || ((harness.child.exitCode ?? 0) !== 0 && !interrupted)) {
      if (harness.child.exitCode !== 0)
        problems.push(`the harness ended with ${harness.child.exitCode}: ${harness.errors()}`);
      break;
    }
    // All trials may be done before all kills were.
    if (harness.child.exitCode === 0 && sealed.size === plan.trials) break;
  }
  problems.push(...lostSubmissions(group), ...unfinished(group, plan.trials), ...leftovers(group));
  const verified = launch(plan.main, ["verify", group, "--data-dir", dataDir, "--json"]);
  await verified.ended;
  if (verified.child.exitCode !== 0)
    problems.push(`verify ended with ${verified.child.exitCode}: ${verified.output().slice(0, 4000)}`);
  return { kills, problems };
}

/** Sends signals until the harness has ended, or there have been enough; returns how many there were. */
async function pester(
  { child, ended }: ReturnType<typeof launch>,
  { signals = ["SIGKILL"], random }: KillPlan,
  most: number,
): Promise<number> {
  const isAlive = () => child.exitCode === null && child.signalCode === null;
  let sent = 0;
  await Promise.race([wait(100 + random() * 1800), ended]);
  while (isAlive() && sent < most) {
    const signal = signals[Math.floor(random() * signals.length)];
    child.kill(signal);
    sent++;
    if (signal === "SIGSTOP") {
      await wait(random() * 500);
      child.kill("SIGCONT");
    }
    await Promise.race([wait(random() * 600), ended]);
  }
  return sent;
}

function launch(main: string, args: readonly string[]) {
  const child: ChildProcess = spawn(process.execPath, [main, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  const texts = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk) => (texts[name] += chunk));
  return { child, ended: once(child, "close"), output: () => texts.stdout, errors: () => texts.stderr };
}

/** What is done is never done again: a certificate stays as it was. */
function changedCertificates(group: string, sealed: Map<string, string>): string[] {
  const problems: string[] = [];
  for (const { id } of readGroup(group)?.trials ?? []) {
    const file = path.join(group, id, "certificate.json");
    if (!fs.existsSync(file)) {
      if (sealed.has(id)) problems.push(`${id} lost its certificate`);
      continue;
    }
    const text = fs.readFileSync(file, "utf8");
    if (sealed.has(id) && sealed.get(id) !== text) problems.push(`${id} was done twice`);
    sealed.set(id, text);
  }
  return problems;
}

function unfinished(group: string, expected: number): string[] {
  const trials = readGroup(group)?.trials ?? [];
  const file = path.join(group, "metadata.json");
  if (!fs.existsSync(file))
    return [`${trials.length} trials of ${expected} are planned, and no metadata.json`];
  const metadata = JSON.parse(fs.readFileSync(file, "utf8"));
  const problems = trials.flatMap(({ id }) => {
    const trial = readTrial(path.join(group, id));
    const finished = trial?.status === "finished" && trial.outcome?.stopReason === "exited";
    return finished && metadata.runs[id]?.success === true ? [] : [`${id} is not finished`];
  });
  if (trials.length !== expected) problems.push(`${trials.length} trials instead of ${expected}`);
  return problems;
}

/** Every version that any attempt has recorded is still there. */
function lostSubmissions(group: string): string[] {
  const problems: string[] = [];
  for (const { id } of readGroup(group)?.trials ?? []) {
    const folder = path.join(group, id);
    const attempts = path.join(folder, "attempts");
    const earlier = fs.existsSync(attempts)
      ? fs.readdirSync(attempts).map((n) => path.join(attempts, n))
      : [];
    for (const attempt of [folder, ...earlier]) {
      const { events, problem } = readEvents(path.join(attempt, "events.jsonl"));
      if (problem !== null) problems.push(`${attempt}: ${problem}`);
      for (const { type, data } of events)
        if (type === "submission" && !fs.existsSync(path.join(attempt, "submissions", `${data.sha256}.csv`)))
          problems.push(`${attempt} has lost ${data.sha256}`);
    }
    const final = readTrial(folder)?.final?.sha256;
    if (!final || !fs.existsSync(path.join(folder, "submission", "submission.csv")))
      problems.push(`${id} has no final submission`);
  }
  return problems;
}

/** Of this group's own trials, earlier attempts included: other tests run trials at the same time. */
function leftovers(group: string): string[] {
  const records = fs.readdirSync(group, { recursive: true, encoding: "utf8" });
  const folders = records
    .filter((file) => path.basename(file) === "trial.json")
    .flatMap((file) => readTrial(path.dirname(path.join(group, file)))?.sandbox.runtimeFolder ?? []);
  return folders.filter((folder) => fs.existsSync(folder)).map((folder) => `${folder} was left behind`);
}
