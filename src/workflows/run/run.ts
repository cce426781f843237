import path from "node:path";
import { announcePlan } from "../../trials/group/announce.ts";
import type { GroupGradeOutcome } from "../../trials/group/grade.ts";
import { type GivenPlaces, placedGroup } from "../../trials/group/places.ts";
import { planGroup } from "../../trials/group/plan.ts";
import { type GroupControl, runGroup } from "../../trials/group/run.ts";
import type { Problem } from "../../wording/problem.ts";
import { orRefusal, type Refusal } from "../or-refusal.ts";
import { failedTrials } from "./failed-trials.ts";
import { gradeRun } from "./grade.ts";
import { materialsInDisguise } from "./materials-in-disguise.ts";
import { rewriteDescriptions } from "./obfuscate.ts";
import type { RunControl, RunOutcome, RunProblem, RunRequest } from "./request.ts";
import { executorFor, resolveRun } from "./resolve.ts";

/** Checks a request, writes the plan down, runs it, and grades it if that was wished. */
export function startRun(request: RunRequest, control: RunControl = {}): Promise<RunOutcome> {
  return orRefusal(() => planAndRun(request, control), saidNo);
}

async function planAndRun(request: RunRequest, control: RunControl): Promise<RunOutcome> {
  const resolved = await resolveRun(request);
  if ("code" in resolved) return { status: "refused", problem: resolved };
  const { agent, executor } = resolved;
  const named = await materialsInDisguise(request, resolved.settings);
  if (named !== null) return refused(named.stage, named);
  const hidden = await rewriteDescriptions(request, resolved.settings, control.interrupted);
  if ("code" in hidden) return refused(hidden.stage, hidden);
  const { settings } = hidden;
  const notes = [...resolved.notes, ...hidden.notes];
  const planned = await planGroup({
    runsDir: path.resolve(request.runsDir),
    name: request.name ?? null,
    agent,
    competitionIds: request.competitions,
    seeds: request.seeds ?? 1,
    settings,
  });
  if (planned.status === "refused") return refused("usage", planned);
  const { folder, group } = planned;
  const { announce } = request;
  const unannounced = announce === undefined ? null : await announcePlan(announce, group);
  if (unannounced !== null) return refused("group", unannounced);
  control.onEvent?.({
    event: "ready",
    folder,
    group,
    resumed: false,
    notes,
    network: settings.network ?? agent.network,
  });
  return drive(folder, { executor }, request.grade === true, control);
}

export interface ResumeOptions {
  /** Goes on although prepared data are others than when the group was started; each trial's record says so. */
  acceptChangedData?: boolean | undefined;
  /** Interrupted trials go on with what they left, the time and the money they had, instead of beginning anew. */
  goOn?: boolean | undefined;
  /** Grades the group once its trials have ended. */
  grade?: boolean | undefined;
  /** What a group from somebody else cannot say for itself. */
  places?: GivenPlaces | undefined;
}

/** Runs what is missing of a group, with the settings it was started with. */
export function resumeRun(
  folder: string,
  options: ResumeOptions = {},
  control: RunControl = {},
): Promise<RunOutcome> {
  return orRefusal(() => runTheRest(folder, options, control), saidNo);
}

async function runTheRest(
  folder: string,
  { acceptChangedData = false, goOn = false, grade = false, places = {} }: ResumeOptions,
  control: RunControl,
): Promise<RunOutcome> {
  const placed = placedGroup(folder, places, "run");
  if ("problem" in placed)
    return refused(placed.problem.code === "NO_GROUP" ? "usage" : "group", placed.problem);
  const { group } = placed;
  const executor = await executorFor(group.settings);
  if ("code" in executor) return refused("machine", executor);
  if (goOn && executor.elsewhere)
    return refused("usage", {
      code: "NOT_HERE",
      message: "The trials of this group run elsewhere, and begin anew there.",
      nextStep: `continue one here: mlebench trial ${folder} <trial> --continue`,
    });
  control.onEvent?.({
    event: "ready",
    folder,
    group,
    resumed: true,
    notes: [],
    network: group.settings.network,
  });
  return drive(folder, { executor, acceptChangedData, goOn, places }, grade, control);
}

async function drive(
  folder: string,
  how: Pick<GroupControl, "executor" | "acceptChangedData" | "goOn" | "places">,
  grade: boolean,
  { interrupted = NEVER, killed = NEVER, onEvent }: RunControl,
): Promise<RunOutcome> {
  const outcome = await runGroup(folder, {
    ...how,
    interrupted,
    killed,
    onWatch: (owner, seconds) => onEvent?.({ event: "watching", owner, seconds }),
    onNotice: (message) => onEvent?.({ event: "notice", message }),
    onTrialStart: (trial, attempt) => onEvent?.({ event: "start", trial, attempt }),
    onProgress: (progress) => onEvent?.({ event: "progress", progress }),
    onTrialEnd: (result) => onEvent?.({ event: "end", result }),
  });
  if (outcome.status === "refused") return refused("group", outcome.problem);
  const stopped = () => interrupted.aborted || killed.aborted;
  let grading: GroupGradeOutcome | null = null;
  if (grade && !stopped() && outcome.finished.length > 0) {
    onEvent?.({ event: "grading", trials: outcome.finished.length });
    const { dataDir, competitionsDir, signingKey } = how.places ?? {};
    grading = await gradeRun(folder, { dataDir, competitionsDir, signingKey, signal: interrupted });
    if (grading !== null) onEvent?.({ event: "graded", grading });
  }
  const failed = stopped() ? [] : failedTrials(folder, outcome.finished);
  return { ...outcome, folder, failed, interrupted: stopped(), grading };
}

const NEVER = new AbortController().signal;

function saidNo(problem: Refusal): RunOutcome {
  return refused(problem.blame === "user" ? "usage" : "machine", problem);
}

function refused(stage: RunProblem["stage"], { code, message, nextStep }: Problem): RunOutcome {
  return { status: "refused", problem: { code, message, nextStep, stage } };
}
