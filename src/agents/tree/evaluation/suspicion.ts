import { bestNode, type Direction, goodNodes, rootsOf } from "../engine/tree.ts";
import type { StepMetric } from "../journal/schema.ts";
import type { Workshop } from "../operators/workshop.ts";
import { isPerfect } from "./reported.ts";

/** Why a value does not count. */
export interface Failure {
  kind: string;
  message: string;
}

/** What a program measured itself; by a metric of its own choice, whatever it was asked for. */
export interface Claim {
  value: number;
  /** Null where it does not say which way is better. */
  direction: Direction | null;
}

interface Suspect {
  metric: StepMetric;
  /** Where our own rows measure it too. */
  claimed: Claim | null;
  code: string;
}

/** So many drafts, each an idea of its own, that seem perfect: then it is the task that is easy. */
const WITNESSES = 2;
/** Rows that a program is wrong about by its own measure: with fewer expected, none at all is no wonder. */
const FEW_MISTAKES = 4;

/** Results too good to be true: perfect ones, leaps, and claims far above what hidden rows show; and ways to hidden rows. */
export function suspicion(shop: Workshop, { metric, claimed, code }: Suspect): Failure | null {
  const { value, direction } = metric;
  const name = shop.task.metricName;
  if (shop.carved !== null && code.includes(shop.allData))
    return {
      kind: "leak",
      message: `it names ${shop.allData}, where the rows it is measured on still have their targets; its data are in ./input`,
    };
  if (isPerfect(value, direction, name))
    return isShownOtherwise(shop, metric, claimed)
      ? null
      : {
          kind: "too good",
          message: `${value} is too good to be true: most likely a leak found its way in`,
        };
  if (claimed !== null && isPerfectClaim(claimed, direction))
    return {
      kind: "leak",
      message: `leak found: it measured ${claimed.value} itself, hidden rows give ${value.toPrecision(5)}`,
    };
  return metric.source === "hold-out" ? null : leap(shop, metric);
}

/** No error at all, or everything right, in whatever it measured: another metric than the task's has another best value. */
function isPerfectClaim({ value, direction }: Claim, usual: Direction): boolean {
  return Math.abs(value - ((direction ?? usual) === "minimize" ? 0 : 1)) <= 1e-9;
}

function leap(shop: Workshop, { value, direction, source }: StepMetric): Failure | null {
  const good = goodNodes(shop.tree()).filter((node) => node.metric?.source === source);
  const best = bestNode(good)?.metric?.value;
  if (best === undefined || good.length < 3) return null;
  const [before, now] = [errorOf(best, direction), errorOf(value, direction)];
  if (before <= 0 || now < 0 || now >= 0.1 * before) return null;
  return { kind: "too good", message: `${value} after ${best} is too good to be true: most likely a leak` };
}

const errorOf = (value: number, direction: Direction) => (direction === "minimize" ? value : 1 - value);

/**
 * Some tasks are easy, and a few hidden rows are soon all right. A perfect value is believed where another is known that
 * nobody doubts, where several drafts came to it, each in its own way, or where so few mistakes were to be expected on so
 * few rows that there may as well be none.
 */
function isShownOtherwise(shop: Workshop, { direction, source }: StepMetric, claimed: Claim | null): boolean {
  const tree = shop.tree();
  const best = bestNode(goodNodes(tree))?.metric?.value;
  if (best !== undefined && isPerfect(best, direction, shop.task.metricName)) return true;
  if (rootsOf(tree).filter(({ why }) => why?.kind === "too good").length >= WITNESSES) return true;
  // A loss says nothing of how many rows a program is right about.
  const isShare = claimed !== null && (claimed.direction ?? direction) === direction && claimed.value <= 1;
  const expected = isShare ? claimed.value : best;
  if (source !== "hold-out" || direction === "minimize" || expected === undefined) return false;
  return errorOf(expected, direction) * shop.carved!.hidden.search.size < FEW_MISTAKES;
}
