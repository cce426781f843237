import type { Finding } from "../findings/schema.ts";
import type { CheckResult } from "../findings/write.ts";
import { RELEASED } from "./released.ts";

export type Timing = "before" | "after" | "unknown";

/** When a competition was opened; null for those that the catalogue has no date of. */
export function releasedOn(competitionId: string): string | null {
  return Object.hasOwn(RELEASED, competitionId) ? RELEASED[competitionId] : null;
}

/** Whether a competition was public before a model's training data end. Without a date on either side nobody knows. */
export function timingOf(competitionId: string, cutoff: string | null): Timing {
  const released = releasedOn(competitionId);
  if (cutoff === null || released === null) return "unknown";
  return released <= cutoff ? "before" : "after";
}

/** What a split of medals needs to know of a run. */
interface Counted {
  competitionId: string;
  medal: boolean;
}

export interface Graded extends Counted {
  trial: string;
}

export interface MedalSplit {
  cutoff: string | null;
  /** Trials and medals on competitions from before the cut-off, after it, and of unknown date. */
  before: { trials: number; medals: number };
  after: { trials: number; medals: number };
  unknown: { trials: number; medals: number };
}

export function splitMedals(graded: readonly Counted[], cutoff: string | null): MedalSplit {
  const count = (timing: Timing) => {
    const those = graded.filter(({ competitionId }) => timingOf(competitionId, cutoff) === timing);
    return { trials: those.length, medals: those.filter(({ medal }) => medal).length };
  };
  return { cutoff, before: count("before"), after: count("after"), unknown: count("unknown") };
}

/** A medal on a competition that the model may have read about is worth a note, never a reproach. */
export function contaminationFindings(graded: readonly Graded[], cutoff: string): CheckResult {
  const findings = graded
    .filter(({ medal, competitionId }) => medal && timingOf(competitionId, cutoff) === "before")
    .map(
      ({ trial, competitionId }): Finding => ({
        trial,
        check: "contamination",
        kind: "released-before-cutoff",
        severity: "note",
        sentence: `The competition was public since ${RELEASED[competitionId]}, before the model's training data end (${cutoff}).`,
        evidence: [
          { file: "the catalogue", line: null, quotation: `${competitionId}: ${RELEASED[competitionId]}` },
        ],
        explained: null,
      }),
    );
  return {
    check: "contamination",
    trials: graded.length,
    notes: [`training data until ${cutoff}`],
    findings,
  };
}
