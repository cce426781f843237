import path from "node:path";
import { groupPaths } from "../../trials/group/folder.ts";
import { readTrial, trialPaths } from "../../trials/trial/folder.ts";
import { startRun } from "../run/run.ts";

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
  let notes: string[] = [];
  const ended = await startRun(
    {
      agent: "baseline",
      competitions: [competitionId],
      runsDir,
      name: "init",
      dataDir: request.dataDir,
      competitionsDir: request.competitionsDir,
      rootFolder: null,
      timeSeconds: request.timeSeconds,
      graceSeconds: GRACE_SECONDS,
    },
    {
      interrupted: signal,
      onEvent(event) {
        if (event.event === "progress") request.onSecond(event.progress.elapsedSeconds);
        if (event.event === "ready" && event.group.settings.sandbox === "process") notes = event.notes;
      },
    },
  );
  if (signal.aborted) return { status: "interrupted" };
  if (ended.status === "refused") return { status: "not-run", message: ended.problem.message };
  if (ended.refusal !== null) return { status: "not-run", message: ended.refusal.message };
  const folder = groupPaths(ended.folder).trial(ended.group.trials[0].id);
  const trial = readTrial(folder);
  if (trial === null || trial.final?.sha256 == null)
    return {
      status: "not-run",
      message: `It left no submission. ${trial?.outcome?.message ?? ""}`.trimEnd(),
    };
  return { status: "ran", submission: path.join(trialPaths(folder).submission, "submission.csv"), notes };
}
