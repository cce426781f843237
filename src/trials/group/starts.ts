import fs from "node:fs";
import { z } from "zod";
import { valueDigest } from "../certificate/canonical-json.ts";

/** One attempt of one trial, announced before it begins. */
const Start = z.looseObject({
  trial: z.string(),
  attempt: z.int().min(1),
  time: z.string(),
  /** The hash of the newest line its writer saw; null for the first. Two writers at once may name the same. */
  previous: z.string().nullable(),
  /** SHA-256 over the canonical JSON of everything else in this line. */
  hash: z.string(),
});
export type Start = z.infer<typeof Start>;

/**
 * Announces an attempt in the group's `starts.jsonl`, on disk before anything of it begins, and returns the line's hash for
 * the trial's record. Since each line holds the hash of one before it, a trial that was deleted and run again shows.
 * Trials may start on several machines at once: lines are only ever added, and nobody waits for anybody.
 */
export function announceStart(file: string, trial: string, attempt: number): string {
  const { starts } = readStarts(file);
  const content = { trial, attempt, time: new Date().toISOString(), previous: starts.at(-1)?.hash ?? null };
  const start: Start = { ...content, hash: valueDigest(content) };
  const handle = fs.openSync(file, "a", 0o644);
  try {
    // A line that a crash cut short must not swallow this one.
    fs.writeSync(handle, `${endsOpen(file) ? "\n" : ""}${JSON.stringify(start)}\n`);
    fs.fdatasyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  return start.hash;
}

export interface ReadStarts {
  starts: Start[];
  /** What is wrong, in sentences; a line cut short by a crash is not. */
  problems: string[];
}

/** A missing file is an empty one: groups of the first release have none. */
export function readStarts(file: string): ReadStarts {
  const starts: Start[] = [];
  const problems: string[] = [];
  const known = new Set<string>();
  const lines = readText(file).split("\n");
  for (const [i, line] of lines.entries()) {
    if (line === "") continue;
    const start = parseLine(line);
    if (start === null) {
      if (isWholeJson(line)) problems.push(`line ${i + 1} is not the start of a trial`);
      continue;
    }
    const { hash, ...content } = start;
    if (hash !== valueDigest(content)) problems.push(`the hash of line ${i + 1} does not fit`);
    if (start.previous === null ? starts.length > 0 && !isRace(starts) : !known.has(start.previous))
      problems.push(`the chain breaks at line ${i + 1}`);
    known.add(hash);
    starts.push(start);
  }
  return { starts, problems };
}

/** Only the very first writers can have seen an empty file. */
function isRace(before: readonly Start[]): boolean {
  return before.every(({ previous }) => previous === null);
}

function readText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return "";
    throw error;
  }
}

function endsOpen(file: string): boolean {
  const text = readText(file);
  return text !== "" && !text.endsWith("\n");
}

function parseLine(line: string): Start | null {
  try {
    return Start.parse(JSON.parse(line));
  } catch {
    return null;
  }
}

function isWholeJson(line: string): boolean {
  try {
    JSON.parse(line);
    return true;
  } catch {
    return false;
  }
}
