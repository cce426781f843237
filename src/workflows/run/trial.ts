import fs from "node:fs";
import { thisMachine } from "../../executors/machine.ts";
import { groupPaths } from "../../trials/group/folder.ts";
import { runJob } from "../../trials/group/job.ts";
import { type GivenPlaces, placedGroup } from "../../trials/group/places.ts";
import type { PlannedTrial, RunGroup } from "../../trials/group/schema.ts";
import { settleGroup } from "../../trials/group/settle.ts";
import { shareOf } from "../../trials/group/shared.ts";
import type { TrialResult } from "../../trials/trial/request.ts";
import type { Problem } from "../../wording/problem.ts";
import { orRefusal } from "../or-refusal.ts";
import type { RunControl } from "./request.ts";

/** A job as it travels: which trial of which group, and what the scheduler gave it. */
export interface TrialJobRequest {
  /** The run group's folder. */
  group: string;
  /** The trial's id, or the beginning of it. */
  trial: string;
  /** GPU devices; those of CUDA_VISIBLE_DEVICES or the machine's first ones unless told. */
  gpus?: readonly string[] | undefined;
  /** What the scheduler calls the job. */
  jobId?: string | undefined;
  acceptChangedData?: boolean | undefined;
  /** An interrupted trial goes on with what it left instead of beginning anew. */
  goOn?: boolean | undefined;
  /** What a group from somebody else cannot say for itself. */
  places?: GivenPlaces | undefined;
}

export type TrialJobOutcome =
  | { status: "refused"; problem: Problem }
  | { status: "done"; trialId: string }
  | { status: "ran"; result: TrialResult };

/**
 * Runs one trial of a planned group in this process, on whatever machine sees the group's and the data's folders. The
 * plan says what to do; sandbox and hardware are looked at here. Safe to repeat: what is done is never done again.
 */
export function runTrialJob(request: TrialJobRequest, control: RunControl = {}): Promise<TrialJobOutcome> {
  return orRefusal<TrialJobOutcome>(
    () => findAndRun(request, control),
    (problem) => ({ status: "refused", problem }),
  );
}

async function findAndRun(request: TrialJobRequest, control: RunControl): Promise<TrialJobOutcome> {
  const { group: folder } = request;
  const placed = placedGroup(folder, request.places ?? {}, "run", request.trial);
  if ("problem" in placed) return { status: "refused", problem: placed.problem };
  const { group } = placed;
  const planned = trialOf(group, request.trial);
  if (planned === null)
    return refused(
      "NO_TRIAL",
      `"${request.trial}" is not a trial of ${group.name}, or the beginning of several.`,
      `list them: mlebench status ${folder}`,
    );
  const devices = request.gpus ?? thisMachine().gpus.slice(0, group.settings.gpus);
  if (devices.length < group.settings.gpus)
    return refused(
      "TOO_MUCH",
      `The trial wants ${group.settings.gpus} GPUs, there are ${devices.length}.`,
      "run it on a machine that has them",
    );
  const acceptChangedData = request.acceptChangedData === true;
  const shared = await shareOf(folder, group, {
    trials: [planned],
    acceptChangedData,
    amongOthers: true,
  });
  if ("code" in shared) return { status: "refused", problem: shared };
  const { interrupted = NEVER, killed = NEVER, onEvent } = control;
  const outcome = await runJob(shared, planned, {
    share: { gpus: devices },
    place: { executor: group.settings.executor ?? "local", jobId: request.jobId ?? null },
    control: {
      interrupted,
      killed,
      goOn: request.goOn === true,
      onWatch: (owner, seconds) => onEvent?.({ event: "watching", owner, seconds }),
      onTrialStart(trial, attempt) {
        // It covers files that are about to change.
        fs.rmSync(groupPaths(folder).certificate, { force: true });
        onEvent?.({ event: "start", trial, attempt });
      },
      onProgress: (progress) => onEvent?.({ event: "progress", progress }),
    },
  });
  if (outcome.status === "busy") return { status: "refused", problem: outcome.problem };
  await settleGroup(folder, group);
  if (outcome.status === "done") return { status: "done", trialId: planned.id };
  onEvent?.({ event: "end", result: outcome.result });
  return outcome;
}

const NEVER = new AbortController().signal;

function trialOf({ trials }: RunGroup, name: string): PlannedTrial | null {
  const matching = trials.filter(({ id }) => id.startsWith(name));
  return trials.find(({ id }) => id === name) ?? (matching.length === 1 ? matching[0] : null);
}

function refused(code: string, message: string, nextStep: string): TrialJobOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
