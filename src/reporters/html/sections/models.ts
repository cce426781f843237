import { costText, modelSpending, spendingText } from "../../../analysis/model-spending.ts";
import type { Results } from "../../../analysis/results.ts";
import type { TrialRecord } from "../../../analysis/trial-records.ts";
import { type TrialSummary, trialSummary } from "../../../analysis/trial-summary.ts";
import { plural } from "../../../wording/counts.ts";
import { scatterChart } from "../charts/scatter.ts";
import { stripChart } from "../charts/strip.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { thinned } from "../numbers.ts";
import { agentKeys, colourOf } from "./headline.ts";

const MAX_POINTS = 400;

const AMOUNTS: [string, (trial: TrialSummary) => number | null, (value: number) => string][] = [
  ["Cost", ({ modelCost }) => modelCost, dollars],
  ["Tokens", ({ modelTokens }) => modelTokens, whole],
  ["Calls", ({ modelCalls }) => modelCalls, whole],
  ["Turns", ({ turns }) => turns, whole],
];

/** What the agents asked of models, and what it bought; nothing where no run named any. */
export function models(results: Results): Markup {
  const agents = results.agents.map(({ name, rows }) => {
    const records = rows.flat().filter((record) => record !== null);
    const trials = records.map(trialSummary);
    return { name, colour: colourOf(results, name), records, trials, spending: modelSpending(records) };
  });
  if (agents.every(({ spending }) => spending === null)) return NOTHING;
  const points = agents.flatMap(({ name, colour, records }) =>
    records.flatMap((record) => pointOf(record, name, colour) ?? []),
  );
  return html`<section aria-labelledby="models"><h2 id="models">Models</h2>
<p class="lead">What was asked of models, by the ledger of each trial's gateway. A cost that is not known is not counted as nothing: it is called incomplete. Turns are the agents' own count.</p>
<ul>${agents.map(({ name, spending }) => html`<li><strong><bdi>${name}</bdi></strong>: ${spending === null ? "no models" : spendingText(spending)}</li>`)}</ul>
<div class="cards">${AMOUNTS.map(([title, amountOf, format]) => {
    const rows = agents.map(({ name, colour, trials }) => ({
      name,
      colour,
      values: trials.flatMap((trial) => amountOf(trial) ?? []),
    }));
    if (rows.every(({ values }) => values.length === 0)) return NOTHING;
    return html`<article class="card"><h3>${title}</h3>${stripChart(rows, format, `${title} of every trial, by agent`)}</article>`;
  })}
${
  points.length === 0
    ? html`<article class="card"><h3>Score against cost</h3><p class="note">No trial has both a percentile and a known cost.</p></article>`
    : html`<article class="card"><h3>Score against cost</h3>${agentKeys(results)}${scatterChart(thinned(points, MAX_POINTS), dollars, `Percentile of each trial against what its models cost, ${plural(points.length, "trial")}`)}<p class="note">Percentile upwards, cost to the right; a ring is a trial whose cost is incomplete.</p></article>`
}</div></section>`;
}

function pointOf({ trial, grade, competitionId, seed }: TrialRecord, name: string, colour: string) {
  const totals = trial?.modelTotals;
  const percentile = grade?.percentile ?? null;
  if (totals === undefined || totals.cost === null || percentile === null) return null;
  const title = `${name}, ${competitionId}, seed ${seed}: ${costText(totals)}`;
  return { colour, title, x: totals.cost, y: percentile, uncertain: !totals.complete };
}

function dollars(value: number): string {
  return `$${value !== 0 && value < 0.1 ? value.toPrecision(2) : value.toFixed(2)}`;
}

function whole(value: number): string {
  return Math.round(value).toLocaleString("en");
}
