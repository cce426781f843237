import fs from "node:fs";
import { JOURNAL_SCHEMA, JOURNAL_VERSION, JournalHead, JournalStep, STEP_SCHEMA } from "./schema.ts";

/** A line that was passed over, and why. Lines count from 1. */
export interface JournalDoubt {
  line: number;
  why: string;
}

export type JournalRead =
  | { status: "absent" }
  | { status: "unreadable"; why: string }
  | {
      status: "read";
      head: JournalHead | null;
      steps: JournalStep[];
      doubts: JournalDoubt[];
      /** How many doubts there were beyond those listed. */
      moreDoubts: number;
    };

export interface ReadLimits {
  /** Longer lines are passed over. */
  maxLineBytes: number;
  maxSteps: number;
  maxDoubts: number;
}

const USUAL_LIMITS: ReadLimits = { maxLineBytes: 4 * 1024 * 1024, maxSteps: 100_000, maxDoubts: 100 };

/**
 * Reads a journal line by line. What cannot be understood is told of and passed over: a journal comes from an agent, and
 * is hostile until parsed. A step whose id was there before, or whose parent was not, is passed over too, so that what
 * comes back is always a forest.
 */
export async function readJournal(file: string, limits: Partial<ReadLimits> = {}): Promise<JournalRead> {
  const { maxLineBytes, maxSteps, maxDoubts } = { ...USUAL_LIMITS, ...limits };
  const opened = open(file);
  if (opened.status !== "open") return opened;
  const doubts: JournalDoubt[] = [];
  let moreDoubts = 0;
  const doubt = (line: number, why: string) => {
    if (doubts.length < maxDoubts) doubts.push({ line, why });
    else moreDoubts += 1;
  };
  let head: JournalHead | null = null;
  const steps: JournalStep[] = [];
  const known = new Set<string>();
  let line = 0;
  const stream = fs.createReadStream("", { fd: opened.handle, encoding: "utf8" });
  try {
    for await (const text of boundedLines(stream, maxLineBytes)) {
      line += 1;
      if (text === null) doubt(line, `it is longer than ${maxLineBytes} bytes`);
      else if (text.trim() !== "") {
        const found = readJournalLine(text);
        if (found.kind === "doubt") doubt(line, found.why);
        else if (found.kind === "head") {
          if (head === null) head = found.head;
          else doubt(line, "it is a second head");
        } else if (known.has(found.step.id)) doubt(line, "a step of that id came before");
        else if (found.step.parent !== null && !known.has(found.step.parent))
          doubt(line, "its parent did not come before it");
        else if (steps.length >= maxSteps) doubt(line, `there are more than ${maxSteps} steps`);
        else {
          known.add(found.step.id);
          steps.push(found.step);
        }
      }
    }
  } catch (error) {
    return { status: "unreadable", why: `it cannot be read (${(error as NodeJS.ErrnoException).code})` };
  }
  return { status: "read", head, steps, doubts, moreDoubts };
}

type JournalLine =
  | { kind: "head"; head: JournalHead }
  | { kind: "step"; step: JournalStep }
  | { kind: "doubt"; why: string };

function readJournalLine(text: string): JournalLine {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: "doubt", why: "it is not JSON" };
  }
  const { schema, version } = (value ?? {}) as { schema?: unknown; version?: unknown };
  if (schema !== JOURNAL_SCHEMA && schema !== STEP_SCHEMA)
    return { kind: "doubt", why: "it is not a line of a journal" };
  const newer = typeof version === "number" && version > JOURNAL_VERSION;
  const parsed = schema === JOURNAL_SCHEMA ? JournalHead.safeParse(value) : JournalStep.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const place = issue.path.join(".") || "top level";
    return { kind: "doubt", why: `${newer ? "a later mlebench wrote it; " : ""}${place}: ${issue.message}` };
  }
  return schema === JOURNAL_SCHEMA
    ? { kind: "head", head: parsed.data as JournalHead }
    : { kind: "step", step: parsed.data as JournalStep };
}

function open(file: string) {
  try {
    const handle = fs.openSync(file, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK);
    if (fs.fstatSync(handle).isFile()) return { status: "open" as const, handle };
    fs.closeSync(handle);
    return { status: "unreadable" as const, why: "it is not a regular file" };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return { status: "absent" as const };
    return { status: "unreadable" as const, why: `it cannot be opened (${code})` };
  }
}

/** The lines of a stream; null in place of one that is too long, which is never held in memory. */
async function* boundedLines(
  stream: AsyncIterable<string>,
  maxLength: number,
): AsyncGenerator<string | null> {
  let rest = "";
  let skipping = false;
  for await (const piece of stream) {
    let from = 0;
    for (let end = piece.indexOf("\n"); end !== -1; end = piece.indexOf("\n", from)) {
      const line = rest + piece.slice(from, end);
      yield skipping || line.length > maxLength ? null : line;
      rest = "";
      skipping = false;
      from = end + 1;
    }
    if (!skipping) rest += piece.slice(from);
    if (rest.length > maxLength) {
      rest = "";
      skipping = true;
    }
  }
  if (skipping) yield null;
  else if (rest !== "") yield rest;
}
