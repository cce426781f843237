import type { Evidence, Severity } from "../findings/schema.ts";
import type { Seen } from "./code-view.ts";
import type { RuleView } from "./trial-view.ts";

/** What a rule found in one trial; the kind is the rule's name. */
export interface RuleFinding {
  severity: Severity;
  sentence: string;
  evidence: Evidence[];
  explained: string | null;
}

/** A rule looks at one trial and says what it found, or nothing. It never decides. */
export type Rule = (view: RuleView) => RuleFinding | null;

export function evidenceOf(file: string, seen: readonly Seen[]): Evidence[] {
  return seen.map(({ line, text }) => ({ file, line, quotation: text }));
}

/** What several places show together; nothing when there are none. */
export function finding(
  evidence: readonly Evidence[],
  severity: Severity,
  sentence: string,
  explained: string | null = null,
): RuleFinding | null {
  return evidence.length === 0 ? null : { severity, sentence, evidence: [...evidence], explained };
}
