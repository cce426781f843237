import { record } from "../engine/loop.ts";
import { attemptName, codeOf, executionOf, frame, keepCode, type MadeStep } from "../engine/step.ts";
import { nextStep, type TreeNode } from "../engine/tree.ts";
import type { Carved } from "../evaluation/carve.ts";
import { hiddenIdsOf, measureHidden, readPredictions } from "../evaluation/predictions.ts";
import { asMetric, reportedMetric } from "../evaluation/reported.ts";
import { runAttempt } from "../execution/attempt.ts";
import type { Journal } from "../journal/append.ts";
import type { StepMetric } from "../journal/schema.ts";
import { nothingSpent } from "../operators/ask.ts";
import { runBaseline } from "../operators/baseline.ts";
import { directionOf, type Workshop } from "../operators/workshop.ts";
import { cellsOf } from "./candidates.ts";

export interface SecondLook {
  shop: Workshop;
  journal: Journal;
  /** Another choice of hidden rows; null where scripts report their own metric. */
  other: Carved | null;
  /** Which of the further looks, from 1 on. */
  look: number;
  baselineProgram: string | null;
}

/** A program that hangs the second time must not take the time of all others. */
export const againSeconds = ({ executionSeconds }: TreeNode) => 60 + 4 * executionSeconds;

/** Measures a candidate once more, on other hidden rows; without them it runs again with another seed. */
export async function reevaluate(look: SecondLook, candidate: TreeNode): Promise<TreeNode> {
  const { shop, journal, other } = look;
  const step = nextStep(journal.tree());
  const startedAt = new Date().toISOString();
  const name = attemptName(step);
  const code = codeOf(shop, candidate);
  const data = other?.folder ?? shop.data;
  const result =
    candidate.operator === "baseline"
      ? await runBaseline(shop, look.baselineProgram, name, data)
      : await runAttempt(
          { ...shop.place, seed: shop.seed + look.look },
          {
            name,
            code,
            data,
            timeoutSeconds: Math.min(shop.clock.executionSeconds(), againSeconds(candidate)),
            memoryBytes: shop.clock.memoryBytes,
          },
        );
  const metric = measureAgain(look, result.output, result.predictions?.file ?? null);
  const ok = result.exitCode === 0 && metric !== null;
  const why = ok ? null : { kind: "exception", message: "it did not work a second time" };
  const made = {
    ...frame(shop, step, startedAt, nothingSpent()),
    phase: "endgame",
    parent: candidate.id,
    sources: [],
    operator: "reevaluate",
    stage: "improve",
    plan: `Step ${candidate.step} once more, ${other === null ? "with another seed" : "on other hidden rows"}.`,
    promptSha256: null,
    ...keepCode(shop, step, candidate.codePath === null ? null : code, code),
    ...executionOf(result),
    analysis: ok ? `${metric.name} ${metric.value.toPrecision(6)} on other rows.` : (why?.message ?? ""),
    metric: ok ? metric : null,
    choice: ok ? choiceOf(shop, candidate) : null,
    validity: { status: "unchecked", message: "" },
    buggy: !ok,
    why,
    submissionSha256: result.predictions?.sha256 ?? null,
  } satisfies MadeStep;
  return record(journal, made);
}

function measureAgain({ shop, other }: SecondLook, output: string, file: string | null): StepMetric | null {
  const direction = directionOf(shop);
  if (file === null || direction === null) return null;
  if (other !== null && shop.sample !== null) {
    const read = readPredictions(file, shop.sample, hiddenIdsOf(other));
    return read.status === "complete" ? measureHidden(other, "both", read.cells, direction) : null;
  }
  const reported = reportedMetric(output);
  return reported.status === "metric" ? asMetric(reported.name, reported.value, direction, "reported") : null;
}

/** On the rows that have not been looked at so far. */
export function choiceOf(shop: Workshop, candidate: TreeNode): StepMetric | null {
  const direction = directionOf(shop);
  const cells = cellsOf(shop, candidate);
  if (shop.carved === null || cells === null || direction === null) return null;
  return measureHidden(shop.carved, "choice", cells, direction);
}
