import path from "node:path";
import type { Message, ReplyPart, ToolResultPart } from "../../models/call.ts";
import { MAX_REFUSED_LINES, readLedger } from "../../models/ledger/ledger.ts";
import type { LedgerLine } from "../../models/ledger/schema.ts";
import { readTranscripts } from "../../models/transcripts/read.ts";
import { type UnderstoodCall, understand } from "../../models/transcripts/understand.ts";
import { trialPaths } from "../../trials/trial/folder.ts";
import type { Trial } from "../../trials/trial/schema.ts";
import { plural } from "../../wording/counts.ts";

/** One model call of a trial: what the ledger says of it, and its bodies where they were kept. */
export interface RecordedCall {
  line: LedgerLine;
  understood: UnderstoodCall | null;
}

/** A trial's model calls in order, one at a time: bodies of a long trial do not fit into memory together. */
export function* recordedCalls(trialFolder: string): Generator<RecordedCall> {
  const { model } = trialPaths(trialFolder);
  const kept = readTranscripts(model);
  let next = kept.next();
  for (const line of readLedger(path.join(model, "ledger.jsonl")).lines) {
    while (!next.done && next.value.call < line.seq) next = kept.next();
    const mine = !next.done && next.value.call === line.seq ? next.value : null;
    yield { line, understood: mine === null ? null : understand(mine) };
  }
}

/**
 * Why the calls above are not all there were, in a sentence; null where they are. The trial's own record counts them, too:
 * a ledger that was cut off at the end of a line looks whole by itself.
 */
export function missingCalls(trialFolder: string, trial: Pick<Trial, "modelTotals">): string | null {
  const { lines, unreadable } = readLedger(path.join(trialPaths(trialFolder).model, "ledger.jsonl"));
  const made = trial.modelTotals?.calls ?? lines.length;
  // Of calls that were refused one after the other only the first thousand have a line.
  const told = lines.length + (lines.length < made ? unwritten(trial, lines) : 0);
  if (told >= made && unreadable === 0) return null;
  const damaged = unreadable === 0 ? "" : `; ${plural(unreadable, "line")} cannot be read`;
  return `its ledger is not whole: ${lines.length} of ${plural(made, "model call")} are in it${damaged}`;
}

function unwritten({ modelTotals }: Pick<Trial, "modelTotals">, lines: readonly LedgerLine[]): number {
  const refused = lines.filter(({ outcome }) => outcome === "refused").length;
  return Math.max(0, refused >= MAX_REFUSED_LINES ? (modelTotals?.refused ?? 0) - refused : 0);
}

/** What was said in a message or a reply, without calls and results. */
export function spokenText(parts: readonly (Message["parts"][number] | ReplyPart)[]): string {
  return parts
    .flatMap((part) => (part.type === "text" || part.type === "refusal" ? [part.text] : []))
    .join("\n");
}

export function resultText({ content }: ToolResultPart): string {
  return content.map((part) => (part.type === "text" ? part.text : "(an image)")).join("\n");
}

/** The arguments of a call as an object, as both formats want them; what is not one stands under `input`. */
export function argumentsOf(input: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(input === "" ? "{}" : input);
    if (typeof value === "object" && value !== null && !Array.isArray(value))
      return value as Record<string, unknown>;
  } catch {
    // Models write malformed arguments; they are kept as they are.
  }
  return { input };
}
