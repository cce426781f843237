import type { Familiarity } from "../../workflows/integrity/familiarity.ts";
import { html } from "../html/markup.ts";

const [WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM] = [640, 420, 60, 620, 40, 370];

/** Performance against familiarity, a dot for each competition that has both, as a file of its own. */
export function familiaritySvg({ competitions, correlation, model }: Familiarity): string {
  const points = competitions.flatMap(({ competitionId, familiarity, performance }) =>
    familiarity === null || performance === null ? [] : [{ competitionId, x: familiarity, y: performance }],
  );
  const [lowX, highX] = range(points.map(({ x }) => x));
  const [lowY, highY] = range(points.map(({ y }) => y));
  const x = (value: number) => round(LEFT + ((value - lowX) / (highX - lowX)) * (RIGHT - LEFT));
  const y = (value: number) => round(BOTTOM - ((value - lowY) / (highY - lowY)) * (BOTTOM - TOP));
  const title =
    correlation === null
      ? `${points.length} competitions, no correlation`
      : `r = ${correlation.pearson.toFixed(3)} (95 % ${correlation.bootstrap.low.toFixed(2)} to ${correlation.bootstrap.high.toFixed(2)}), permutation p = ${correlation.permutationP.toFixed(4)}, Spearman ${correlation.spearman.toFixed(3)}, ${correlation.pairs} competitions`;
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="system-ui, sans-serif" font-size="13" role="img" aria-label="${title}">
<rect width="${WIDTH}" height="${HEIGHT}" fill="#fff"/>
<text x="${LEFT}" y="22">${model}: ${title}</text>
<path d="M${LEFT} ${TOP}V${BOTTOM}H${RIGHT}" fill="none" stroke="#555"/>
<text x="${LEFT}" y="${BOTTOM + 18}">${lowX.toPrecision(3)}</text><text x="${RIGHT}" y="${BOTTOM + 18}" text-anchor="end">${highX.toPrecision(3)}</text>
<text x="${LEFT - 6}" y="${BOTTOM}" text-anchor="end">${lowY.toPrecision(2)}</text><text x="${LEFT - 6}" y="${TOP + 8}" text-anchor="end">${highY.toPrecision(2)}</text>
<text x="${(LEFT + RIGHT) / 2}" y="${BOTTOM + 36}" text-anchor="middle">mean probability of the true next token</text>
<text x="16" y="${(TOP + BOTTOM) / 2}" text-anchor="middle" transform="rotate(-90 16 ${(TOP + BOTTOM) / 2})">share of the way from sample to gold</text>
${points.map((point) => html`<circle cx="${x(point.x)}" cy="${y(point.y)}" r="5" fill="#2563eb" fill-opacity=".7"><title>${point.competitionId}: ${point.x.toFixed(4)}, ${point.y.toFixed(3)}</title></circle>`)}
</svg>
`.markup;
}

function range(values: readonly number[]): [number, number] {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  return values.length === 0 || low === high ? [0, 1] : [low, high];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
