import { createHash } from "node:crypto";
import type { TrialRecord } from "../../../analysis/trial-records.ts";
import type { LedgerLine } from "../../../models/ledger/schema.ts";
import { isolationText, networkText } from "../../../trials/trial/isolation.ts";
import type { Trial } from "../../../trials/trial/schema.ts";
import { momentOf, plausible } from "../../../wording/moments.ts";
import { missingCalls, type RecordedCall, recordedCalls } from "../calls.ts";
import { importedTrial } from "../harbor/job-schema.ts";
import { assistantMessage, type InspectMessage, inspectMessages, messagePool } from "./messages.ts";

/** The keys of a score, each a number: Inspect shows one column for each. */
export const SCORE_KEYS = [
  "any_medal",
  "gold",
  "silver",
  "bronze",
  "above_median",
  "valid_submission",
  "score",
  "percentile",
] as const;
type ScoreKey = (typeof SCORE_KEYS)[number];
export type ScoreValue = Partial<Record<ScoreKey, number>>;

export interface InspectUsage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_tokens_cache_read: number;
  input_tokens_cache_write: number;
  reasoning_tokens: number;
  total_cost?: number;
}

export interface InspectSample {
  /** What goes into `samples/…json`. */
  sample: Record<string, unknown>;
  summary: Record<string, unknown>;
  scores: ScoreValue | null;
  usage: Record<string, InspectUsage>;
}

/** Ids of 22 characters that are the same whenever the same thing is exported. */
export function stableId(...parts: string[]): string {
  return createHash("sha256").update(parts.join("\n")).digest("base64url").slice(0, 22);
}

/** One trial as a sample: its conversation, its submissions, its grade. `epoch` counts the seeds of a competition. */
export function inspectSample(record: TrialRecord, epoch: number, group: string): InspectSample {
  const { trial, grade } = record;
  const identify = (text: string) => stableId(group, record.id, text);
  const pool = messagePool(identify);
  const usage: Record<string, InspectUsage> = {};
  const events: Record<string, unknown>[] = [];
  const begin = momentOf(trial?.startedAt) ?? 0;
  const event = (kind: string, time: string, content: Record<string, unknown>) =>
    events.push({
      event: kind,
      uuid: identify(`event ${events.length}`),
      timestamp: zoned(time),
      working_start: Math.max(0, ((momentOf(time) ?? begin) - begin) / 1000),
      ...content,
    });
  const input = `Solve the competition ${record.competitionId}.`;
  const target = "medal";
  let last: { request: [number, number][]; output: Record<string, unknown>; reply: InspectMessage } | null =
    null;
  const calls = record.folder === null ? [] : recordedCalls(record.folder);
  for (const call of calls) {
    // Nobody was asked: a wrong token, or a budget that was used up, which the sample's limit tells.
    if (call.line.outcome === "refused") continue;
    addUsage(usage, call.line);
    const request = requestOf(call);
    const refs = pool.range(request);
    const reply = { id: identify(`reply ${call.line.seq}`), ...replyOf(call) } as InspectMessage;
    const output = outputOf(call, reply);
    event("model", call.line.time, {
      model: call.line.model ?? call.line.modelAsked ?? "unknown",
      ...(call.line.role === null ? {} : { role: call.line.role }),
      input: [],
      input_refs: refs,
      tools: [],
      tool_choice: "auto",
      config: {},
      output,
      retries: call.line.retries,
      completed: zonedMoment((momentOf(call.line.time) ?? 0) + call.line.milliseconds.total),
      working_time: (call.line.milliseconds.total - call.line.milliseconds.waiting) / 1000,
      ...(call.line.problem === null ? {} : { error: call.line.problem }),
    });
    last = { request: refs, output, reply };
  }
  const scored = scoreOf(record);
  if (trial !== null) tellSubmissions(trial, record, event, target);
  const messages =
    last === null ? [] : [...last.request.flatMap(([from, to]) => pool.messages.slice(from, to)), last.reply];
  const times = {
    ...(trial === null ? {} : { started_at: zoned(trial.startedAt) }),
    ...(trial?.endedAt == null ? {} : { completed_at: zoned(trial.endedAt) }),
    ...(trial?.measurements == null ? {} : { total_time: trial.measurements.wallSeconds }),
    ...(trial?.measurements == null ? {} : { working_time: trial.measurements.wallSeconds }),
  };
  const problem = failureOf(record);
  const limit = trial === null ? null : limitOf(trial);
  const missing = record.folder === null || trial === null ? null : missingCalls(record.folder, trial);
  const imported = trial !== null || record.folder === null ? null : importedTrial(record.folder);
  const metadata = {
    ...(missing === null ? {} : { incomplete: missing }),
    // Whose word the grade is.
    ...(imported === null ? {} : { imported_from: "harbor", grade: imported.grade }),
    trial: record.id,
    seed: record.seed,
    agent: record.agent,
    ...(trial === null
      ? {}
      : {
          sandbox: trial.sandbox.kind,
          isolation: isolationText(trial),
          network: networkText(trial),
          external_knowledge: trial.externalKnowledge,
          stop_reason: trial.outcome?.stopReason ?? null,
          // What a simulated or scripted model did is not a language model's result, in Inspect neither.
          language_model: trial.modelAccess?.roles.every(({ languageModel }) => languageModel) ?? null,
          mlebench_version: trial.mlebenchVersion,
        }),
    leaderboard: grade?.leaderboard ?? null,
    verification: record.verification ?? "not verified",
  };
  const scores =
    scored === null ? {} : { medal: { value: scored, explanation: JSON.stringify(grade), metadata: {} } };
  const same = {
    id: record.competitionId,
    epoch,
    input,
    target,
    metadata,
    scores,
    model_usage: usage,
    uuid: identify("sample"),
    ...times,
    ...(limit === null ? {} : { limit }),
  };
  return {
    scores: scored,
    usage,
    sample: {
      ...same,
      messages,
      output: last?.output ?? { model: "", choices: [] },
      store: {},
      events,
      events_data: { messages: pool.messages, calls: [] },
      attachments: {},
      ...(problem === null ? {} : { error: { message: problem, traceback: "", traceback_ansi: "" } }),
    },
    summary: {
      ...same,
      // The grade in full is in the sample.
      scores: scored === null ? {} : { medal: { value: scored } },
      ...(problem === null ? {} : { error: problem }),
      ...(limit === null ? {} : { limit: limit.type }),
      completed: trial === null || trial.status === "finished",
      retries: 0,
      message_count: messages.length,
    },
  };
}

/** Inspect wants an offset, and a time that is one; ours are in UTC. */
export function zoned(time: string): string {
  return zonedMoment(momentOf(time) ?? 0);
}

function zonedMoment(milliseconds: number): string {
  return new Date(plausible(milliseconds) ?? 0).toISOString().replace(/Z$/, "+00:00");
}

function requestOf({ understood }: RecordedCall): Omit<InspectMessage, "id">[] {
  const request = understood?.request;
  if (request === undefined || "unreadable" in request)
    return [{ role: "user", content: request?.unreadable ?? "(the text was not kept)", source: "input" }];
  return inspectMessages(request);
}

function replyOf({ line, understood }: RecordedCall): Omit<InspectMessage, "id"> {
  return assistantMessage(understood?.reply ?? [], line.modelAnswered ?? line.model);
}

const STOPS: Record<string, string> = {
  end: "stop",
  "stop-sequence": "stop",
  tools: "tool_calls",
  length: "max_tokens",
  context: "model_length",
  refused: "content_filter",
};

function outputOf({ line, understood }: RecordedCall, message: InspectMessage): Record<string, unknown> {
  const problem = line.problem ?? understood?.replyProblem ?? null;
  return {
    model: line.modelAnswered ?? line.model ?? "unknown",
    choices: [{ message, stop_reason: STOPS[line.stopReason ?? ""] ?? "unknown" }],
    ...(line.usage === null ? {} : { usage: usageOf(line) }),
    time: line.milliseconds.total / 1000,
    ...(problem === null ? {} : { error: problem }),
  };
}

/** Inspect's input leaves out what came from or went to the cache; the total has everything. */
function usageOf({ usage, cost }: LedgerLine): InspectUsage {
  const { inputUncached, cacheRead, cacheWrite, output, reasoning } = usage!;
  return {
    input_tokens: inputUncached,
    output_tokens: output,
    total_tokens: inputUncached + cacheRead + cacheWrite + output,
    input_tokens_cache_read: cacheRead,
    input_tokens_cache_write: cacheWrite,
    reasoning_tokens: reasoning,
    ...(cost === null ? {} : { total_cost: cost }),
  };
}

function addUsage(sums: Record<string, InspectUsage>, line: LedgerLine): void {
  if (line.usage === null) return;
  sums[line.model ?? "unknown"] = sumUsage(sums[line.model ?? "unknown"], usageOf(line));
}

/** A cost that is unknown for one call is unknown for the sum. */
export function sumUsage(a: InspectUsage | undefined, b: InspectUsage): InspectUsage {
  if (a === undefined) return { ...b };
  const { total_cost: one, ...left } = a;
  const { total_cost: other, ...right } = b;
  const sum = { ...left };
  for (const key of Object.keys(right) as (keyof typeof right)[]) sum[key] += right[key];
  return one === undefined || other === undefined ? sum : { ...sum, total_cost: one + other };
}

function scoreOf({ grade }: TrialRecord): ScoreValue | null {
  if (grade === null) return null;
  const flag = (value: boolean) => (value ? 1 : 0);
  return {
    any_medal: flag(grade.gold_medal || grade.silver_medal || grade.bronze_medal),
    gold: flag(grade.gold_medal),
    silver: flag(grade.silver_medal),
    bronze: flag(grade.bronze_medal),
    above_median: flag(grade.above_median),
    valid_submission: flag(grade.valid_submission),
    ...(grade.score == null ? {} : { score: grade.score }),
    ...(grade.percentile == null ? {} : { percentile: grade.percentile }),
  };
}

function tellSubmissions(
  trial: Trial,
  record: TrialRecord,
  event: (kind: string, time: string, content: Record<string, unknown>) => void,
  target: string,
): void {
  const scores = new Map(record.timeline.map((point) => [point.sha256, point.score]));
  for (const { sha256, bytes, time, elapsedSeconds } of trial.submissions) {
    event("info", time, { source: "mlebench", data: { submission: sha256, bytes, elapsedSeconds } });
    const score = scores.get(sha256);
    if (score != null)
      event("score", time, { score: { value: { score } }, target, intermediate: true, scorer: "medal" });
  }
}

/** What was not the agent's doing makes a sample's error; a failed agent has a score like any other. */
function failureOf({ trial }: TrialRecord): string | null {
  const outcome = trial?.outcome;
  if (outcome == null || outcome.blame === null || outcome.blame === "agent" || outcome.blame === "budget")
    return null;
  return `${outcome.blame}: ${outcome.message}`;
}

function limitOf({ outcome, limits, modelAccess }: Trial): { type: string; limit: number } | null {
  if (outcome?.stopReason === "timeout") return { type: "time", limit: limits.timeSeconds };
  if (outcome?.stopReason !== "budget") return null;
  const { cost, tokens, calls } = { ...modelAccess?.limits.group, ...modelAccess?.limits.trial };
  if (cost !== undefined) return { type: "cost", limit: cost };
  return tokens !== undefined ? { type: "token", limit: tokens } : { type: "custom", limit: calls ?? 0 };
}
