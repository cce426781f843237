import fs from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { z } from "zod";
import { waitForLock } from "../../files/lock-file.ts";
import { isNotPlain, openAppending, openPlain, readPlainText } from "../../files/plain-file.ts";
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
 * Trials may start on several machines at once, and on a network file system two that append at the same moment write
 * over each other: one at a time.
 */
export async function announceStart(file: string, trial: string, attempt: number): Promise<string> {
  const lock = await turnToWrite(`${file}.lock`);
  try {
    return appendStart(file, trial, attempt);
  } finally {
    lock.release();
  }
}

/** It is held for a moment only; of a holder that died elsewhere it is taken over like any other lock. */
async function turnToWrite(file: string) {
  for (;;) {
    const lock = await waitForLock(file, "starts-lock", { beats: true });
    if (lock.status === "locked") return lock;
    await wait(5 + Math.random() * 20);
  }
}

function appendStart(file: string, trial: string, attempt: number): string {
  const { last, endsOpen } = lastStart(file);
  const content = { trial, attempt, time: new Date().toISOString(), previous: last?.hash ?? null };
  const start: Start = { ...content, hash: valueDigest(content) };
  const handle = openAppending(file);
  try {
    // A line that a crash cut short must not swallow this one.
    fs.writeFileSync(handle, `${endsOpen ? "\n" : ""}${JSON.stringify(start)}\n`);
    fs.fdatasyncSync(handle);
  } finally {
    fs.closeSync(handle);
  }
  return start.hash;
}

const TAIL_BYTES = 4096;

/** The newest whole line, from the file's end: it may hold the starts of thousands of trials. */
function lastStart(file: string): { last: Start | null; endsOpen: boolean } {
  let handle: number;
  try {
    handle = openPlain(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { last: null, endsOpen: false };
    throw error;
  }
  try {
    const { size } = fs.fstatSync(handle);
    for (let bytes = TAIL_BYTES; ; bytes *= 4) {
      const from = Math.max(0, size - bytes);
      const tail = Buffer.alloc(size - from);
      fs.readSync(handle, tail, 0, tail.length, from);
      const lines = tail.toString("utf8").split("\n");
      // The first one may be only the rest of a line.
      const whole = from === 0 ? lines : lines.slice(1);
      const last =
        whole
          .reverse()
          .map(parseLine)
          .find((start) => start !== null) ?? null;
      if (last !== null || from === 0) return { last, endsOpen: size > 0 && tail.at(-1) !== 10 };
    }
  } finally {
    fs.closeSync(handle);
  }
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
  const lines = readText(file, problems).split("\n");
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

/** What is announced from call to call, whoever announces it; a line that is not whole yet comes with the next call. */
export function tailStarts(file: string): () => Start[] {
  let offset = 0;
  return () => {
    let handle: number;
    try {
      handle = openPlain(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return [];
      throw error;
    }
    try {
      const added = Buffer.alloc(Math.max(0, fs.fstatSync(handle).size - offset));
      const read = fs.readSync(handle, added, 0, added.length, offset);
      const whole = added.subarray(0, read).lastIndexOf(10) + 1;
      offset += whole;
      const lines = added.toString("utf8", 0, whole).split("\n");
      return lines.flatMap((line) => (line === "" ? [] : (parseLine(line) ?? [])));
    } finally {
      fs.closeSync(handle);
    }
  };
}

/** Only the very first writers can have seen an empty file. */
function isRace(before: readonly Start[]): boolean {
  return before.every(({ previous }) => previous === null);
}

function readText(file: string, problems: string[]): string {
  try {
    return readPlainText(file);
  } catch (error) {
    if (isNotPlain(error)) problems.push((error as Error).message);
    else if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    return "";
  }
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
