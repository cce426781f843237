import { durationText } from "../../../wording/durations.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { pixel } from "../numbers.ts";

export interface TimelineSeries {
  colour: string;
  title: string;
  /** In time order; percentiles. */
  points: readonly { seconds: number; percentile: number }[];
  /** Where the submission that counts stands; null when it earned nothing. */
  final: number | null;
  endSeconds: number;
}

const WIDTH = 340;
const HEIGHT = 150;
const LEFT = 26;
const RIGHT = 332;
const TOP = 10;
const BOTTOM = 128;

/** Best so far against time, a stair for each trial; the ring at the end is what was finally submitted. */
export function timelineChart(series: readonly TimelineSeries[], label: string): Markup {
  const longest = Math.max(1e-9, ...series.map(({ endSeconds }) => endSeconds));
  const x = (seconds: number) => pixel(LEFT + (Math.min(seconds, longest) / longest) * (RIGHT - LEFT));
  const y = (percentile: number) => pixel(BOTTOM - (percentile / 100) * (BOTTOM - TOP));
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${label}">
${[0, 50, 100].map((share) => html`<line class="grid" x1="${LEFT}" y1="${y(share)}" x2="${RIGHT}" y2="${y(share)}"/><text class="tick" x="${LEFT - 4}" y="${y(share) + 3}" text-anchor="end">${share}</text>`)}
${series.map((one) => stair(one, x, y))}
<text class="tick" x="${LEFT}" y="${HEIGHT - 6}">0</text>
<text class="tick" x="${RIGHT}" y="${HEIGHT - 6}" text-anchor="end">${durationText(longest)}</text>
</svg>`;
}

type Scale = (value: number) => number;

function stair({ points, colour, title, final, endSeconds }: TimelineSeries, x: Scale, y: Scale): Markup {
  if (points.length === 0) return NOTHING;
  let best = points[0].percentile;
  let path = `M${x(points[0].seconds)} ${y(best)}`;
  for (const point of points.slice(1)) {
    if (point.percentile <= best) continue;
    best = point.percentile;
    path += `H${x(point.seconds)}V${y(best)}`;
  }
  path += `H${x(endSeconds)}`;
  const end = x(endSeconds);
  const lost =
    final !== null && best - final > 0.5
      ? html`<line class="lost ${colour}" x1="${end}" y1="${y(best)}" x2="${end}" y2="${y(final)}"/>`
      : NOTHING;
  const ring =
    final === null ? NOTHING : html`<circle class="ring ${colour}" cx="${end}" cy="${y(final)}" r="3.5"/>`;
  return html`<g><title>${title}</title><path class="stair ${colour}" d="${path}"/>${lost}${ring}</g>`;
}
