import fs from "node:fs";
import path from "node:path";
import { gradeTable, totalsLine } from "../reporters/text/grades.ts";
import { settingsLines, trialEndText, trialProgressText } from "../reporters/text/run.ts";
import { groupPaths } from "../trials/group/folder.ts";
import type { GroupGradeOutcome } from "../trials/group/grade.ts";
import { readTrial, trialPaths } from "../trials/trial/folder.ts";
import { safeText } from "../wording/safe-text.ts";
import type { RunControl, RunEvent, RunOutcome } from "../workflows/run/request.ts";
import type { ExitCode } from "./command.ts";
import { type LiveLines, liveLines } from "./live-lines.ts";
import { paint, print, printError, printNote } from "./print.ts";

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

/** The first Ctrl-C stops gently, the second one kills. */
export function gentleInterruption(say: (line: string) => void): {
  interrupted: AbortSignal;
  killed: AbortSignal;
  end(): void;
} {
  const gentle = new AbortController();
  const hard = new AbortController();
  const stop = () => {
    if (gentle.signal.aborted) hard.abort();
    else {
      say("Stopping and collecting; press Ctrl-C again to kill.");
      gentle.abort();
    }
  };
  process.on("SIGINT", stop);
  process.on("SIGTERM", stop);
  return {
    interrupted: gentle.signal,
    killed: hard.signal,
    end() {
      process.off("SIGINT", stop);
      process.off("SIGTERM", stop);
    },
  };
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

const BEFORE_IT_STARTS: ReadonlySet<string> = new Set(["usage", "competition", "data", "materials"]);

function conclude(outcome: RunOutcome, json: boolean): ExitCode {
  if (outcome.status === "refused") {
    const { code, message, nextStep } = outcome.problem;
    printError(code, message, nextStep);
    return BEFORE_IT_STARTS.has(outcome.problem.stage) ? 2 : 3;
  }
  const { group, folder, finished, unfinished, refusal, interrupted, grading } = outcome;
  const missing: ExitCode = unfinished.length === 0 ? 0 : finished.length === 0 ? 3 : 1;
  const failed = interrupted ? [] : failuresOf(folder, finished);
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
        `${id} left no submission. ${message}${lastLine === "" ? "" : ` Its last words: ${lastLine}`}`,
        `see all it said: mlebench logs ${shellPath(path.join(folder, id))}`,
      );
    if (failed.length > MAX_FAILURES) print(`… and ${failed.length - MAX_FAILURES} more trials failed`);
    if (unfinished.length > 0) print(`go on: mlebench resume ${folder}`);
    else if (grading === null) print(`grade them: mlebench grade ${folder}`);
  }
  return code;
}

const MAX_FAILURES = 3;

/** Trials whose agent could not be started, or crashed, and left nothing: with the last line of what was said about it. */
function failuresOf(
  folder: string,
  ids: readonly string[],
): { id: string; message: string; lastLine: string }[] {
  return ids.flatMap((id) => {
    const paths = trialPaths(groupPaths(folder).trial(id));
    const trial = readTrial(paths.folder);
    const reason = trial?.outcome?.stopReason;
    if ((reason !== "failed" && reason !== "harness error") || trial?.final?.sha256) return [];
    return {
      id,
      message: safeText(trial!.outcome!.message),
      lastLine: lastLineOf(paths.stderr, paths.stdout),
    };
  });
}

const TAIL_BYTES = 4096;

function lastLineOf(...files: readonly string[]): string {
  for (const file of files) {
    let text: string;
    try {
      const handle = fs.openSync(file, "r");
      try {
        const { size } = fs.fstatSync(handle);
        const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
        fs.readSync(handle, tail, 0, tail.length, Math.max(0, size - TAIL_BYTES));
        text = tail.toString("utf8");
      } finally {
        fs.closeSync(handle);
      }
    } catch {
      continue;
    }
    const line = text.trimEnd().split("\n").at(-1)?.trim() ?? "";
    if (line !== "") return safeText(line.slice(0, 200));
  }
  return "";
}

/** As one may paste it. */
function shellPath(place: string): string {
  return /^[\w@%+=:,./-]+$/.test(place) ? place : `'${place.replaceAll("'", `'\\''`)}'`;
}

function showGrades({ report, file }: Extract<GroupGradeOutcome, { status: "graded" }>): void {
  for (const line of gradeTable(report.competition_reports, paint)) print(line);
  print(totalsLine(report));
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
