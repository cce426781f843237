/** Metrics the agent can compute itself, and which way is better. */
const METRICS = {
  auc: "maximize",
  "log-loss": "minimize",
  accuracy: "maximize",
  "macro-f1": "maximize",
  "micro-f1": "maximize",
  kappa: "maximize",
  rmse: "minimize",
  rmsle: "minimize",
  mae: "minimize",
  "map-at-k": "maximize",
  dice: "maximize",
  "edit-distance": "minimize",
} as const;

export type MetricName = keyof typeof METRICS;
export type Direction = "maximize" | "minimize";

export interface InferredMetric {
  /** Null if the description names none that we know. */
  readonly name: MetricName | null;
  readonly direction: Direction | null;
  /** The k of "at k"; null without one. */
  readonly k: number | null;
  /** The line it was read from. */
  readonly evidence: string;
}

/** From the most special to the most general: "RMSLE" has to be asked for before "RMSE". */
const KEYWORDS: readonly (readonly [RegExp, MetricName])[] = [
  [/quadratic(ally)?[ -]weighted kappa|\bQWK\b/i, "kappa"],
  [/root mean squared? log|\bRMSLE\b/i, "rmsle"],
  [/log(arithmic)?[ -]?loss|cross[ -]?entropy/i, "log-loss"],
  [/\bAUC\b|area under (the )?(ROC|receiver)|\bROC\b/i, "auc"],
  [/mean average precision|\bMAP ?@/i, "map-at-k"],
  [/\bdice\b/i, "dice"],
  [/edit distance|levenshtein/i, "edit-distance"],
  [/macro[ -](averaged )?F1|F1.{0,20}macro/i, "macro-f1"],
  [/micro[ -](averaged )?F1|F1.{0,20}micro/i, "micro-f1"],
  [/root mean squared? error|\bRMSE\b/i, "rmse"],
  [/mean absolute error|\bMAE\b/i, "mae"],
  [/accuracy|share of .{0,30}right/i, "accuracy"],
];

/** Reads the metric from a description: from the bold line under "Metric" or "Evaluation", else from that section. */
export function inferMetric(description: string): InferredMetric {
  const section = /^#+\s*(?:metric|evaluation)[^\n]*\n([\s\S]*?)(?=^#+\s|$(?![\s\S]))/im.exec(description);
  const text = section?.[1] ?? description;
  const bold = /\*\*([^*]+)\*\*/.exec(text)?.[1];
  for (const evidence of [bold, text]) {
    if (evidence === undefined) continue;
    const found = KEYWORDS.find(([pattern]) => pattern.test(evidence));
    if (found === undefined) continue;
    const name = found[1];
    return {
      name,
      direction: wording(evidence) ?? METRICS[name],
      k: Number(/(?:@|\bat )\s?(\d+)/i.exec(evidence)?.[1] ?? Number.NaN) || null,
      evidence: evidence.trim().slice(0, 120),
    };
  }
  return { name: null, direction: wording(text), k: null, evidence: (bold ?? "").slice(0, 120) };
}

function wording(text: string): Direction | null {
  const found = /(higher|larger|greater|lower|smaller) (?:values? |scores? )?(?:is|are) better/i.exec(text);
  if (found === null) return null;
  return /lower|smaller/i.test(found[1]) ? "minimize" : "maximize";
}
