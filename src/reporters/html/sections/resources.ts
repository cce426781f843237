import type { Results } from "../../../analysis/results.ts";
import { type TrialSummary, trialSummary } from "../../../analysis/trial-summary.ts";
import type { TrialUsages } from "../../../analysis/usage/over-time.ts";
import { plural } from "../../../wording/counts.ts";
import { durationText } from "../../../wording/durations.ts";
import { sizeText } from "../../../wording/sizes.ts";
import { lineChart } from "../charts/lines.ts";
import { stripChart } from "../charts/strip.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { colourOf } from "./headline.ts";

type Measurement = "wallSeconds" | "peakMemoryBytes" | "cpuSeconds" | "bytesWritten";

const MEASUREMENTS: [Measurement, string, (value: number) => string][] = [
  ["wallSeconds", "Time", durationText],
  ["peakMemoryBytes", "Peak memory", sizeText],
  ["cpuSeconds", "Processor time", durationText],
  ["bytesWritten", "Written to disk", sizeText],
];

/** What the trials used, as the harness measured it. */
export function resources(results: Results): Markup {
  const agents = results.agents.map(({ name, rows }) => ({
    name,
    colour: colourOf(results, name),
    trials: rows.flat().flatMap((record) => (record === null ? [] : [trialSummary(record)])),
  }));
  const measured = agents.some(({ trials }) => trials.some(({ wallSeconds }) => wallSeconds !== null));
  if (!measured)
    return html`<section aria-labelledby="resources"><h2 id="resources">Resources</h2><p class="lead">Nothing was measured: these results come without the trials' own records.</p></section>`;
  return html`<section aria-labelledby="resources"><h2 id="resources">Resources</h2>
<p class="lead">Each dot is a trial, measured by the harness from outside; the line is the median.</p>
<div class="cards">${MEASUREMENTS.map(([key, title, format]) => {
    const rows = agents.map(({ name, colour, trials }) => ({ name, colour, values: valuesOf(trials, key) }));
    return html`<article class="card"><h3>${title}</h3>${stripChart(rows, format, `${title} of every trial, by agent`)}</article>`;
  })}</div></section>`;
}

/** Where a history was recorded: what every trial held and kept busy, moment by moment. */
export function usageOverTime(results: Results, { trials, of }: TrialUsages): Markup {
  if (trials.length === 0) return NOTHING;
  const lines = (pick: "memoryBytes" | "processors") =>
    trials.map(({ agent, competitionId, seed, points }) => ({
      colour: colourOf(results, agent),
      title: `${agent} on ${competitionId}, seed ${seed}`,
      points: points.map((point) => ({ seconds: point.seconds, value: point[pick] })),
    }));
  const note = `${trials.length === of ? "" : `${trials.length} of `}${plural(of, "trial")}`;
  const busy = (value: number) => plural(Number(value.toPrecision(2)), "processor");
  return html`<section aria-labelledby="usage"><h2 id="usage">Memory and processors over time</h2>
<p class="lead">Taken by the harness while each trial ran, a line for each.</p><div class="cards"><article class="card"><h3>Memory</h3>${lineChart(lines("memoryBytes"), sizeText, `Memory of ${note} against time`)}<p class="note">${note}</p></article>
<article class="card"><h3>Busy processors</h3>${lineChart(lines("processors"), busy, `Busy processors of ${note} against time`)}<p class="note">${note}</p></article></div></section>`;
}

function valuesOf(trials: readonly TrialSummary[], key: Measurement): number[] {
  return trials.flatMap((trial) => trial[key] ?? []);
}
