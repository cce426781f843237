import type { Direction } from "../../competitions/competition.ts";
import { type InitRefusal, refusal } from "./schema.ts";
import { classesProblem, inferKind, type TargetFacts, type TargetKind } from "./target.ts";

interface OwnMetric {
  title: string;
  /** As the catalogue calls it. */
  name: string;
  direction: Direction;
  /** What perfect answers score. */
  best: number;
  kinds: readonly TargetKind[];
}

/** The metrics a competition of one's own can start with; another one is a grader to write. */
export const OWN_METRICS = {
  auc: {
    title: "Area under the ROC curve (AUC)",
    name: "auc-roc",
    direction: "maximize",
    best: 1,
    kinds: ["binary"],
  },
  "log-loss": {
    title: "Log loss",
    name: "log-loss",
    direction: "minimize",
    best: 0,
    kinds: ["binary", "classes"],
  },
  accuracy: {
    title: "Accuracy",
    name: "accuracy",
    direction: "maximize",
    best: 1,
    kinds: ["binary", "classes"],
  },
  "quadratic-kappa": {
    title: "Quadratic weighted kappa",
    name: "quadratic-weighted-kappa",
    direction: "maximize",
    best: 1,
    kinds: ["grades"],
  },
  rmse: {
    title: "Root mean squared error (RMSE)",
    name: "root-mean-squared-error",
    direction: "minimize",
    best: 0,
    kinds: ["number"],
  },
  mae: {
    title: "Mean absolute error (MAE)",
    name: "mean-absolute-error",
    direction: "minimize",
    best: 0,
    kinds: ["number"],
  },
  rmsle: {
    title: "Root mean squared logarithmic error (RMSLE)",
    name: "root-mean-squared-logarithmic-error",
    direction: "minimize",
    best: 0,
    kinds: ["number"],
  },
} as const satisfies Record<string, OwnMetric>;

export type OwnMetricName = keyof typeof OWN_METRICS;

export interface MetricChoice {
  metric: OwnMetricName;
  kind: TargetKind;
  /** The rules that decided, in words. */
  whyKind: string;
  whyMetric: string;
}

const MAX_COLUMNS = 10;
const PLAIN_NAME = /^[^\p{C}"]{1,40}$/u;
const SKEWED = 10;
const FAR_AWAY = 10;

/** The metric that was asked for, if the target allows it, or the one that suits the target. */
export function chooseMetric(facts: TargetFacts, wanted: OwnMetricName | null): MetricChoice | InitRefusal {
  if (wanted !== null) return askedMetric(facts, wanted);
  const inferred = inferKind(facts);
  if ("code" in inferred) return inferred;
  const { kind, why: whyKind } = inferred;
  return { kind, whyKind, ...proposedMetric(facts, kind) };
}

function proposedMetric(facts: TargetFacts, kind: TargetKind): Pick<MetricChoice, "metric" | "whyMetric"> {
  switch (kind) {
    case "binary":
      return { metric: "auc", whyMetric: "two classes: the order of the probabilities counts" };
    case "grades":
      return { metric: "quadratic-kappa", whyMetric: "grades on a scale: far misses cost more" };
    case "classes":
      return facts.counts.size <= MAX_COLUMNS && canBeColumns(facts)
        ? { metric: "log-loss", whyMetric: `up to ${MAX_COLUMNS} classes: a probability for each` }
        : {
            metric: "accuracy",
            whyMetric: `more than ${MAX_COLUMNS} classes or long names: one label a row`,
          };
    case "number":
      return numberMetric(facts.values!);
  }
}

/** Whether the classes can name columns of a submission. */
function canBeColumns({ counts }: TargetFacts): boolean {
  return [...counts.keys()].every((label) => PLAIN_NAME.test(label));
}

function numberMetric(values: Float64Array): Pick<MetricChoice, "metric" | "whyMetric"> {
  const sorted = Float64Array.from(values).sort();
  const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))];
  const median = at(0.5);
  if (sorted[0] >= 0 && median > 0 && at(0.99) >= SKEWED * median)
    return {
      metric: "rmsle",
      whyMetric: `nothing below 0, and the 99th percentile is ${SKEWED} times the median or more: errors count in proportion`,
    };
  const spread = at(0.75) - at(0.25);
  const farthest = Math.max(median - sorted[0], sorted[sorted.length - 1] - median);
  if (spread > 0 && farthest > FAR_AWAY * spread)
    return {
      metric: "mae",
      whyMetric: `a value lies more than ${FAR_AWAY} interquartile ranges from the median, and would decide a squared error alone`,
    };
  return { metric: "rmse", whyMetric: "numbers without extreme values" };
}

function askedMetric(facts: TargetFacts, wanted: OwnMetricName): MetricChoice | InitRefusal {
  const kinds: readonly TargetKind[] = OWN_METRICS[wanted].kinds;
  const problem = unfit(facts, wanted);
  if (problem !== null) {
    const fitting = inferKind(facts);
    const next =
      "code" in fitting
        ? fitting.nextStep
        : `Leave --metric out, or take one for this target: ${metricsFor(fitting.kind).join(", ")}.`;
    return refusal("METRIC_DOES_NOT_FIT", `${wanted} does not fit "${facts.name}": ${problem}.`, next);
  }
  const kind = kinds.includes("binary") && facts.counts.size === 2 ? "binary" : kinds[kinds.length - 1];
  return { metric: wanted, kind, whyKind: `--metric ${wanted} wants it so`, whyMetric: "asked for" };
}

function metricsFor(kind: TargetKind): OwnMetricName[] {
  const names = Object.keys(OWN_METRICS) as OwnMetricName[];
  return names.filter((name) => (OWN_METRICS[name].kinds as readonly TargetKind[]).includes(kind));
}

function unfit(facts: TargetFacts, wanted: OwnMetricName): string | null {
  const { counts, values, wholeNumbers } = facts;
  switch (wanted) {
    case "auc":
      return counts.size === 2 ? null : `it has ${counts.size} values, not two`;
    case "log-loss":
      return (
        classesProblem(facts) ?? (canBeColumns(facts) ? null : "its classes cannot all be names of columns")
      );
    case "accuracy":
      return classesProblem(facts) ?? (values === null || wholeNumbers ? null : "its numbers are not whole");
    case "quadratic-kappa":
      return wholeNumbers ? classesProblem(facts) : "its values are not whole numbers";
    case "rmse":
    case "mae":
      return values === null ? "its values are not numbers" : null;
    case "rmsle":
      if (values === null) return "its values are not numbers";
      return values.every((value) => value >= 0) ? null : "some values are below 0";
  }
}
