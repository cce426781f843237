import path from "node:path";
import { gradeTable, totalsLine } from "../reporters/text/grades.ts";
import { settingsLines, trialEndText, trialProgressText } from "../reporters/text/run.ts";
import type { GroupGradeOutcome } from "../trials/group/grade.ts";
import { safeText } from "../wording/safe-text.ts";
import type { RunControl, RunEvent, RunOutcome } from "../workflows/run/request.ts";
import type { ExitCode } from "./command.ts";
import { gentleInterruption } from "./interruption.ts";
import { type LiveLines, liveLines } from "./live-lines.ts";
import { pageWidth, paint, print, printError, printLines, printNote, printProblem } from "./print.ts";

/** Runs a group, or what is left of one, shows it, and says how to go on. Ctrl-C once stops gently, twice kills. */
export async function driveRun(
  run: (control: RunControl) => Promise<RunOutcome | null>,
  { json }: { json: boolean },
): Promise<ExitCode> {
  const live = liveLines();
  const interruption = gentleInterruption((line) => live.keep([line]));
  try {
    const { interrupted, killed } = interruption;
    const outcome = await run({ interrupted, killed, onEvent: runListener(json, live) });
    return outcome === null ? 0 : conclude(outcome, json);
  } finally {
    interruption.end();
  }
}

/** How a run is shown while it goes on. */
export function runListener(json: boolean, live: LiveLines): (event: RunEvent) => void {
  return json ? tellJson : (event) => tellText(event, live);
}

function tellText(event: RunEvent, live: LiveLines): void {
  switch (event.event) {
    case "ready":
      return;
    case "watching":
      live.keep([
        `${event.owner} holds the lock; watching for a sign of life, for ${event.seconds} s at most`,
      ]);
      return;
    case "notice":
      live.keep([safeText(event.message)]);
      return;
    case "start": {
      const { id, competitionId, seed } = event.trial;
      const again = event.attempt > 1 ? ` (attempt ${event.attempt})` : "";
      live.show(id, "start", `${competitionId} seed ${seed}: started${again}`);
      return;
    }
    case "progress":
      live.show(event.progress.trialId, `${event.progress.submissions}`, trialProgressText(event.progress));
      return;
    case "end":
      live.end(event.result.trial.id);
      live.keep([trialEndText(event.result.trial, paint)]);
      return;
    case "grading":
      live.keep(["Grading every submission"]);
      return;
    case "graded":
      return;
  }
}

function tellJson(event: RunEvent): void {
  const content = jsonOf(event);
  if (content !== null) print(JSON.stringify({ event: event.event, ...content }));
}

/** Null for what is said on standard error, or not at all. */
function jsonOf(event: RunEvent): object | null {
  switch (event.event) {
    case "notice":
      return { message: event.message };
    case "start":
      return { ...event.trial, attempt: event.attempt };
    case "progress":
      return event.progress;
    case "end": {
      const { status, trial } = event.result;
      const { id, outcome, final, measurements } = trial;
      return { id, status, outcome, final, measurements };
    }
    case "graded":
      return event.grading.status === "graded" ? { report: event.grading.report } : null;
    default:
      return null;
  }
}

/** What a new group is about to do. */
export function showPlan(event: RunEvent, notes: readonly string[]): void {
  if (event.event !== "ready" || event.resumed) return;
  const { group, folder } = event;
  for (const line of [
    ...event.notes,
    ...notes,
    ...settingsLines(group.settings, event.network, group.trials.length, folder),
  ])
    printNote(line);
}

const MAX_FAILURES = 3;
const BEFORE_IT_STARTS: ReadonlySet<string> = new Set(["usage", "competition", "data", "materials"]);

function conclude(outcome: RunOutcome, json: boolean): ExitCode {
  if (outcome.status === "refused") {
    printProblem(outcome.problem);
    return BEFORE_IT_STARTS.has(outcome.problem.stage) ? 2 : 3;
  }
  const { group, folder, finished, unfinished, failed, refusal, interrupted, grading } = outcome;
  const missing: ExitCode = unfinished.length === 0 ? 0 : finished.length === 0 ? 3 : 1;
  const short = !isGraded(grading) || failed.length > 0;
  const code: ExitCode = interrupted ? 130 : missing === 0 && short ? 1 : missing;
  if (refusal !== null) printError(refusal.code, refusal.message, refusal.nextStep);
  if (grading?.status === "refused")
    printError(grading.problem.code, grading.problem.message, grading.problem.nextStep);
  if (json)
    print(
      JSON.stringify({
        event: "summary",
        schema: "mlebench/run-summary",
        version: 1,
        runGroup: group.name,
        folder,
        finished,
        unfinished,
        failed,
        ...(grading?.status === "graded" ? { report: grading.file } : {}),
        exitCode: code,
      }),
    );
  else {
    if (grading?.status === "graded") showGrades(grading);
    print(`${finished.length} of ${group.trials.length} trials finished`);
    for (const { id, message, lastLine } of failed.slice(0, MAX_FAILURES))
      printError(
        "TRIAL_FAILED",
        `${id} left no submission. ${message}${lastLine === "" || message.includes(lastLine) ? "" : ` Its last words: ${lastLine}`}`,
        `see all it said: mlebench logs ${shellPath(path.join(folder, id))}`,
      );
    if (failed.length > MAX_FAILURES) print(`… and ${failed.length - MAX_FAILURES} more trials failed`);
    if (unfinished.length > 0) print(`go on: mlebench resume ${folder}`);
    else if (grading === null) print(`grade them: mlebench grade ${folder}`);
  }
  return code;
}

/** As one may paste it. */
function shellPath(place: string): string {
  return /^[\w@%+=:,./-]+$/.test(place) ? place : `'${place.replaceAll("'", `'\\''`)}'`;
}

function showGrades({ report, file }: Extract<GroupGradeOutcome, { status: "graded" }>): void {
  printLines(gradeTable(report.competition_reports, paint, pageWidth()));
  printLines([totalsLine(report)]);
  print(`report: ${file}`);
}

/** True when nobody asked for grades, too. */
function isGraded(grading: GroupGradeOutcome | null): boolean {
  if (grading === null) return true;
  return (
    grading.status === "graded" &&
    grading.grades.every(({ status }) => status === "scored" || status === "invalid" || status === "missing")
  );
}
