import type { CircumstanceSummary } from "../../../analysis/circumstances.ts";
import type { AgentResults, Results } from "../../../analysis/results.ts";
import type { Interval } from "../../../analysis/statistics/intervals.ts";
import { plural } from "../../../wording/counts.ts";
import { intervalText } from "../../text/aggregate.ts";
import {
  circumstanceText,
  contaminationText,
  isolationMark,
  isolationNotes,
} from "../../text/circumstances.ts";
import { fieldSentence } from "../../text/method-notes.ts";
import { intervalChart } from "../charts/interval.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { percent } from "../numbers.ts";

/** The agent's own colour, the same everywhere on the page. */
export function colourOf(results: Results, agent: string): string {
  const index = results.agents.findIndex(({ name }) => name === agent);
  return `c${(index === -1 ? 0 : index) % 8}`;
}

/** Which colour is whose. */
export function agentKeys(results: Results): Markup {
  return html`<ul class="legend">${results.agents.map(({ name }) => html`<li class="${colourOf(results, name)}"><span class="swatch"></span><bdi>${name}</bdi></li>`)}</ul>`;
}

/** An interval in words; there is none where no spread was seen. */
export function intervalSentence(overSeeds: Interval | null): string {
  return overSeeds === null
    ? "No interval over seeds: no spread was seen"
    : `95\u00a0% over seeds ${intervalText(overSeeds)}`;
}

/** One card for each agent: the number people quote, and how far it can be trusted. */
export function headline(results: Results): Markup {
  return html`<section aria-labelledby="headline"><h2 id="headline">Medal rate</h2>
<p class="lead">Share of trials with any medal. ${fieldSentence(results)} The solid bar is where the rate lies over other seeds (95\u00a0%, Student's t), the faint one over other competitions too (95\u00a0%, Wilson); dots are single seeds.</p>
${isolationNotes(results.agents.map(({ circumstances }) => circumstances)).map((note) => html`<p class="note">${note}</p>`)}<div class="cards">${results.agents.map((agent) => card(agent, results))}</div></section>`;
}

/** Beside the name of whoever could have read the answers. */
export function markTag(circumstances: CircumstanceSummary): Markup {
  const mark = isolationMark(circumstances);
  return mark === ""
    ? NOTHING
    : html` <small class="tag warns">${mark.trim().replace(/^\((.*)\)$/, "$1")}</small>`;
}

function card({ name, aggregate, columns, circumstances }: AgentResults, results: Results): Markup {
  const { metrics } = aggregate.original;
  const rate = aggregate.rates.any_medal_percentage;
  const { mean, standard_error: error } = metrics.any_medal_percentage;
  const interval = intervalSentence(rate.overSeeds);
  const facts = [
    ["valid", metrics.valid_submissions_percentage.mean],
    ["above median", metrics.above_median_percentage.mean],
    ["gold", metrics.gold_medal_percentage.mean],
    ["silver", metrics.silver_medal_percentage.mean],
    ["bronze", metrics.bronze_medal_percentage.mean],
  ] as const;
  return html`<article class="card agent ${colourOf(results, name)}">
<h3><span class="swatch"></span><bdi>${name}</bdi>${markTag(circumstances)}</h3>
<p class="big">${mean.toFixed(2)} <small>${columns === 1 ? "%, one seed" : `± ${error.toFixed(2)} % SEM`}</small></p>
${intervalChart({
  label: `${name}: medal rate ${mean.toFixed(2)} %, ${interval}, axis from 0 to 100 %`,
  mean,
  inner: rate.overSeeds,
  outer: rate.overBoth,
  points: rate.perSeed.slice(0, 50),
  low: 0,
  high: 100,
  mark: null,
  colour: colourOf(results, name),
})}
<dl class="facts">${facts.map(([label, value]) => html`<div><dt>${label}</dt><dd>${percent(value)}</dd></div>`)}</dl>
<p class="note">${plural(aggregate.competitions, "competition")} × ${plural(columns, "seed")}. ${interval}.${rate.overBoth === null ? NOTHING : html` Over competitions ${intervalText(rate.overBoth)}.`}</p>
<p class="note">${circumstanceText(circumstances)}</p>${
    aggregate.contamination === null
      ? NOTHING
      : html`
<p class="note">${contaminationText(aggregate.contamination)}</p>`
  }
</article>`;
}
