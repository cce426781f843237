import fs from "node:fs";
import path from "node:path";
import { inferMetric } from "../../baseline/validation/metric.ts";
import { type ValidationReply, validateSubmission } from "../../kit/validate-client.ts";
import { within } from "../engine/clock.ts";
import { bestNode, type Direction, goodNodes, isBetter } from "../engine/tree.ts";
import type { AttemptResult } from "../execution/attempt.ts";
import type { JournalStep, StepMetric } from "../journal/schema.ts";
import type { Spent } from "../operators/ask.ts";
import { askForReview, type Review } from "../operators/review.ts";
import { directionOf, type Workshop } from "../operators/workshop.ts";
import { hiddenIdsOf, measureHidden, readPredictions } from "./predictions.ts";
import { asMetric, isAbsurd, isImpossible, otherMetric, reportedMetric } from "./reported.ts";
import { type Claim, type Failure, suspicion } from "./suspicion.ts";
import { type Rows, writeSubmission } from "./table.ts";

export type Verdict = Pick<JournalStep, "metric" | "validity" | "buggy" | "why" | "analysis"> & {
  /** The search cannot go on; the original's way with a reviewer that fails. */
  fatal?: string;
};

interface Judged {
  shop: Workshop;
  validateUrl: string;
  code: string;
  result: AttemptResult;
  spent: Spent;
  /** Our own learners: nobody has to suspect them. */
  trusted?: boolean;
}

/** The harness did not say in time. */
export const UNANSWERED: ValidationReply = { status: "no answer", message: "there was no answer in time" };

const UNCHECKED = { status: "none" as const, message: "" };

/** What an attempt is worth: what went wrong, or how good it is on rows it never saw. */
export async function judge(judged: Judged): Promise<Verdict> {
  const { shop, result, code, spent } = judged;
  const asks = shop.settings.compat || shop.settings["agent.review"] === "always";
  const reviewed = asks ? await askForReview(shop, code, reviewedOutput(result), spent) : null;
  if (shop.settings.compat) return judgeAsOriginal(judged, reviewed);
  const review = reviewed?.status === "reviewed" ? reviewed.review : null;
  const crash = crashOf(result);
  if (crash !== null) return fault(crash.kind, crash.message, review?.summary);
  const file = result.predictions!.file;
  const shape = shapeOf(shop, file);
  if (shape.problem !== null)
    return fault(shape.kind, shape.problem, review?.summary, { status: "invalid", message: shape.problem });
  const measured = await measure(judged, shape.cells, review);
  if ("kind" in measured) return fault(measured.kind, measured.message, review?.summary);
  if (review?.isBug && measured.source !== "hold-out")
    return fault("review", review.summary || "the reviewer calls it a bug", review.summary);
  const validity = await validityOf(judged, file, shape.cells, measured);
  if (validity.status === "invalid") return fault("invalid submission", validity.message, "", validity);
  const analysis =
    review?.summary || `${measured.name} ${measured.value.toPrecision(6)} (${measured.source}).`;
  return { metric: measured, validity, buggy: false, why: null, analysis };
}

function fault(
  kind: string,
  message: string,
  summary = "",
  validity: Verdict["validity"] = UNCHECKED,
): Verdict {
  const why = { kind, message: message.slice(0, 2000) };
  return { metric: null, validity, buggy: true, why, analysis: summary || why.message };
}

const reviewedOutput = (result: AttemptResult) => {
  const crash = crashOf(result);
  return crash === null ? result.output : `${result.output}\n${crash.message}`;
};

function crashOf({ end, exitCode, signal, output, seconds, predictions }: AttemptResult) {
  const lastLine = output.trim().split("\n").at(-1) ?? "";
  if (end === "timeout")
    return { kind: "timeout", message: `TimeoutError: it timed out after ${Math.round(seconds)} s` };
  if (end === "memory") return { kind: "memory", message: "MemoryError: it used more memory than it may" };
  if (end === "output") return { kind: "output", message: "OSError: it printed without end" };
  if (end === "disk") return { kind: "disk", message: "OSError: it was about to fill the disk" };
  if (end === "not started") return { kind: "exception", message: `it could not be started: ${lastLine}` };
  if (exitCode !== 0)
    return {
      kind: "exception",
      message: `it ended with ${signal ?? `status ${exitCode}`}: ${lastLine.slice(0, 500)}`,
    };
  if (predictions === null)
    return { kind: "no submission", message: "it wrote no submission/submission.csv" };
  return null;
}

/** Whether the file is what was asked for, as far as we can tell ourselves. */
function shapeOf(shop: Workshop, file: string) {
  const { sample, carved, settings } = shop;
  if (sample === null) return { kind: "", problem: null, cells: null };
  const found = readPredictions(file, sample, carved === null ? [] : hiddenIdsOf(carved));
  if (found.status === "wrong") return { kind: "invalid submission", problem: found.why, cells: null };
  if (settings["parts.checks"] && isSampleCopy(sample, found.cells))
    return { kind: "sample copy", problem: "it is a copy of the sample submission", cells: null };
  return { kind: "", problem: null, cells: found.cells };
}

function isSampleCopy(sample: Rows, cells: ReadonlyMap<string, readonly string[]>): boolean {
  return sample.rows.every(([id, ...own]) => {
    const given = cells.get(id);
    return own.every((cell, at) => cell === given?.[at] || Number(cell) === Number(given?.[at]));
  });
}

/** Our own metric where we can, what the script printed otherwise, the reviewer's reading at last. */
async function measure(
  { shop, result, code, spent, trusted = false }: Judged,
  cells: ReadonlyMap<string, readonly string[]> | null,
  given: Review | null,
): Promise<StepMetric | Failure> {
  const reported = reportedMetric(result.output);
  const known = directionOf(shop);
  const checked = (metric: StepMetric, claimed: Claim | null) =>
    (shop.settings["parts.checks"] && !trusted ? suspicion(shop, { metric, claimed, code }) : null) ?? metric;
  if (shop.carved !== null && cells !== null && known !== null) {
    const own = measureHidden(shop.carved, "search", cells, known);
    if (own === null) return { kind: "no metric", message: "its predictions have no score on hidden rows" };
    return checked(own, reported.status === "metric" ? reported : null);
  }
  if (reported.status === "absurd") return absurd(reported.text);
  const other = reported.status === "metric" ? otherMetric(shop.task.metricName, reported.name) : null;
  if (shop.settings["parts.checks"] && !trusted && other !== null)
    return {
      kind: "other metric",
      message: `it measured ${other}, and the task is scored by ${shop.task.metricName}: programs could not be compared`,
    };
  let review = given;
  if (reported.status === "none" && review === null && shop.settings["agent.review"] === "fallback") {
    const asked = await askForReview(shop, code, result.output, spent);
    review = asked.status === "reviewed" ? asked.review : null;
  }
  const value = reported.status === "metric" ? reported.value : review?.metric;
  if (typeof value !== "number") return { kind: "no metric", message: "it printed no METRIC line" };
  if (isAbsurd(value)) return absurd(String(value));
  const direction = known ?? (reported.status === "metric" ? reported.direction : toldBy(review));
  if (direction === null) return { kind: "no metric", message: "nobody said whether lower is better" };
  const name = reported.status === "metric" ? reported.name : (shop.task.metricName ?? "metric");
  // Where the task names no metric that we know, the program's own word for it says what can be.
  const ranged = shop.task.metricName ?? (/neg/i.test(name) ? null : inferMetric(name).name);
  if (shop.settings["parts.checks"] && isImpossible(ranged, value))
    return { kind: "absurd metric", message: `${value} is not a value that ${ranged} can have` };
  return checked(
    asMetric(name, value, direction, reported.status === "metric" ? "reported" : "review"),
    null,
  );
}

const absurd = (text: string): Failure => ({
  kind: "absurd metric",
  message: `METRIC ${text} is not a number that can be compared`,
});

function toldBy(review: Review | null): Direction | null {
  if (review === null || review.lowerIsBetter === null) return null;
  return review.lowerIsBetter ? "minimize" : "maximize";
}

/** The file as the competition wants it, and what the harness says to it where it may become the best. */
async function validityOf(
  { shop, validateUrl, result }: Judged,
  file: string,
  cells: ReadonlyMap<string, readonly string[]> | null,
  metric: StepMetric,
): Promise<Verdict["validity"]> {
  const target = path.join(path.dirname(file), "submission.csv");
  if (shop.sample !== null && cells !== null) writeSubmission(target, shop.sample, cells);
  else fs.copyFileSync(result.predictions!.file, target);
  const best = bestNode(goodNodes(shop.tree()))?.metric;
  if (cells !== null && best && !isBetter(metric.value, best.value, best.direction))
    return { status: "valid", message: "By our own check; the harness was not asked." };
  const reply = await within(validateSubmission(validateUrl, target), shop.clock.secondsLeft(), UNANSWERED);
  if (reply.status !== "answered") return { status: "unchecked", message: reply.message.slice(0, 500) };
  return { status: reply.isValid ? "valid" : "invalid", message: reply.result.slice(0, 1000) };
}

/** The review alone decides, as in the original: a whole number is not a metric, a failed review ends the run. */
async function judgeAsOriginal(
  judged: Judged,
  reviewed: Awaited<ReturnType<typeof askForReview>> | null,
): Promise<Verdict> {
  const { result, shop } = judged;
  if (reviewed?.status !== "reviewed")
    return { ...fault("review", reviewed?.message ?? "no review"), fatal: reviewed?.message ?? "no review" };
  const { review } = reviewed;
  const crash = crashOf(result);
  // Infinity is the best for ever there; here it is the largest number that a journal can hold.
  const value = typeof review.metric === "number" ? boundedNumber(review.metric) : review.metric;
  const isFloat = typeof value === "number" && !Number.isInteger(review.metric);
  if (review.isBug || crash !== null || !isFloat || !review.hasSubmission)
    return fault(crash?.kind ?? (isFloat ? "review" : "no metric"), review.summary, review.summary);
  const direction = review.lowerIsBetter === false ? "maximize" : "minimize";
  const other = shop.tree().nodes.find(({ metric }) => metric && metric.direction !== direction);
  const metric = asMetric("metric", value, direction, "review");
  const target = path.join(path.dirname(result.predictions!.file), "submission.csv");
  fs.copyFileSync(result.predictions!.file, target);
  return {
    metric,
    validity: { status: "unchecked", message: "The original does not ask." },
    buggy: false,
    why: null,
    analysis: review.summary,
    ...(other === undefined ? {} : { fatal: "two steps disagree on which way the metric is better" }),
  };
}

const boundedNumber = (value: number) => Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, value));
