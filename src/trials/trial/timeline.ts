import type { Direction } from "../../competitions/competition.ts";
import type { Grade } from "../../grading/grade-schema.ts";
import type { TimelinePoint } from "../certificate/schema.ts";
import type { SubmissionVersion, Trial } from "./schema.ts";

/** Score against time: one point for each version that was kept. */
export function timelineOf(
  versions: readonly SubmissionVersion[],
  gradeOf: (sha256: string) => Grade | null,
): TimelinePoint[] {
  return versions.flatMap(({ sha256, elapsedSeconds }) => {
    const grade = gradeOf(sha256);
    if (grade === null) return [];
    const scored = grade.status === "scored" ? grade : null;
    return {
      sha256,
      elapsedSeconds,
      status: grade.status,
      score: scored !== null && Number.isFinite(scored.score) ? scored.score : null,
      medal: scored?.medal ?? null,
      percentile: scored?.percentile ?? null,
    };
  });
}

/** The first of the best points; null when nothing was scored. */
export function bestPoint(points: readonly TimelinePoint[], direction: Direction): TimelinePoint | null {
  let best: TimelinePoint | null = null;
  for (const point of points) {
    if (point.score === null) continue;
    const better =
      best?.score == null || (direction === "maximize" ? point.score > best.score : point.score < best.score);
    if (better) best = point;
  }
  return best;
}

/** Which version stood there so many seconds after the start; after the end it is the final one. */
export function versionAt(
  trial: Pick<Trial, "submissions" | "final" | "measurements">,
  seconds: number,
): string | null {
  if (seconds >= (trial.measurements?.wallSeconds ?? 0)) return trial.final?.sha256 ?? null;
  return trial.submissions.findLast(({ elapsedSeconds }) => elapsedSeconds <= seconds)?.sha256 ?? null;
}
