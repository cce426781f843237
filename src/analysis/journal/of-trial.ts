import fs from "node:fs";
import path from "node:path";
import { type JournalRead, readJournal } from "../../agents/tree/journal/read.ts";
import { readRows } from "../../files/window.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import { ledgerLine } from "../overview/trial-facts.ts";
import { type Search, searchOf } from "./search.ts";

const JOURNALS = ["logs/journal.jsonl", "work/logs/journal.jsonl", "submission/journal.jsonl"];
/** More than anybody looks at, and few enough for a page. */
const MAX_STEPS = 5000;
const MAX_LEDGER_BYTES = 16 * 2 ** 20;

/** Where the search agent's journal lies; while a trial runs it is in what the agent sees as its own. */
export function journalOf(folder: string): string | null {
  return JOURNALS.find((name) => fs.existsSync(path.join(folder, name))) ?? null;
}

export async function journalIn(folder: string): Promise<JournalRead> {
  const name = journalOf(folder);
  return name === null ? { status: "absent" } : readJournal(path.join(folder, name), { maxSteps: MAX_STEPS });
}

/** Which call a reply came from, and what it cost, by its id. */
export function repliesOf(folder: string): Map<string, { seq: number; cost: number | null }> {
  const { rows } = readRows(trialPaths(folder).ledger, 0, MAX_LEDGER_BYTES);
  return new Map(
    rows.flatMap((row) => {
      const line = ledgerLine(row);
      return line?.requestId == null ? [] : [[line.requestId, { seq: line.seq, cost: line.cost }] as const];
    }),
  );
}

/** The search of a trial; null where it kept no journal that can be read, or did not come to a step. */
export async function searchIn(folder: string): Promise<Search | null> {
  const read = await journalIn(folder);
  if (read.status !== "read" || read.steps.length === 0) return null;
  const replies = repliesOf(folder);
  return searchOf(read.head, read.steps, (reply) => replies.get(reply)?.cost ?? null);
}
