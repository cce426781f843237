import fs from "node:fs";
import path from "node:path";
import { plural } from "../../../wording/counts.ts";
import { codeOf } from "../engine/step.ts";
import type { TreeNode } from "../engine/tree.ts";
import { readPredictions } from "../evaluation/predictions.ts";
import { runAttempt } from "../execution/attempt.ts";
import { runBaseline } from "../operators/baseline.ts";
import type { Workshop } from "../operators/workshop.ts";
import type { CellsById } from "./blend.ts";
import { againSeconds } from "./reevaluate.ts";

/** Whether a member of the end was learned again from all rows, and if not, why its own file stands. */
export type Refit = "learned" | "no time" | "failed" | "switched off" | "nothing hidden";

const WHY_NOT: Record<Exclude<Refit, "learned">, string> = {
  "no time": "the time did not suffice to learn again from all rows",
  failed: "learning again from all rows failed",
  "switched off": "learning again from all rows is switched off",
  "nothing hidden": "no rows were hidden when it learned",
};

/** What the end did, as the journal, the report and `metrics.json` tell it: only what really ran is claimed. */
export function endingPlan(refits: readonly Refit[]): string {
  const what =
    refits.length === 1 ? "The chosen step" : `The mean of ${plural(refits.length, "step")} by weight`;
  const learned = refits.filter((refit) => refit === "learned").length;
  if (learned === refits.length) return `${what}, learned again from all rows.`;
  const reasons = [...new Set(refits)].flatMap((refit) => (refit === "learned" ? [] : [WHY_NOT[refit]]));
  const why = reasons.join("; ");
  if (refits.length === 1) return `${what} as it was: ${why}, and the step's own file stands.`;
  return learned === 0
    ? `${what} as they were: ${why}, and the steps' own files stand.`
    : `${what}, ${learned} of them learned again from all rows; of the others the own files stand: ${why}.`;
}

export interface LearnedAgain {
  refit: Refit;
  /** Null: what the step predicted before has to do. */
  cells: CellsById | null;
  /** Spent on it, also where it failed. */
  seconds: number;
}

/** A step once more, on all rows, where that makes sense and the time suffices. */
export async function learnAgain(
  { shop, allData, baselineProgram }: { shop: Workshop; allData: string; baselineProgram: string | null },
  node: TreeNode,
  name: string,
): Promise<LearnedAgain> {
  const whyNot = whyNotAgain(shop, node);
  if (whyNot !== null) return { refit: whyNot, cells: null, seconds: 0 };
  const result =
    node.operator === "baseline"
      ? await runBaseline(shop, baselineProgram, name, allData)
      : await runAttempt(shop.place, {
          name,
          code: codeOf(shop, node),
          data: allData,
          timeoutSeconds: Math.max(2, Math.min(shop.clock.secondsLeft(), againSeconds(node))),
          memoryBytes: shop.clock.memoryBytes,
        });
  const read =
    result.exitCode === 0 && result.predictions !== null && shop.sample !== null
      ? readPredictions(result.predictions.file, shop.sample, [])
      : null;
  fs.rmSync(path.join(shop.place.kept, name), { recursive: true, force: true });
  const { seconds } = result;
  if (read?.status === "complete") return { refit: "learned", cells: read.cells, seconds };
  return { refit: result.end === "timeout" ? "no time" : "failed", cells: null, seconds };
}

function whyNotAgain({ carved, settings, clock }: Workshop, node: TreeNode): Refit | null {
  if (carved === null) return "nothing hidden";
  if (!settings["parts.refit"]) return "switched off";
  return 1.5 * node.executionSeconds + 1 < clock.secondsLeft() ? null : "no time";
}
