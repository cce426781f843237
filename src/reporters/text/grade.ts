import type { styleText } from "node:util";
import type { Board, Grade } from "../../grading/grade-schema.ts";

export type Paint = (style: Parameters<typeof styleText>[0], text: string) => string;

type Scored = Extract<Grade, { status: "scored" }>;
type Invalid = Extract<Grade, { status: "invalid" }>;

/** A grade for a person: the score, the medal and on what it was measured. */
export function gradeLines(grade: Scored | Invalid, paint: Paint): string[] {
  return grade.status === "scored" ? scoredLines(grade, paint) : invalidLines(grade, paint);
}

function scoredLines(grade: Scored, paint: Paint): string[] {
  const lines = [`${paint("bold", grade.competitionId)} (${grade.competitionVersion})`];
  const direction = grade.board ? ` (${grade.board.lowerIsBetter ? "lower" : "higher"} is better)` : "";
  lines.push(field("score", `${paint("bold", String(grade.score))}${direction}`));
  if (!grade.board)
    return [...lines, field("medal", `none: ${grade.whyNoBoard ?? "this competition has no leaderboard"}`)];
  lines.push(field("medal", medalText(grade, paint)));
  if (grade.rank !== null) lines.push(field("standing", standingText(grade)));
  lines.push(field("thresholds", thresholdText(grade.board)));
  if (grade.board.bestRung) lines.push(field("best rung", rungText(grade.score, grade.board)));
  if (grade.noise) lines.push(field("noise", noiseText(grade)));
  for (const warning of warnings(grade)) lines.push(field(paint("yellow", "note"), warning, 4));
  return lines;
}

function invalidLines({ competitionId, reasons, reasonCount }: Invalid, paint: Paint): string[] {
  const lines = [`${paint("bold", competitionId)}`, field("invalid", "the submission earns no score:")];
  for (const { code, message } of reasons) lines.push(`    ${paint("red", code)}  ${message}`);
  if (reasonCount > reasons.length) lines.push(`    … and ${reasonCount - reasons.length} more`);
  return lines;
}

const MEDAL_STYLE = { gold: "yellow", silver: "white", bronze: "red" } as const;

function medalText({ medal, aboveMedian, distance, board }: Scored, paint: Paint): string {
  const median = aboveMedian ? "above the median" : "not above the median";
  const on = board?.source === "kaggle" ? "Kaggle leaderboard" : board?.source;
  if (medal) return `${paint([MEDAL_STYLE[medal], "bold"], medal)} (${on}), ${median}`;
  const missing = distance ? `; ${Math.abs(distance.bronze)} short of bronze` : "";
  return `none (${on}), ${median}${missing}`;
}

function standingText({ rank, percentile, exactRank, board, normalisedScore }: Scored): string {
  const about = exactRank ? "" : "about ";
  const { teams, source } = board!;
  const field = `${teams} ${source === "kaggle" ? "teams" : "entries"}`;
  const rankText = rank! > teams ? `behind all ${field}` : `rank ${rank} of ${field}`;
  const place = `${about}${rankText}, percentile ${percentile!.toFixed(1)}`;
  const how = exactRank ? "" : " (estimated from the board's quantiles)";
  const normalised =
    normalisedScore === null ? "" : `; ${normalisedScore.toFixed(3)} of the way from sample to gold`;
  return place + how + normalised;
}

function thresholdText({ gold, silver, bronze, median }: Board): string {
  return `gold ${gold}  silver ${silver}  bronze ${bronze}  median ${median}`;
}

/** How far it is to the strongest solution anybody here could make, with what chance alone would move that one. */
function rungText(score: number, { bestRung, lowerIsBetter }: Board): string {
  const { name, score: best, noise } = bestRung!;
  const away = Number(Math.abs(score - best).toPrecision(3));
  const ahead = lowerIsBetter ? score < best : score > best;
  const distance =
    score === best
      ? "as good"
      : Number.isFinite(away)
        ? `${away} ${ahead ? "ahead of it" : "away"}`
        : "far away";
  return `${best} (${name}): ${distance}${noise === null ? "" : `; chance moves a score by ±${noise}`}`;
}

function noiseText({ noise }: Scored): string {
  const percent = (share: number) => `${Math.round(share * 100)} %`;
  const { resamples, low, high, gold, silver, bronze } = noise!;
  return `95 % of ${resamples} resamples of the graded rows score ${low} to ${high}; gold in ${percent(gold)}, silver in ${percent(silver)}, bronze in ${percent(bronze)}`;
}

function warnings({ board, fragileMedal, nearMiss, scoreKind }: Scored): string[] {
  const notes: string[] = [];
  if (scoreKind !== "finite")
    notes.push("the score is not a finite number; the submission is valid all the same");
  if (fragileMedal) notes.push("this medal is fragile: the smallest step, or chance, could take it away");
  if (nearMiss) notes.push("the next medal was missed by one unit of the board's precision");
  if (board?.crowded)
    notes.push("this board is crowded: gold and bronze lie so close that medals are largely luck");
  return notes;
}

function field(name: string, value: string, width = name.length): string {
  return `  ${name}${" ".repeat(Math.max(1, 12 - width))}${value}`;
}
