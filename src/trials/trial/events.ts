import fs from "node:fs";
import { z } from "zod";
import { isNotPlain, openAppending, readPlainText } from "../../files/plain-file.ts";
import { valueDigest } from "../certificate/canonical-json.ts";

/** Everything that is worth an entry in a trial's record. */
const EventType = z.enum([
  "prepared",
  "started",
  "refused",
  "submission",
  "submission-refused",
  "submission-removed",
  "validation",
  "validation-refused",
  "network",
  "network-unreported",
  "models",
  "deadline",
  "signal",
  "cancel-requested",
  "ended",
  "late-write-refused",
  "collected",
  "final",
  "finished",
  "interrupted",
  "recovered",
]);
type EventType = z.infer<typeof EventType>;

/** Whether this version knows what an event means; one of a later version is kept and hashed like all others. */
export function isKnownEvent({ type }: TrialEvent): boolean {
  return EventType.safeParse(type).success;
}

export const TrialEvent = z.looseObject({
  seq: z.int().min(0),
  /** By the harness's clock. */
  time: z.string(),
  /** One of ours, or of a later version. */
  type: z.string(),
  data: z.record(z.string(), z.unknown()),
  /** The hash of the line before; the first line has 64 zeros. */
  previous: z.string(),
  /** SHA-256 over the canonical JSON of everything else in this line. */
  hash: z.string(),
});
export type TrialEvent = z.infer<typeof TrialEvent>;

const BEGINNING = "0".repeat(64);

export interface EventLog {
  /** On disk when it returns: what follows may rely on it after any crash. */
  append(type: EventType, data?: Record<string, unknown>): TrialEvent;
  close(): void;
}

/** Opens a trial's record for writing at its end. A line that a crash cut short is dropped: nobody relied on it. */
export function openEvents(file: string, now: () => Date = () => new Date()): EventLog {
  const { events, wholeBytes } = readEvents(file);
  const handle = openAppending(file);
  fs.ftruncateSync(handle, wholeBytes);
  let seq = events.length;
  let previous = events.at(-1)?.hash ?? BEGINNING;
  let size = wholeBytes;
  let isWhole = true;
  let open = true;

  /** A line that could not be written, or not for sure, goes before the next one comes. */
  function cutBack(): void {
    if (!isWhole) fs.ftruncateSync(handle, size);
    isWhole = true;
  }

  return {
    append(type, data = {}) {
      // The descriptor's number may by now be another file's.
      if (!open) throw new Error(`an event (${type}) after the record was closed`);
      const content = { seq, time: now().toISOString(), type, data, previous };
      const event = { ...content, hash: valueDigest(content) };
      const line = Buffer.from(`${JSON.stringify(event)}\n`);
      cutBack();
      isWhole = false;
      // Unlike writeSync it does not stop half-way where the disk has room for half of it.
      fs.writeFileSync(handle, line);
      fs.fdatasyncSync(handle);
      isWhole = true;
      size += line.length;
      seq++;
      previous = event.hash;
      return event;
    },
    close() {
      if (!open) return;
      open = false;
      try {
        cutBack();
      } catch {
        // Whoever opens it again drops what is not whole.
      }
      fs.closeSync(handle);
    },
  };
}

export interface ReadEvents {
  events: TrialEvent[];
  /** Bytes up to the end of the last whole line. */
  wholeBytes: number;
  /** What is wrong with the chain, or null. */
  problem: string | null;
}

/** Reads a record and follows its chain as far as it holds. A missing file is an empty record. */
export function readEvents(file: string): ReadEvents {
  let text: string;
  try {
    text = readPlainText(file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT")
      return { events: [], wholeBytes: 0, problem: null };
    if (isNotPlain(error)) return { events: [], wholeBytes: 0, problem: (error as Error).message };
    throw error;
  }
  const events: TrialEvent[] = [];
  let wholeBytes = 0;
  let previous = BEGINNING;
  for (const line of text.split("\n").slice(0, -1)) {
    const event = parseLine(line);
    if (event === null) return { events, wholeBytes, problem: `line ${events.length + 1} is not an event` };
    const { hash, ...content } = event;
    if (event.seq !== events.length || event.previous !== previous || hash !== valueDigest(content)) {
      return { events, wholeBytes, problem: `the chain breaks at line ${events.length + 1}` };
    }
    events.push(event);
    previous = hash;
    wholeBytes += Buffer.byteLength(line) + 1;
  }
  return { events, wholeBytes, problem: /(^|\n)$/.test(text) ? null : "the last line is cut short" };
}

function parseLine(line: string): TrialEvent | null {
  try {
    return TrialEvent.parse(JSON.parse(line));
  } catch {
    return null;
  }
}
