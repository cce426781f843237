import fs from "node:fs";
import path from "node:path";
import { attemptName } from "../engine/step.ts";
import { goodNodes, ranked, type TreeNode } from "../engine/tree.ts";
import { hiddenIdsOf, readPredictions } from "../evaluation/predictions.ts";
import { frozenFile } from "../execution/attempt.ts";
import type { Workshop } from "../operators/workshop.ts";
import type { CellsById } from "./blend.ts";

/** The best few that differ: a copy of a candidate would only count twice. */
export function topCandidates(shop: Workshop): TreeNode[] {
  const seen = new Set<string>();
  return ranked(goodNodes(shop.tree()))
    .filter(({ submissionSha256: sha }) => sha !== null && !seen.has(sha) && seen.add(sha))
    .slice(0, shop.settings["parts.endgame_top"]);
}

/** Null where they are gone, or no longer what they were. */
export function cellsOf(shop: Workshop, node: TreeNode, carved = shop.carved): CellsById | null {
  if (shop.sample === null) return null;
  const file = frozenFile(shop.place, attemptName(node.step), node.submissionSha256);
  if (file === null) return null;
  const read = readPredictions(file, shop.sample, carved === null ? [] : hiddenIdsOf(carved));
  return read.status === "complete" ? read.cells : null;
}

/** Predictions are large; those of steps that are far from the best are of no more use. To be called after each step. */
export function attemptPruner(shop: Workshop): (newest: TreeNode) => void {
  const most = 2 * shop.settings["parts.endgame_top"];
  const gone = new Set<number>();
  return (newest) => {
    const best = ranked(goodNodes(shop.tree()));
    const kept = new Set(best.slice(0, most).map(({ step }) => step));
    for (const { step, operator } of [...best.slice(most, most + 3), newest]) {
      if (operator === "baseline" || kept.has(step) || gone.has(step)) continue;
      gone.add(step);
      for (const name of ["predictions.csv", "submission.csv"])
        fs.rmSync(path.join(shop.place.kept, attemptName(step), name), { force: true });
    }
  };
}
