import { maskText } from "../../wording/secrets.ts";
import type { EventLog } from "./events.ts";

/** Where timers and handlers, whose errors nobody awaits, report theirs: the trial ends, and the harness does not. */
export interface Failures {
  report(error: unknown): void;
  /** Rejects with the first one. */
  failed: Promise<never>;
}

export function collectFailures(): Failures {
  let report: (error: unknown) => void = () => {};
  const failed = new Promise<never>((_, reject) => {
    report = reject;
  });
  // Usually nobody waits for it at the moment it comes.
  failed.catch(() => {});
  return { report, failed };
}

/** The same log for callers that nobody would hear: what cannot be written, on a full disk, is reported instead. */
export function quietEvents(events: EventLog, { report }: Failures): EventLog {
  return {
    ...events,
    append(type, data) {
      try {
        return events.append(type, data);
      } catch (error) {
        report(error);
        return { seq: 0, time: new Date().toISOString(), type, data: data ?? {}, previous: "", hash: "" };
      }
    },
  };
}

/** Values in which somebody else's words may stand; the others are ours, and may look like a secret by chance. */
const FREE_TEXT = new Set(["message", "nextStep", "why", "notes", "host", "result"]);

export function maskedEvents(events: EventLog, secrets: readonly string[]): EventLog {
  if (secrets.length === 0) return events;
  return { ...events, append: (type, data = {}) => events.append(type, maskFreeText(data, secrets)) };
}

/** Masks secrets wherever a record holds free text. */
export function maskFreeText<T>(value: T, secrets: readonly string[], isFree = false): T {
  if (secrets.length === 0) return value;
  if (typeof value === "string") return (isFree ? maskText(value, secrets) : value) as T;
  if (Array.isArray(value)) return value.map((item) => maskFreeText(item, secrets, isFree)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [
    key,
    maskFreeText(item, secrets, FREE_TEXT.has(key)),
  ]);
  return Object.fromEntries(entries) as T;
}
