import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { readJournal } from "../journal/read.ts";
import type { JournalStep } from "../journal/schema.ts";

/**
 * The journal in the form of AIDE (version "2"), which its own tools read, with what we know beyond it under `mlebench`.
 * `filtered`: only the way to the best node, what it printed left out; without one, the longest way.
 */
export async function writeAideJournals(logs: string): Promise<void> {
  const at = (name: string) => path.join(logs, name);
  const read = await readJournal(at("journal.jsonl"));
  if (read.status !== "read") return;
  const steps = read.steps.filter(({ phase }) => phase === "search");
  const whole = (step: JournalStep) => ({ ...step, code: step.code ?? longCode(logs, step) });
  const write = (name: string, own: readonly JournalStep[], withOutput: boolean) =>
    writeFileAtomically(at(name), `${JSON.stringify(aideJournal(own.map(whole), withOutput), null, 1)}\n`);
  write("journal.json", steps, true);
  write("filtered_journal.json", bestPath(steps), false);
}

/** A program that is too long for the journal, from its file, if that is still the one. */
function longCode(logs: string, { codePath, codeSha256 }: JournalStep): string {
  try {
    const text = fs.readFileSync(path.join(logs, codePath ?? ""), "utf8");
    return createHash("sha256").update(text).digest("hex") === codeSha256 ? text : "";
  } catch {
    return "";
  }
}

function aideJournal(steps: readonly JournalStep[], withOutput: boolean) {
  const shown = new Set(steps.map(({ id }) => id));
  return {
    nodes: steps.map((step) => aideNode(step, withOutput)),
    node2parent: Object.fromEntries(
      steps.flatMap(({ id, parent }) => (parent !== null && shown.has(parent) ? [[id, parent]] : [])),
    ),
    __version: "2",
  };
}

function aideNode(step: JournalStep, withOutput: boolean) {
  return {
    code: step.code ?? "",
    plan: step.plan,
    step: step.step,
    id: step.id,
    ctime: Date.parse(step.startedAt) / 1000,
    parent: null,
    children: [],
    _term_out: withOutput ? [step.output] : [],
    exec_time: step.executionSeconds,
    ...exceptionOf(step),
    analysis: step.analysis,
    metric: {
      value: step.metric?.value ?? null,
      maximize: step.metric === null ? null : step.metric.direction === "maximize",
    },
    is_buggy: step.buggy,
    mlebench: {
      operator: step.operator,
      sources: step.sources,
      validity: step.validity.status,
      tokens: step.tokens,
      memory: step.memory,
    },
  };
}

const EXCEPTIONS: Record<string, string> = {
  timeout: "TimeoutError",
  memory: "MemoryError",
  disk: "OSError",
  output: "OSError",
};
const TRACED = /^([A-Za-z_][\w.]{0,80}(?:Error|Exception|Interrupt|Exit))(?::|$)/;

/** Only of a program that did not end well: what else is wrong with a step is in its analysis. */
function exceptionOf({ why, output }: JournalStep) {
  const failed = why !== null && (why.kind === "exception" || why.kind in EXCEPTIONS);
  if (!failed) return { exc_type: null, exc_info: null, exc_stack: null };
  const lines = output.split("\n").map((line) => line.trim());
  const traced = lines.findLast((line) => TRACED.test(line)) ?? "";
  return {
    exc_type: EXCEPTIONS[why.kind] ?? TRACED.exec(traced)?.[1] ?? "RuntimeError",
    exc_info: { args: [why.message] },
    exc_stack: framesIn(output),
  };
}

const FRAME = /^ {1,8}File "([^"\n]{1,300})", line (\d{1,9}), in (.{1,100})(?:\n {2,16}(\S.{0,300}))?/gm;

/** File, line, function and text of each call of a Python trace. */
function framesIn(output: string): [string, number, string, string][] | null {
  const frames = [...output.matchAll(FRAME)].map(
    ([, file, line, name, text = ""]): [string, number, string, string] => [file, Number(line), name, text],
  );
  return frames.length === 0 ? null : frames;
}

function bestPath(steps: readonly JournalStep[]): JournalStep[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  const pathTo = (step: JournalStep | undefined): JournalStep[] =>
    step === undefined ? [] : [...pathTo(step.parent === null ? undefined : byId.get(step.parent)), step];
  const best = steps.findLast(({ isBest }) => isBest);
  if (best) return pathTo(best);
  return steps.map(pathTo).reduce((longest, one) => (one.length > longest.length ? one : longest), []);
}
