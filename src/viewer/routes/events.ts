import { readRows } from "../../files/window.ts";
import { TrialEvent } from "../../trials/trial/events.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import { safeText } from "../../wording/safe-text.ts";
import { answer, countOf, gone, type Route } from "./route.ts";

export interface TrialEventRow {
  seq: number;
  time: string;
  type: string;
  text: string;
  sha256: string | null;
  /** Of a submission. */
  bytes: number | null;
}

export interface EventsPart {
  events: TrialEventRow[];
  next: number;
  /** More is there already. */
  more: boolean;
}

const MAX_BYTES = 2 ** 20;
const LONGEST = 400;
const MAX_DEPTH = 4;

/** What happened in a trial, from an offset on. */
export const events: Route = (store, { group = "", trial = "", from }) => {
  const folder = store.trialFolder(group, trial);
  if (folder === null) return gone(`The trial ${trial}`);
  const begin = countOf(from, 0);
  const { rows, next, size } = readRows(trialPaths(folder).events, begin, MAX_BYTES);
  const part: EventsPart = { events: rows.flatMap(eventOf), next, more: next < size && next > begin };
  return answer(part);
};

function eventOf(row: string): TrialEventRow[] {
  let value: unknown;
  try {
    value = JSON.parse(row);
  } catch {
    return [];
  }
  const parsed = TrialEvent.safeParse(value);
  if (!parsed.success) return [];
  const { seq, time, type, data } = parsed.data;
  const text = textOf(data);
  return [
    {
      ...{ seq, time, type: safeText(type).slice(0, 80) },
      text: safeText(text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text),
      sha256: typeof data.sha256 === "string" ? data.sha256.slice(0, 64) : null,
      bytes: typeof data.bytes === "number" ? data.bytes : null,
    },
  ];
}

/** Data as a reader wants them: names in words, hashes by their beginning, and nothing of what is not there. */
function textOf(data: Readonly<Record<string, unknown>>, depth = 0): string {
  return Object.entries(data)
    .flatMap(([key, value]) => {
      const text = valueText(value, depth);
      return text === "" ? [] : [`${inWords(key)} ${text}`];
    })
    .join(", ");
}

function valueText(value: unknown, depth: number): string {
  if (value === null || value === undefined) return "";
  if (typeof value === "string") return /^[0-9a-f]{64}$/.test(value) ? `${value.slice(0, 12)}…` : value;
  if (typeof value === "number")
    return String(Number(Math.abs(value) < 1 ? value.toPrecision(4) : value.toFixed(3)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (depth >= MAX_DEPTH) return "…";
  const text = Array.isArray(value)
    ? value.map((one) => valueText(one, depth + 1)).join(", ")
    : textOf(value as Record<string, unknown>, depth + 1);
  return text === "" ? "" : `(${text})`;
}

/** `elapsedSeconds` is written "elapsed seconds". */
function inWords(key: string): string {
  return key.replace(/([a-z])([A-Z])/g, (_, end: string, begin: string) => `${end} ${begin.toLowerCase()}`);
}
