import type { Results } from "../../../analysis/results.ts";
import type { TrialRecord } from "../../../analysis/trial-records.ts";
import { plural } from "../../../wording/counts.ts";
import { type TimelineSeries, timelineChart } from "../charts/timeline.ts";
import { html, type Markup } from "../markup.ts";
import { scoreText, thinned } from "../numbers.ts";
import { agentKeys, colourOf } from "./headline.ts";

const MAX_SERIES = 30;

/** Best so far against time, where submissions were kept as they came. */
export function timelines(results: Results): Markup {
  const cards = results.competitions.flatMap((competition, row) => {
    const { id } = competition;
    const height = heightsOf(results, row);
    if (height === null) return [];
    const series = results.agents.flatMap((agent) =>
      agent.rows[row].flatMap((record) => seriesOf(record, colourOf(results, agent.name), height.of) ?? []),
    );
    if (series.length === 0) return [];
    const drawn = thinned(series, MAX_SERIES);
    const lost = series.filter(({ points, final }) => final !== null && bestOf(points) - final > 0.5).length;
    const label = `${id}: ${height.what} of the best submission so far against time, ${plural(series.length, "trial")}; ${lost} ended with less than their best.`;
    return [
      html`<article class="card"><h3><bdi>${id}</bdi></h3>${timelineChart(drawn, label)}<p class="note">${height.note}${drawn.length < series.length ? html`${drawn.length} of ${plural(series.length, "trial")} drawn. ` : null}${lost === 0 ? "Every trial kept its best submission." : `${plural(lost, "trial")} ended with less than the best on the way.`}</p></article>`,
    ];
  });
  return html`<section aria-labelledby="time"><h2 id="time">Over time</h2>
${
  cards.length === 0
    ? html`<p class="lead">No timelines: they come from trials whose submissions were kept and graded by <code>mlebench grade</code> on a run group.</p>`
    : html`<p class="lead">Percentile of the best submission so far (its score, where there is no board); the ring is what counted in the end. A dotted drop is what a better choice would have kept.</p>${agentKeys(results)}<div class="cards">${cards}</div>`
}</section>`;
}

interface Standing {
  score?: number | null | undefined;
  percentile?: number | null | undefined;
}

interface Heights {
  what: string;
  note: string;
  /** From 0, the worst, to 100. */
  of: (standing: Standing) => number | null;
}

/**
 * How high a submission is drawn: its percentile where there is a board. Without one, its score between the worst and the
 * best that anybody had here; null where nobody knows which way scores go.
 */
function heightsOf({ agents, competitions }: Results, row: number): Heights | null {
  const records = agents.flatMap((agent) => agent.rows[row]).filter((record) => record !== null);
  const standings: Standing[] = records.flatMap(({ timeline, grade }) => [
    ...timeline,
    ...(grade === null ? [] : [grade]),
  ]);
  if (standings.some(({ percentile }) => percentile != null))
    return { what: "percentile", note: "", of: ({ percentile }) => percentile ?? null };
  const direction = competitions[row].entry?.metric.direction;
  const scores = standings.flatMap(({ score }) => (score == null ? [] : [score]));
  if (direction === undefined || scores.length === 0) return null;
  const sign = direction === "minimize" ? -1 : 1;
  const [worst, best] = scores.reduce(
    ([low, high], score) => [Math.min(low, sign * score), Math.max(high, sign * score)],
    [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY],
  );
  return {
    what: "score",
    note: `No board: 0 is the worst score here (${scoreText(sign * worst)}), 100 the best (${scoreText(sign * best)}). `,
    of: ({ score }) =>
      score == null ? null : best === worst ? 100 : (100 * (sign * score - worst)) / (best - worst),
  };
}

function seriesOf(
  record: TrialRecord | null,
  colour: string,
  heightOf: Heights["of"],
): TimelineSeries | null {
  if (record === null) return null;
  const points = record.timeline.flatMap((point) => {
    const percentile = heightOf(point);
    return percentile === null ? [] : [{ seconds: point.elapsedSeconds, percentile }];
  });
  if (points.length === 0) return null;
  return {
    colour,
    title: `${record.agent}, seed ${record.seed}`,
    points: thinned(points, 200),
    final: record.grade === null ? null : heightOf(record.grade),
    endSeconds: record.trial?.measurements?.wallSeconds ?? points.at(-1)!.seconds,
  };
}

function bestOf(points: readonly { percentile: number }[]): number {
  return points.reduce((best, { percentile }) => Math.max(best, percentile), 0);
}
