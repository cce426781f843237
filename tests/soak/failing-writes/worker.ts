import { type ChildProcess, fork } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { isAccepted } from "../../../src/trials/certificate/verification.ts";
import { verifyGroup } from "../../../src/trials/certificate/verify-group.ts";
import { readTrial } from "../../../src/trials/trial/folder.ts";
import type { RunOutcome, RunRequest } from "../../../src/workflows/run/request.ts";
import { resumeRun, startRun } from "../../../src/workflows/run/run.ts";
import {
  brokenChains,
  endProblems,
  type Fault,
  faultScene,
  leftovers,
  type System,
} from "../../e2e/survival/faults.ts";
import { COMPETITION } from "../../e2e/trials/setting.ts";

export interface Tried {
  calls: number;
  problems: string[];
}

/** A harness that lives on: it runs one trial after the other, each with its fault, and is started anew where it dies. */
export function faultWorker(calls: Fault["calls"], system: System) {
  let child: ChildProcess | null = null;
  let said = "";
  const alive = () => {
    if (child !== null) return child;
    said = "";
    const started = fork(process.argv[1], ["--worker"], {
      execArgv: ["--import", path.resolve("tests/e2e/survival/faulty-system.mjs")],
      env: { ...process.env, MLEBENCH_TEST_FAULT: JSON.stringify({ calls }) },
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    });
    for (const stream of [started.stdout, started.stderr])
      stream?.on("data", (piece) => {
        said = `${said}${piece}`.slice(-4000);
      });
    child = started;
    return started;
  };
  return {
    run(fault: Fault): Promise<Tried> {
      const worker = alive();
      return new Promise((resolve) => {
        const onMessage = (tried: unknown) => {
          worker.off("exit", onExit);
          resolve(tried as Tried);
        };
        const onExit = () => {
          worker.off("message", onMessage);
          child = null;
          resolve({ calls: Number.NaN, problems: [`the harness died: ${said}`] });
        };
        worker.once("message", onMessage).once("exit", onExit);
        worker.send({ fault, system });
      });
    },
    stop: () => void child?.kill(),
  };
}

/** In the worker. */
export function serveFaults(): void {
  process.on("message", async ({ fault, system }: { fault: Fault; system: System }) => {
    process.send?.(await tryFault(fault, system));
  });
}

declare const mlebenchFault: { arm(fault: Fault & { below: string }): void; disarm(): number };

async function tryFault(fault: Fault, system: System): Promise<Tried> {
  const { root, dataDir, agents, runs, group, variables } = faultScene();
  Object.assign(process.env, variables);
  const request: RunRequest = {
    agent: "scripted",
    competitions: [COMPETITION],
    runsDir: runs,
    name: "faulty",
    agentFolders: [agents],
    dataDir,
    sandbox: system.sandbox,
    image: system.image,
    rootFolder: null,
    timeSeconds: 60,
    grade: true,
  };
  mlebenchFault.arm({ ...fault, below: root });
  const ran = await settled(() => startRun(request));
  const calls = mlebenchFault.disarm();
  const problems = [...ran.problems.map((text) => `with the fault: ${text}`), ...trialProblems(ran.outcome)];
  const planned = fs.existsSync(path.join(group, "group.json"));
  const again = await settled(() => (planned ? resumeRun(group, { grade: true }) : startRun(request)));
  problems.push(...again.problems.map((text) => `afterwards: ${text}`));
  if (again.outcome?.status !== "ended" || again.outcome.unfinished.length > 0)
    problems.push(`afterwards: ${JSON.stringify(again.outcome)}`);
  // A grade that failed with the fault is made by whoever asks for it again.
  const options = { dataDir, competitionsDir: undefined, known: new Map(), trustedKey: null };
  const verified = await verifyGroup(group, options);
  if (!isAccepted(verified, { requireSignature: false }))
    problems.push(`it does not verify: ${JSON.stringify(verified)}`);
  problems.push(...brokenChains(group), ...leftovers(root));
  if (problems.length === 0) fs.rmSync(root, { recursive: true });
  return { calls, problems };
}

/** A function of ours says what is wrong, and throws only where there is a bug. */
async function settled(
  work: () => Promise<RunOutcome>,
): Promise<{ outcome: RunOutcome | null; problems: string[] }> {
  try {
    return { outcome: await work(), problems: [] };
  } catch (error) {
    return { outcome: null, problems: [(error as Error).stack ?? String(error)] };
  }
}

function trialProblems(outcome: RunOutcome | null): string[] {
  if (outcome?.status !== "ended") return [];
  return outcome.group.trials.flatMap(({ id }) => {
    const trial = readTrial(path.join(outcome.folder, id));
    return trial?.outcome == null ? [] : endProblems(trial.status, trial.outcome);
  });
}
