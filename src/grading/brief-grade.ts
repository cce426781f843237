import type { MedalName } from "../leaderboards/leaderboard.ts";
import type { Reason } from "./grade-schema.ts";
import { type GradeOptions, gradeSubmission } from "./grade-submission.ts";

export interface BriefGrade {
  valid: boolean;
  /** Null when there is none; NaN and infinities are scores. */
  score: number | null;
  medalTier: MedalName | "none";
  reasons: Reason[];
}

/** A grade, score included, in the short form that users of other benchmarks expect. For the format alone see `checkSubmission`. */
export async function briefGrade(options: GradeOptions): Promise<BriefGrade> {
  const grade = await gradeSubmission(options);
  switch (grade.status) {
    case "scored":
      return { valid: true, score: grade.score, medalTier: grade.medal ?? "none", reasons: [] };
    case "invalid":
      return { valid: false, score: null, medalTier: "none", reasons: grade.reasons };
    default: {
      const code = grade.status.toUpperCase().replaceAll("-", "_");
      return { valid: false, score: null, medalTier: "none", reasons: [{ code, message: grade.message }] };
    }
  }
}
