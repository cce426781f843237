import type { Results } from "../../../analysis/results.ts";
import type { TrialRecord } from "../../../analysis/trial-records.ts";
import { plural } from "../../../wording/counts.ts";
import { type TimelineSeries, timelineChart } from "../charts/timeline.ts";
import { html, type Markup } from "../markup.ts";
import { thinned } from "../numbers.ts";
import { agentKeys, colourOf } from "./headline.ts";

const MOST_SERIES = 30;

/** Best so far against time, where submissions were kept as they came. */
export function timelines(results: Results): Markup {
  const cards = results.competitions.flatMap(({ id }, row) => {
    const series = results.agents.flatMap((agent) =>
      agent.rows[row].flatMap((record) => seriesOf(record, colourOf(results, agent.name)) ?? []),
    );
    if (series.length === 0) return [];
    const drawn = thinned(series, MOST_SERIES);
    const lost = series.filter(({ points, final }) => final !== null && bestOf(points) - final > 0.5).length;
    const label = `${id}: percentile of the best submission so far against time, ${plural(series.length, "trial")}; ${lost} ended with less than their best.`;
    return [
      html`<article class="card"><h3><bdi>${id}</bdi></h3>${timelineChart(drawn, label)}<p class="note">${drawn.length < series.length ? html`${drawn.length} of ${plural(series.length, "trial")} drawn. ` : null}${lost === 0 ? "Every trial kept its best submission." : `${plural(lost, "trial")} ended with less than the best on the way.`}</p></article>`,
    ];
  });
  return html`<section aria-labelledby="time"><h2 id="time">Over time</h2>
${
  cards.length === 0
    ? html`<p class="lead">No timelines: they come from trials whose submissions were kept and graded by <code>mlebench grade</code> on a run group.</p>`
    : html`<p class="lead">Percentile of the best submission so far; the ring is what counted in the end. A dotted drop is what a better choice would have kept.</p>${agentKeys(results)}<div class="cards">${cards}</div>`
}</section>`;
}

function seriesOf(record: TrialRecord | null, colour: string): TimelineSeries | null {
  if (record === null) return null;
  const points = record.timeline.flatMap(({ elapsedSeconds, percentile }) =>
    percentile === null ? [] : [{ seconds: elapsedSeconds, percentile }],
  );
  if (points.length === 0) return null;
  return {
    colour,
    title: `${record.agent}, seed ${record.seed}`,
    points: thinned(points, 200),
    final: record.grade?.percentile ?? null,
    endSeconds: record.trial?.measurements?.wallSeconds ?? points.at(-1)!.seconds,
  };
}

function bestOf(points: readonly { percentile: number }[]): number {
  return points.reduce((best, { percentile }) => Math.max(best, percentile), 0);
}
