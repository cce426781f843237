import path from "node:path";
import { resolveAgent } from "../../agents/definition/load-definitions.ts";
import { localExecutor } from "../../executors/local.ts";
import { hardwareText, thisMachine } from "../../executors/machine.ts";
import { groupPaths } from "../../trials/group/folder.ts";
import { planGroup } from "../../trials/group/plan.ts";
import { runGroup } from "../../trials/group/run.ts";
import { usualSettings } from "../../trials/group/usual-settings.ts";
import { chooseSandbox } from "../../trials/trial/choose-sandbox.ts";
import { readTrial, trialPaths } from "../../trials/trial/folder.ts";

export interface BaselineRequest {
  competitionId: string;
  competitionsDir: string;
  dataDir: string;
  runsDir: string;
  timeSeconds: number;
  signal: AbortSignal;
  onSecond: (elapsedSeconds: number) => void;
}

export type BaselineRun =
  | { status: "ran"; submission: string; notes: string[] }
  | { status: "not-run"; message: string }
  | { status: "interrupted" };

const GRACE_SECONDS = 5;

/**
 * Runs the built-in baseline through the harness, as any agent is run. It is our own code, so where no sandbox works
 * it runs without one, and the notes say so.
 */
export async function runBaseline(request: BaselineRequest): Promise<BaselineRun> {
  const { competitionId, runsDir, signal } = request;
  const resolved = resolveAgent("baseline", []);
  if (resolved.status !== "found") return { status: "not-run", message: resolved.message };
  const { agent } = resolved;
  const choice = await chooseSandbox(null, agent, true);
  if (choice.status === "refused") return { status: "not-run", message: choice.message };
  const notes = choice.capabilities.kind === "process" ? choice.notes : [];
  const machine = thisMachine();
  const planned = await planGroup({
    runsDir,
    name: "init",
    agent,
    competitionIds: [competitionId],
    seeds: 1,
    settings: {
      ...usualSettings({
        agent,
        agentFolders: [],
        dataDir: request.dataDir,
        sandbox: choice.capabilities.kind,
        workers: 1,
        machine,
      }),
      competitionsDir: request.competitionsDir,
      timeSeconds: request.timeSeconds,
      graceSeconds: GRACE_SECONDS,
    },
  });
  if (planned.status === "refused") return { status: "not-run", message: planned.message };
  const ended = await runGroup(planned.folder, {
    executor: localExecutor(machine, 1),
    hardware: (gpus) => hardwareText(machine.cpus, gpus),
    interrupted: signal,
    killed: new AbortController().signal,
    onProgress: ({ elapsedSeconds }) => request.onSecond(elapsedSeconds),
  });
  if (signal.aborted) return { status: "interrupted" };
  if (ended.status === "refused") return { status: "not-run", message: ended.problem.message };
  if (ended.refusal !== null) return { status: "not-run", message: ended.refusal.message };
  const folder = groupPaths(planned.folder).trial(planned.group.trials[0].id);
  const trial = readTrial(folder);
  if (trial === null || trial.final?.sha256 == null)
    return {
      status: "not-run",
      message: `It left no submission. ${trial?.outcome?.message ?? ""}`.trimEnd(),
    };
  return { status: "ran", submission: path.join(trialPaths(folder).submission, "submission.csv"), notes };
}
