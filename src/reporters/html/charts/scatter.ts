import { html, type Markup } from "../markup.ts";
import { pixel } from "../numbers.ts";

export interface ScatterPoint {
  colour: string;
  title: string;
  x: number;
  /** A percentile. */
  y: number;
  /** Drawn hollow: x may be more than it says. */
  uncertain: boolean;
}

const WIDTH = 340;
const HEIGHT = 190;
const LEFT = 26;
const RIGHT = 332;
const TOP = 10;
const BOTTOM = 162;

/** Percentiles against an amount, a dot for each trial. */
export function scatterChart(
  points: readonly ScatterPoint[],
  format: (value: number) => string,
  label: string,
): Markup {
  const most = points.reduce((largest, { x }) => Math.max(largest, x), 1e-9);
  const x = (value: number) => pixel(LEFT + (value / most) * (RIGHT - LEFT));
  const y = (percentile: number) => pixel(BOTTOM - (percentile / 100) * (BOTTOM - TOP));
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${[0, 50, 100].map((share) => html`<line class="grid" x1="${LEFT}" y1="${y(share)}" x2="${RIGHT}" y2="${y(share)}"/><text class="tick" x="${LEFT - 4}" y="${y(share) + 3}" text-anchor="end">${share}</text>`)}
${points.map((point) => html`<circle class="${point.uncertain ? "ring" : "dust"} ${point.colour}" cx="${x(point.x)}" cy="${y(point.y)}" r="3.5"><title>${point.title}</title></circle>`)}
<text class="tick" x="${LEFT}" y="${HEIGHT - 12}">${format(0)}</text><text class="tick" x="${RIGHT}" y="${HEIGHT - 12}" text-anchor="end">${format(most)}</text>
</svg>`;
}
