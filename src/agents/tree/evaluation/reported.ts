import { inferMetric } from "../../baseline/validation/metric.ts";
import type { Direction } from "../engine/tree.ts";
import type { StepMetric } from "../journal/schema.ts";

/**
 * What scripts are asked to print: `METRIC <name> = <value> (lower is better)`. The last such line counts. Every part of
 * the pattern has a bound: whatever is printed is read in a moment.
 */
const LINE =
  /^[ \t]{0,40}METRIC[ \t]{1,9}([\w@ .-]{1,60}?)[ \t]{0,9}[=:][ \t]{0,9}([-+\w.]{1,60})(?:[ \t]{0,9}\(?[ \t]{0,9}(?:direction[ \t]{0,9}=[ \t]{0,9})?(lower|higher|minimi[sz]e|maximi[sz]e))?/gim;

export type Reported =
  | { status: "none" }
  | { status: "absurd"; text: string }
  | { status: "metric"; name: string; value: number; direction: Direction | null };

export function reportedMetric(output: string): Reported {
  const found = [...output.matchAll(LINE)].at(-1);
  if (found === undefined) return { status: "none" };
  const [, name, text, way] = found;
  const value = Number(text);
  if (isAbsurd(value)) return { status: "absurd", text };
  const direction = way === undefined ? null : /^(lower|mini)/i.test(way) ? "minimize" : "maximize";
  return { status: "metric", name: name.trim(), value, direction };
}

/** Nothing that somebody measured. */
export const isAbsurd = (value: number) => !Number.isFinite(value) || Math.abs(value) > 1e15;

/** Values that a metric cannot have: more than everything right, or a negative error. */
export function isImpossible(metricName: string | null, value: number): boolean {
  if (metricName === null) return false;
  if (["auc", "accuracy", "macro-f1", "micro-f1", "map-at-k", "dice"].includes(metricName))
    return value < 0 || value > 1;
  if (metricName === "kappa") return value < -1 || value > 1;
  return value < 0;
}

/** Measured on logarithms the one is the other; who says F1 mostly does not say which; and with one label a row, micro-F1 is the accuracy. */
const ALIKE: readonly (readonly string[])[] = [
  ["rmse", "rmsle"],
  ["macro-f1", "micro-f1"],
  ["micro-f1", "accuracy"],
];

/** The metric that a program's word for its own stands for, where that is none the task is scored by; null otherwise. */
export function otherMetric(metricName: string | null, word: string): string | null {
  const own = inferMetric(word.replaceAll("_", " ")).name;
  if (metricName === null || own === null || own === metricName) return null;
  return ALIKE.some((group) => group.includes(own) && group.includes(metricName)) ? null : own;
}

/** Nobody is right about everything: a perfect value on held-out rows is a leak until somebody shows otherwise. */
export function isPerfect(value: number, direction: Direction, metricName: string | null): boolean {
  if (direction === "minimize") return Math.abs(value) <= 1e-9;
  return metricName !== null && value >= 1 - 1e-9;
}

export function asMetric(name: string, value: number, direction: Direction, source: string): StepMetric {
  return { name, value, direction, source, folds: [], spread: null };
}
