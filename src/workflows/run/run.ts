import fs from "node:fs";
import path from "node:path";
import type { SystemRefusal } from "../../files/system-error.ts";
import { fileTimestamp } from "../../grading/report.ts";
import { DEFAULT_LIMITS } from "../../table/csv/layout.ts";
import { announcePlan } from "../../trials/group/announce.ts";
import { type GroupGradeOptions, type GroupGradeOutcome, gradeGroup } from "../../trials/group/grade.ts";
import { type GivenPlaces, placedGroup } from "../../trials/group/places.ts";
import { planGroup } from "../../trials/group/plan.ts";
import { type GroupControl, runGroup } from "../../trials/group/run.ts";
import type { Problem } from "../../wording/problem.ts";
import type { RunControl, RunOutcome, RunProblem, RunRequest } from "./request.ts";
import { executorFor, resolveRun } from "./resolve.ts";
import { orRefusal } from "./system.ts";

/** Checks a request, writes the plan down, runs it, and grades it if that was wished. */
export function startRun(request: RunRequest, control: RunControl = {}): Promise<RunOutcome> {
  return orRefusal(() => planAndRun(request, control), systemSaidNo);
}

async function planAndRun(request: RunRequest, control: RunControl): Promise<RunOutcome> {
  const resolved = await resolveRun(request);
  if ("code" in resolved) return { status: "refused", problem: resolved };
  const { agent, settings, executor, notes } = resolved;
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
  return orRefusal(() => runTheRest(folder, options, control), systemSaidNo);
}

async function runTheRest(
  folder: string,
  { acceptChangedData = false, grade = false, places = {} }: ResumeOptions,
  control: RunControl,
): Promise<RunOutcome> {
  const placed = placedGroup(folder, places, "run");
  if ("problem" in placed)
    return refused(placed.problem.code === "NO_GROUP" ? "usage" : "group", placed.problem);
  const { group } = placed;
  const executor = executorFor(group.settings);
  if ("code" in executor) return refused("machine", executor);
  control.onEvent?.({
    event: "ready",
    folder,
    group,
    resumed: true,
    notes: [],
    network: group.settings.network,
  });
  return drive(folder, { executor, acceptChangedData, places }, grade, control);
}

async function drive(
  folder: string,
  how: Pick<GroupControl, "executor" | "acceptChangedData" | "places">,
  grade: boolean,
  { interrupted = NEVER, killed = NEVER, onEvent }: RunControl,
): Promise<RunOutcome> {
  const outcome = await runGroup(folder, {
    ...how,
    interrupted,
    killed,
    onWatch: (owner, seconds) => onEvent?.({ event: "watching", owner, seconds }),
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
  return { ...outcome, folder, interrupted: stopped(), grading };
}

const NEVER = new AbortController().signal;

/** Grades a group as `mlebench grade <group>` does; its report goes into its folder. Null when it was interrupted. */
export async function gradeRun(
  folder: string,
  options: Partial<Omit<GroupGradeOptions, "reportFile">> = {},
): Promise<GroupGradeOutcome | null> {
  try {
    return await orRefusal<GroupGradeOutcome>(
      () => gradeGroup(folder, { limits: DEFAULT_LIMITS, ...options, reportFile }),
      (problem) => ({ status: "refused", problem }),
    );
  } catch (error) {
    if (options.signal?.aborted) return null;
    throw error;
  }
}

/** Two reports within one second must not replace each other. */
function reportFile(folder: string, now: Date): string {
  const stamp = fileTimestamp(now);
  const name = (extra: string) => path.join(folder, `${stamp}${extra}_grading_report.json`);
  let file = name("");
  for (let i = 2; fs.existsSync(file); i++) file = name(`-${i}`);
  return file;
}

function systemSaidNo(problem: SystemRefusal): RunOutcome {
  return refused(problem.blame === "user" ? "usage" : "machine", problem);
}

function refused(stage: RunProblem["stage"], { code, message, nextStep }: Problem): RunOutcome {
  return { status: "refused", problem: { code, message, nextStep, stage } };
}
