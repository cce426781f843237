import type { Interval } from "../../../analysis/statistics/intervals.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { pixel } from "../numbers.ts";

export interface IntervalChart {
  /** What a reader who cannot see it is told. */
  label: string;
  mean: number;
  /** The outer, paler one is wider in meaning: over competitions too. */
  inner: Interval | null;
  outer: Interval | null;
  points: readonly number[];
  low: number;
  high: number;
  /** A vertical line, such as no difference. */
  mark: number | null;
  colour: string;
}

const WIDTH = 320;
const HEIGHT = 46;
const SIDE = 8;
const MIDDLE = 16;

/** A mean with its intervals and the single seeds, on one axis. */
export function intervalChart(chart: IntervalChart): Markup {
  const { low, high, mark, inner, outer, mean, colour, points } = chart;
  const x = (value: number) => {
    const share = (Math.min(high, Math.max(low, value)) - low) / (high - low || 1);
    return pixel(SIDE + share * (WIDTH - 2 * SIDE));
  };
  const bar = (interval: Interval | null, className: string) =>
    interval === null
      ? NOTHING
      : html`<rect class="${className}" x="${x(interval.low)}" y="${MIDDLE - 5}" width="${pixel(Math.max(2, x(interval.high) - x(interval.low)))}" height="10" rx="5"/>`;
  const ticks = [low, (low + high) / 2, high];
  return html`<svg class="chart ${colour}" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${chart.label}">
<line class="axis" x1="${SIDE}" y1="${MIDDLE}" x2="${WIDTH - SIDE}" y2="${MIDDLE}"/>
${mark === null ? NOTHING : html`<line class="mark" x1="${x(mark)}" y1="2" x2="${x(mark)}" y2="30"/>`}
${bar(outer, "outer")}${bar(inner, "inner")}
${points.map((value) => html`<circle class="seed" cx="${x(value)}" cy="${MIDDLE}" r="2.5"/>`)}
<line class="mean" x1="${x(mean)}" y1="${MIDDLE - 9}" x2="${x(mean)}" y2="${MIDDLE + 9}"/>
${ticks.map((value, i) => html`<text class="tick" x="${x(value)}" y="42" text-anchor="${["start", "middle", "end"][i]}">${Number(value.toFixed(1))}</text>`)}
</svg>`;
}
