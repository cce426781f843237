import type { OriginalAggregate } from "../analysis/aggregate/original-aggregate.ts";
import { floatText } from "../table/python-text.ts";

/** The original's JSON as Python writes it: a mean of 75 is `75.0`, so that the two outputs can be held side by side. */
export function originalText({ metrics, ...counts }: OriginalAggregate): string {
  const entries = Object.entries(metrics).map(([name, metric]) => [
    name,
    Object.fromEntries(Object.entries(metric).map(([key, value]) => [key, `<${floatText(value)}>`])),
  ]);
  const text = JSON.stringify({ ...counts, metrics: Object.fromEntries(entries) }, null, 2);
  return text.replaceAll(/"<([^"]*)>"/g, "$1");
}
