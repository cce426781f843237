import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { judge, type Verdict } from "../evaluation/judge.ts";
import { sampleView } from "../evaluation/sample-view.ts";
import { type AttemptResult, keptFolder, runAttempt } from "../execution/attempt.ts";
import { unifiedDiff } from "../journal/diff.ts";
import { JOURNAL_VERSION, type JournalStep, STEP_SCHEMA } from "../journal/schema.ts";
import { trimOutput } from "../memory/tokens.ts";
import { askForCode, nothingSpent, promptDigest, type Spent, type Written } from "../operators/ask.ts";
import { runBaseline } from "../operators/baseline.ts";
import { fenced, promptFor } from "../operators/prompt.ts";
import { findBlock } from "../operators/refine.ts";
import type { Workshop } from "../operators/workshop.ts";
import type { Action } from "../policies/policy.ts";
import { rootsOf, type TreeNode } from "./tree.ts";

/** Whether it was the best is known when it is written down. */
export type MadeStep = Omit<JournalStep, "isBest">;

/** `ended`: nothing was learned, and the search cannot go on (the budget for models is spent, or `compat` says so). */
export type StepOutcome =
  | { status: "made"; step: MadeStep; fatal: string | null }
  | { status: "ended"; why: "refused"; message: string };

export interface StepPlace {
  shop: Workshop;
  validateUrl: string;
  /** The program of the baseline agent; null where it is not there. */
  baselineProgram: string | null;
}

const MAX_INLINE_CODE = 64 * 1024;
const MAX_DIFF = 32 * 1024;
/** A script that took longer is tried on a part of the rows first when it is repaired. */
const SLOW_SECONDS = 60;

export const attemptName = (step: number) => String(step).padStart(4, "0");
const stepId = (seed: number, step: number) => sha256Of(`${seed} ${step}`).slice(0, 32);

/** Carries out one action: asks, runs, judges. Nothing of it counts before it is in the journal. */
export async function performStep(
  at: StepPlace,
  action: Action,
  step: number,
  slot: number,
): Promise<StepOutcome> {
  const shop = at.shop.workers === 1 ? at.shop : { ...at.shop, place: { ...at.shop.place, slot } };
  const place = { ...at, shop };
  const startedAt = new Date().toISOString();
  const spent = nothingSpent();
  if (action.operator === "baseline") return baselineStep(place, step, startedAt, spent);
  const made = await writeAndRun(place, action, step, spent);
  if (made.written.status === "no model" && made.written.spent)
    return { status: "ended", why: "refused", message: made.written.message };
  const { written, result, verdict } = made;
  const code = written.status === "written" ? written.code : null;
  const parentCode = action.parent === null ? "" : codeOf(shop, action.parent);
  const record = {
    ...frame(shop, step, startedAt, spent),
    parent: action.parent?.id ?? null,
    sources: action.sources.map(({ id }) => id),
    operator: action.operator,
    stage: action.parent === null ? "draft" : action.parent.buggy ? "debug" : "improve",
    plan: written.status === "written" ? written.plan : "",
    promptSha256: made.prompt,
    ...keepCode(shop, step, code, parentCode),
    ...executionOf(result),
    ...verdictOf(verdict, result),
  } satisfies MadeStep;
  keepOutput(shop, step, result?.output ?? "");
  return { status: "made", step: record, fatal: verdict.fatal ?? null };
}

/** One answer, or for a repair a few: each sees what the one before it did. */
async function writeAndRun(
  { shop, validateUrl }: StepPlace,
  action: Exclude<Action, { operator: "baseline" }> | Action,
  step: number,
  spent: Spent,
): Promise<{ written: Written; result: AttemptResult | null; verdict: Verdict; prompt: string }> {
  const { settings, clock, place } = shop;
  const facts = {
    step,
    draftNumber: rootsOf(shop.tree()).filter(({ operator }) => operator !== "baseline").length + 1,
    codeOf: (node: TreeNode) => codeOf(shop, node),
    outputOf: (node: TreeNode) => outputOf(shop, node),
    block: null as string | null,
    secondsLeft: clock.secondsLeft(),
    stepsLeft: settings["agent.steps"] - step,
    timeoutSeconds: clock.executionSeconds(),
  };
  if (action.operator === "refine") facts.block = await findBlock(shop, action.parent, facts, spent);
  const messages = promptFor(action, shop, facts);
  const prompt = promptDigest(messages);
  const turns = action.operator === "debug" ? settings["parts.debug_turns"] : 1;
  for (let turn = 1; ; turn++) {
    const written = await askForCode(shop.askCode, messages, spent, clock.searchSeconds);
    if (written.status !== "written") return { written, result: null, verdict: notWritten(written), prompt };
    const run = (name: string, data: string, timeoutSeconds: number) =>
      runAttempt(place, { name, code: written.code, data, timeoutSeconds, memoryBytes: clock.memoryBytes });
    const slow = action.parent !== null && isSlow(action.parent);
    let result: AttemptResult | null = null;
    if (action.operator === "debug" && settings["parts.sample_first"] && slow) {
      const view = sampleView(shop);
      const seconds = Math.min(clock.executionSeconds(), Math.max(30, clock.executionSeconds() / 10));
      const tried = view && (await run(`${attemptName(step)}-sample`, view, seconds));
      if (tried && tried.end !== "memory" && (tried.exitCode !== 0 || tried.end === "timeout"))
        result = tried;
      fs.rmSync(path.join(place.kept, `${attemptName(step)}-sample`), { recursive: true, force: true });
    }
    const failedOnSample = result !== null;
    result ??= await run(attemptName(step), shop.data, clock.executionSeconds());
    const verdict = await judge({ shop, validateUrl, code: written.code, result, spent });
    const again = verdict.buggy && turn < turns && clock.searchSeconds() > 30 && verdict.fatal === undefined;
    if (!again) return { written, result, verdict, prompt };
    messages.push(
      { role: "assistant", content: `${written.plan}\n\n${fenced(written.code, shop.language)}` },
      {
        role: "user",
        content: `It still fails${failedOnSample ? " on a part of the rows" : ""}:\n${trimOutput(result.output)}\n${verdict.why?.message ?? ""}\nCorrect it. Answer with the plan and the whole program.`,
      },
    );
  }
}

const isSlow = ({ executionSeconds, why }: TreeNode) =>
  executionSeconds > SLOW_SECONDS || why?.kind === "timeout";

function notWritten(written: Exclude<Written, { status: "written" }>): Verdict {
  const why =
    written.status === "no code"
      ? { kind: "no code", message: `the reply holds no program: ${written.reply.slice(0, 300)}` }
      : { kind: "model", message: written.message.slice(0, 500) };
  const validity = { status: "none" as const, message: "" };
  return { metric: null, validity, buggy: true, why, analysis: why.message };
}

async function baselineStep(
  place: StepPlace,
  step: number,
  startedAt: string,
  spent: Spent,
): Promise<StepOutcome> {
  const { shop, validateUrl, baselineProgram } = place;
  const result = await runBaseline(shop, baselineProgram, attemptName(step));
  const quiet = {
    ...shop,
    settings: { ...shop.settings, "agent.review": "fallback" as const, compat: false },
  };
  const verdict = await judge({ shop: quiet, validateUrl, code: "", result, spent, trusted: true });
  const record = {
    ...frame(shop, step, startedAt, spent),
    parent: null,
    sources: [],
    operator: "baseline",
    stage: "draft",
    plan: "The baseline agent: learners of our own, without a language model.",
    promptSha256: null,
    ...keepCode(shop, step, null, ""),
    ...executionOf(result),
    ...verdictOf(verdict, result),
  } satisfies MadeStep;
  keepOutput(shop, step, result.output);
  return { status: "made", step: record, fatal: null };
}

export function frame(shop: Workshop, step: number, startedAt: string, spent: Spent) {
  return {
    schema: STEP_SCHEMA,
    version: JOURNAL_VERSION,
    step,
    id: stepId(shop.seed, step),
    phase: "search" as const,
    language: shop.language.name,
    choice: null,
    tokens: { input: spent.input, output: spent.output },
    cost: null,
    modelCalls: spent.calls,
    startedAt,
    endedAt: new Date().toISOString(),
    modelSeconds: round(spent.seconds),
  } as const;
}

export const executionOf = (result: AttemptResult | null) => ({
  output: trimOutput(result?.output ?? ""),
  executionSeconds: round(result?.seconds ?? 0),
  memory: result?.peakMemory ?? null,
  exitCode: result?.exitCode ?? null,
});

const verdictOf = (verdict: Verdict, result: AttemptResult | null) => ({
  analysis: verdict.analysis,
  metric: verdict.metric,
  validity: verdict.validity,
  buggy: verdict.buggy,
  why: verdict.why,
  submissionSha256: verdict.buggy ? null : (result?.predictions?.sha256 ?? null),
});

export function keepCode(shop: Workshop, step: number, code: string | null, parentCode: string) {
  if (code === null) return { codePath: null, codeSha256: null, code: null, diff: "" };
  const name = shop.language.fileName(code);
  fs.writeFileSync(path.join(keptFolder(shop.place, attemptName(step)), name), code);
  return {
    codePath: `attempts/${attemptName(step)}/${name}`,
    codeSha256: sha256Of(code),
    code: code.length > MAX_INLINE_CODE ? null : code,
    diff: parentCode === "" ? "" : unifiedDiff(parentCode, code).slice(0, MAX_DIFF),
  };
}

function keepOutput(shop: Workshop, step: number, output: string): void {
  fs.writeFileSync(path.join(keptFolder(shop.place, attemptName(step)), "output.txt"), output);
}

/** From the journal, which no program reaches; a long one from its file, if that is as it was. */
export function codeOf({ place, texts }: Workshop, { id, codePath, codeSha256 }: TreeNode): string {
  const inline = texts(id)?.code ?? null;
  if (inline !== null || codePath === null) return inline ?? "";
  try {
    const text = fs.readFileSync(path.join(path.dirname(place.kept), codePath), "utf8");
    return sha256Of(text) === codeSha256 ? text : "";
  } catch {
    return "";
  }
}

const outputOf = ({ texts }: Workshop, { id }: TreeNode) => texts(id)?.output ?? "";

const sha256Of = (text: string) => createHash("sha256").update(text).digest("hex");

const round = (seconds: number) => Number(seconds.toFixed(3));
