import { html, type Markup } from "../markup.ts";
import { median, pixel, thinned } from "../numbers.ts";

export interface StripRow {
  name: string;
  colour: string;
  values: readonly number[];
}

const WIDTH = 340;
const LEFT = 8;
const RIGHT = 332;
const ROW = 40;
const MAX_DOTS = 150;

/** One row for each agent: its trials as dots, the median as a line. */
export function stripChart(
  rows: readonly StripRow[],
  format: (value: number) => string,
  label: string,
): Markup {
  const highest = Math.max(
    ...rows.flatMap(({ values }) => (values.length > 0 ? [largest(values)] : [])),
    1e-9,
  );
  const height = rows.length * ROW + 22;
  const x = (value: number) => pixel(LEFT + (value / highest) * (RIGHT - LEFT));
  return html`<svg class="chart" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${label}">
${rows.map(({ name, colour, values }, i) => {
  const y = i * ROW + 28;
  if (values.length === 0)
    return html`<text class="tick" x="${LEFT}" y="${i * ROW + 14}">${shortened(name)}: not measured</text>`;
  const middle = median(values);
  return html`<text class="tick" x="${LEFT}" y="${i * ROW + 14}">${shortened(name)}: median ${format(middle)}, most ${format(largest(values))}</text>
<line class="axis" x1="${LEFT}" y1="${y}" x2="${RIGHT}" y2="${y}"/>
${thinned(
  values.toSorted((a, b) => a - b),
  MAX_DOTS,
).map((value) => html`<circle class="dust ${colour}" cx="${x(value)}" cy="${y}" r="3.5"/>`)}
<line class="mean ${colour}" x1="${x(middle)}" y1="${y - 8}" x2="${x(middle)}" y2="${y + 8}"/>`;
})}
<text class="tick" x="${LEFT}" y="${height - 5}">0</text><text class="tick" x="${RIGHT}" y="${height - 5}" text-anchor="end">${format(highest)}</text>
</svg>`;
}

function largest(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), 0);
}

function shortened(name: string): string {
  return name.length > 24 ? `${name.slice(0, 23)}…` : name;
}
