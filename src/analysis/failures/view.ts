import fs from "node:fs";
import path from "node:path";
import { readWindow } from "../../files/window.ts";
import { readEvents, type TrialEvent } from "../../trials/trial/events.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import type { CompetitionFacts } from "../competition-facts.ts";
import { type OwnMetrics, readMetrics } from "../scorecard/artifacts.ts";
import type { TrialRecord } from "../trial-records.ts";

/** What a rule found, and where a reader finds it again. */
export interface Evidence {
  source: "log" | "grade" | "measurement" | "event" | "file";
  /** Such as `stderr.log:12`, relative to the trial's folder. */
  where: string;
  text: string;
}

/** A rule looks at one trial and returns its evidence, or none. */
export type FailureRule = (view: TrialView) => Evidence[];

/** One trial as rules see it. Files are read when a rule first asks for them. */
export interface TrialView {
  record: TrialRecord;
  facts: CompetitionFacts | undefined;
  /** Whether its submission earned a finite score. */
  scored: boolean;
  /**
   * Whether a log may be asked why: it earned nothing, or did not end by itself. Agents try much that fails on the
   * way to a good submission, and that is not a failure of the trial.
   */
  troubled: boolean;
  /** The last line of any log that matches. */
  lastLine(pattern: RegExp): Evidence | null;
  events(): TrialEvent[];
  ownMetrics(): OwnMetrics | null;
}

export function trialView(record: TrialRecord, facts: CompetitionFacts | undefined): TrialView {
  const { folder, trial, grade } = record;
  const scored = grade?.valid_submission === true && (grade.score_kind ?? "finite") === "finite";
  const endedWell =
    trial === null || trial.outcome === null || ["exited", "timeout"].includes(trial.outcome.stopReason);
  const logs = once(() => (folder === null ? [] : readLogs(folder)));
  return {
    record,
    facts,
    scored,
    troubled: !scored || !endedWell,
    lastLine: (pattern) => findLast(logs(), pattern),
    events: once(() =>
      folder === null || trial === null ? [] : readEvents(trialPaths(folder).events).events,
    ),
    ownMetrics: once(() => (folder === null ? null : readMetrics(folder).metrics)),
  };
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

interface Log {
  name: string;
  lines: string[];
  /** How many lines were left out before the first; null when nobody counted. */
  skipped: number | null;
}

const TAIL_BYTES = 512 * 1024;
const MAX_FILES = 20;
const LONGEST_LINE = 400;

/** The ends of the agent's output and of the logs it wrote. run.log repeats the output, unless there is nothing else. */
function readLogs(folder: string): Log[] {
  const paths = trialPaths(folder);
  const streams = [paths.stderr, paths.stdout].filter((file) => fs.existsSync(file));
  const own = ownLogs(paths.logs);
  const files = [...(streams.length > 0 ? streams : [paths.runLog]), ...own];
  return files.flatMap((file) => {
    const log = readTail(file);
    return log === null ? [] : [{ ...log, name: path.relative(folder, file) }];
  });
}

function ownLogs(folder: string): string[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => /\.(log|txt|out|err)$/.test(name))
      .sort()
      .slice(0, MAX_FILES)
      .map((name) => path.join(folder, name));
  } catch {
    return [];
  }
}

function readTail(file: string): Omit<Log, "name"> | null {
  const tail = readWindow(file, "end", TAIL_BYTES);
  if (tail === null) return null;
  return { lines: tail.bytes.toString("utf8").split(/\r?\n/), skipped: tail.from === 0 ? 0 : null };
}

function findLast(logs: readonly Log[], pattern: RegExp): Evidence | null {
  for (const { name, lines, skipped } of logs) {
    const at = lines.findLastIndex((line) => line.length <= 100_000 && pattern.test(line));
    if (at === -1) continue;
    const where = skipped === null ? `${name} (near its end)` : `${name}:${skipped + at + 1}`;
    return { source: "log", where, text: printable(lines[at]) };
  }
  return null;
}

/** What an agent prints may hold anything, escape sequences of the terminal included. */
function printable(line: string): string {
  const plain = line
    .replace(new RegExp(`${String.fromCharCode(27)}\\[[0-9;?]*[A-Za-z]`, "g"), "")
    .replace(/\p{Cc}/gu, " ")
    .replace(/^\[Container\] /, "")
    .trim();
  return plain.length > LONGEST_LINE ? `${plain.slice(0, LONGEST_LINE)}…` : plain;
}
