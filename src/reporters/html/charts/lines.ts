import { durationText } from "../../../wording/durations.ts";
import { html, type Markup } from "../markup.ts";
import { pixel } from "../numbers.ts";

export interface Line {
  colour: string;
  title: string;
  /** In time order; a gap where nothing was measured. */
  points: readonly { seconds: number; value: number | null }[];
}

const WIDTH = 340;
const HEIGHT = 150;
const [LEFT, RIGHT, TOP, BOTTOM] = [8, 332, 22, 128];

/** One measured quantity against time, a line for each trial. */
export function lineChart(lines: readonly Line[], format: (value: number) => string, label: string): Markup {
  const all = lines.flatMap(({ points }) => points);
  const highest = all.reduce((most, { value }) => Math.max(most, value ?? 0), 1e-9);
  const longest = all.reduce((most, { seconds }) => Math.max(most, seconds), 1e-9);
  const x = (seconds: number) => pixel(LEFT + (seconds / longest) * (RIGHT - LEFT));
  const y = (value: number) => pixel(BOTTOM - (value / highest) * (BOTTOM - TOP));
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
<text class="tick" x="${LEFT}" y="14">${format(highest)}</text>
<line class="grid" x1="${LEFT}" y1="${TOP}" x2="${RIGHT}" y2="${TOP}"/><line class="grid" x1="${LEFT}" y1="${BOTTOM}" x2="${RIGHT}" y2="${BOTTOM}"/>
${lines.map(({ colour, title, points }) => html`<path class="usage ${colour}" d="${linePath(points, x, y)}"><title>${title}</title></path>`)}
<text class="tick" x="${LEFT}" y="${HEIGHT - 6}">0</text><text class="tick" x="${RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${durationText(longest)}</text>
</svg>`;
}

/** A path through what is known: it begins anew behind a gap. */
function linePath(
  points: readonly { seconds: number; value: number | null }[],
  x: (seconds: number) => number,
  y: (value: number) => number,
): string {
  let path = "";
  let begun = false;
  for (const { seconds, value } of points) {
    if (value !== null) path += `${begun ? "L" : "M"}${x(seconds)} ${y(value)}`;
    begun = value !== null;
  }
  return path;
}
