import type { Leaderboard } from "../../../leaderboards/leaderboard-schema.ts";
import { standing } from "../../../leaderboards/standing.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { pixel, scoreText } from "../numbers.ts";

export interface StandingPoint {
  score: number;
  /** The agent's colour class. */
  colour: string;
  title: string;
}

const WIDTH = 340;
const HEIGHT = 168;
const LEFT = 32;
const RIGHT = 334;
const TOP = 24;
const BOTTOM = 146;
const LABEL_GAP = 13;
const MARK_GAP = 9;

/**
 * Scores on a field: the curve says which share of it a score beats, better scores lie to the right.
 * The window is around the medals; what lies beyond it is drawn at its edge, as an arrow.
 */
export function standingChart(board: Leaderboard, points: readonly StandingPoint[], label: string): Markup {
  const good = (score: number) => (board.lowerIsBetter ? -score : score);
  const { from, to, worst, best } = windowOf(board, good);
  const clamp = (g: number) => Math.min(to, Math.max(from, g));
  const x = (score: number) => pixel(LEFT + ((clamp(good(score)) - from) / (to - from)) * (RIGHT - LEFT));
  const y = (percentile: number) => pixel(BOTTOM - (percentile / 100) * (BOTTOM - TOP));
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${[0, 50, 100].map((share) => html`<line class="grid" x1="${LEFT}" y1="${y(share)}" x2="${RIGHT}" y2="${y(share)}"/><text class="tick" x="${LEFT - 9}" y="${y(share) + 3}" text-anchor="end">${share}</text>`)}
${curve(board, x, y, (score) => good(score) >= from && good(score) <= to)}
${medalLines(board, x, (score) => good(score) >= from && good(score) <= to)}
${marks(points, board, x, y, (score) => (good(score) < from ? -1 : good(score) > to ? 1 : 0))}
<text class="tick" x="${LEFT}" y="${HEIGHT - 6}">${scoreText(worst)}</text>
<text class="tick" x="${(LEFT + RIGHT) / 2}" y="${HEIGHT - 6}" text-anchor="middle">better →</text>
<text class="tick" x="${RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${scoreText(best)}</text>
</svg>`;
}

interface Window {
  from: number;
  to: number;
  /** The scores at its ends, without the margin: a log loss below 0 is none. */
  worst: number;
  best: number;
}

/** Boards have long tails; a window of a few times the way from median to gold shows what matters. */
function windowOf(board: Leaderboard, good: (score: number) => number): Window {
  const { quantiles, gold, median } = board;
  const [top, goldAt, medianAt, tail] = [quantiles[0], gold, median, quantiles[85]].map(good);
  const span = goldAt - medianAt || top - tail || Math.abs(top) || 1;
  const low = Math.min(medianAt, Math.max(tail, medianAt - 1.4 * span));
  const high = Math.max(goldAt, Math.min(top, goldAt + 0.9 * span));
  const margin = 0.05 * (high - low || span);
  // The direction's change of sign undoes itself.
  return { from: low - margin, to: high + margin, worst: good(low), best: good(high) };
}

type Scale = (value: number) => number;

function curve(board: Leaderboard, x: Scale, y: Scale, inside: (score: number) => boolean): Markup {
  const steps: string[] = [];
  for (let i = board.quantiles.length - 1; i >= 0; i--) {
    if (inside(board.quantiles[i])) steps.push(`${x(board.quantiles[i])},${y(100 - i)}`);
  }
  if (steps.length === 0) return NOTHING;
  const [first, last] = [steps[0].split(","), steps.at(-1)!.split(",")];
  const line = [`${LEFT},${first[1]}`, ...steps, `${RIGHT},${last[1]}`].join(" ");
  return html`<polygon class="field" points="${LEFT},${BOTTOM} ${line} ${RIGHT},${BOTTOM}"/><polyline class="field-line" points="${line}"/>`;
}

/** Labels keep their distance, lines stay where they belong. */
function medalLines(board: Leaderboard, x: Scale, inside: (score: number) => boolean): Markup[] {
  const lines = (["median", "bronze", "silver", "gold"] as const)
    .filter((name) => inside(board[name]))
    .map((name) => ({ name, at: x(board[name]) }));
  const labels = spreadOut(lines.map(({ at }) => at));
  return lines.map(
    ({ name, at }, i) =>
      html`<line class="line-${name}" x1="${at}" y1="${TOP - 6}" x2="${at}" y2="${BOTTOM}"/><text class="medal-letter" x="${labels[i]}" y="${TOP - 10}" text-anchor="middle">${name[0].toUpperCase()}</text>`,
  );
}

/** Positions in ascending order, moved right where they are too close, and back left at the edge. */
function spreadOut(positions: readonly number[]): number[] {
  const spread = [...positions];
  for (let i = 1; i < spread.length; i++) spread[i] = Math.max(spread[i], spread[i - 1] + LABEL_GAP);
  for (let i = spread.length - 1, limit = RIGHT - 4; i >= 0; i--, limit -= LABEL_GAP)
    spread[i] = Math.min(spread[i], limit);
  return spread.map(pixel);
}

/** A mark that would hide another one stands above it. */
function marks(
  points: readonly StandingPoint[],
  board: Leaderboard,
  x: Scale,
  y: Scale,
  beyond: (score: number) => -1 | 0 | 1,
): Markup[] {
  const drawn: { colour: string; x: number; y: number }[] = [];
  return points.map((point) => {
    const place = standing(point.score, board);
    if (place === null) return NOTHING;
    const cx = x(point.score);
    let cy = y(place.percentile);
    for (const other of drawn)
      if (other.colour !== point.colour && Math.abs(other.x - cx) < 5 && Math.abs(other.y - cy) < 6)
        cy = pixel(other.y - MARK_GAP);
    drawn.push({ colour: point.colour, x: cx, y: cy });
    return mark(point, cx, cy, beyond(point.score));
  });
}

function mark({ colour, title }: StandingPoint, cx: number, cy: number, beyond: -1 | 0 | 1): Markup {
  const name = html`<title>${title}</title>`;
  if (beyond === 0) return html`<circle class="dot ${colour}" cx="${cx}" cy="${cy}" r="4.5">${name}</circle>`;
  const tip = cx + beyond * 2;
  const back = tip - beyond * 8;
  return html`<polygon class="dot ${colour}" points="${tip},${cy} ${back},${cy - 5} ${back},${cy + 5}">${name}</polygon>`;
}
