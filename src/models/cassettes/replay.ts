import fs from "node:fs";
import zlib from "node:zlib";
import type { Problem } from "../../wording/problem.ts";
import { parseModelName } from "../names.ts";
import type { RequestKey } from "./key.ts";
import { NORMALISERS_VERSION } from "./normalise.ts";
import { CassetteEntry, CassetteHeader } from "./schema.ts";

export type Played =
  | { status: "found"; entry: CassetteEntry; body: Buffer }
  | { status: "missed"; message: string };

export interface Cassette {
  header: CassetteHeader;
  notes: string[];
  /** False: somebody recorded what the harness itself had answered. */
  ofLanguageModels: boolean;
  /** The n-th time a lane asks the same it gets the n-th reply. */
  play(lane: string, request: RequestKey): Played;
  /** Recordings of a lane that nobody has asked for, and all there were. */
  unused(lane: string): { left: number; of: number };
}

/** Reads a cassette whole; it may be compressed with gzip. */
export function loadCassette(file: string): Cassette | Problem {
  let text: string;
  try {
    const bytes = fs.readFileSync(file);
    text = (bytes[0] === 0x1f && bytes[1] === 0x8b ? zlib.gunzipSync(bytes) : bytes).toString("utf8");
  } catch (error) {
    return problem(file, (error as Error).message);
  }
  const [first, ...rows] = text.split("\n");
  const header = parsed(CassetteHeader, first);
  if (header === null) return problem(file, "its first line is not a cassette's");
  const entries: CassetteEntry[] = [];
  for (const [index, row] of rows.entries()) {
    if (row === "") continue;
    const entry = parsed(CassetteEntry, row);
    // Without it a run would go another way than the one that was recorded.
    if (entry === null) return problem(file, `its line ${index + 2} is damaged`);
    entries.push(entry);
  }
  const notes: string[] = [];
  if (header.normalisers !== NORMALISERS_VERSION)
    notes.push("the cassette was recorded with other normalisers; some requests may not be found");
  const queues = new Map<string, CassetteEntry[]>();
  for (const entry of entries) {
    const name = `${entry.lane}\n${entry.key}`;
    const queue = queues.get(name) ?? [];
    queue.push(entry);
    queues.set(name, queue);
  }
  return {
    header,
    notes,
    ofLanguageModels: entries.length > 0 && entries.every(({ ledger }) => isRemote(ledger.model)),
    play(lane, request) {
      const entry = queues.get(`${lane}\n${request.key}`)?.shift();
      if (entry === undefined) return { status: "missed", message: explainMiss(lane, request, entries) };
      return { status: "found", entry, body: Buffer.from(entry.body, entry.encoding) };
    },
    unused(lane) {
      const left = [...queues]
        .filter(([name]) => name.startsWith(`${lane}\n`))
        .map(([, queue]) => queue.length);
      return {
        left: left.reduce((sum, count) => sum + count, 0),
        of: entries.filter((entry) => entry.lane === lane).length,
      };
    },
  };
}

function isRemote(model: unknown): boolean {
  const parsed = typeof model === "string" ? parseModelName(model) : null;
  return parsed !== null && !("code" in parsed) && parsed.kind === "remote";
}

/** Says what differs from the recording that is nearest. */
function explainMiss(lane: string, request: RequestKey, entries: readonly CassetteEntry[]): string {
  const same = entries.filter((entry) => entry.lane === lane);
  if (same.length === 0) {
    const lanes = [...new Set(entries.map((entry) => entry.lane))];
    return `The cassette has no recording for ${lane}; it has: ${lanes.slice(0, 5).join("; ") || "nothing"}.`;
  }
  if (same.some(({ key }) => key === request.key))
    return `This request was recorded ${same.filter(({ key }) => key === request.key).length} times, and it was asked once more.`;
  const mine = new Map(request.parts.map(([pointer, hash, text]) => [pointer, { hash, text }]));
  let nearest = same[0];
  let best = -1;
  for (const entry of same) {
    const alike = entry.parts.filter(([pointer, hash]) => mine.get(pointer)?.hash === hash).length;
    const score = alike - Math.abs(entry.parts.length - mine.size) / 1000;
    if (score > best) [best, nearest] = [score, entry];
  }
  const theirs = new Map(nearest.parts.map(([pointer, hash, text]) => [pointer, { hash, text }]));
  for (const [pointer, { hash, text }] of mine) {
    const other = theirs.get(pointer);
    if (other?.hash === hash) continue;
    return other === undefined
      ? `No recording fits; the nearest has nothing at ${pointer}, where this request has ${text}.`
      : `No recording fits; the nearest differs at ${pointer}: recorded was ${other.text}, asked is ${text}.`;
  }
  const extra = [...theirs.keys()].find((pointer) => !mine.has(pointer));
  return `No recording fits; the nearest also has ${extra ?? "another protocol"}.`;
}

function parsed<T>(schema: { parse(value: unknown): T }, row: string): T | null {
  try {
    return schema.parse(JSON.parse(row));
  } catch {
    return null;
  }
}

function problem(file: string, cause: string): Problem {
  return {
    code: "BAD_CASSETTE",
    message: `${file} cannot be replayed: ${cause}`,
    nextStep: "record one: mlebench run … --record <cassette>",
  };
}
