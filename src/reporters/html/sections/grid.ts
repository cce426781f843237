import { summarise } from "../../../analysis/circumstances.ts";
import { RESULT_STATES, type ResultState } from "../../../analysis/result-states.ts";
import type { AgentResults, Results } from "../../../analysis/results.ts";
import type { TrialRecord } from "../../../analysis/trial-records.ts";
import { stateOf } from "../../../analysis/trial-summary.ts";
import { plural } from "../../../wording/counts.ts";
import { circumstanceText, timingText } from "../../text/circumstances.ts";
import { fieldSentence } from "../../text/method-notes.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { scoreText } from "../numbers.ts";
import { colourOf, markTag } from "./headline.ts";

/** More columns than this are summed up, one bar for each agent. */
const MAX_COLUMNS = 12;

/** Competitions × seeds, one letter each. */
export function grid(results: Results): Markup {
  const summed = results.agents.some(({ columns }) => columns > MAX_COLUMNS);
  // One trial each leaves room to say what the square is worth.
  const single = results.agents.every(({ columns }) => columns === 1);
  const dated = results.agents.some(({ aggregate }) => aggregate.contamination !== null);
  return html`<section aria-labelledby="grid"><h2 id="grid">Competitions and seeds</h2>
<p class="lead">${summed ? "Each bar is all trials of an agent on a competition, best first." : "Each square is one trial; it tells more when pointed at."} ${fieldSentence(results)} The trials are listed at the end of the page.</p>
<ul class="legend">${Object.entries(RESULT_STATES).map(([state, { sign, name }]) => html`<li><span class="cell s-${state}" aria-hidden="true">${sign}</span> ${name}</li>`)}</ul>
<div class="scroll${summed ? "" : " snug"}" tabindex="0" role="region" aria-label="Medals by competition and seed">
<table class="grid-table"><caption class="hidden">Result of every trial, by competition, agent and seed</caption>
<thead><tr><th scope="col" rowspan="2">competition</th>${dated ? html`<th scope="col" rowspan="2">released</th>` : null}${results.agents.map((agent) => header(agent, results, summed))}</tr>
<tr>${results.agents.map(({ columns }) => (summed ? html`<th scope="col" class="sub">${plural(columns, "seed")}</th>` : html`${Array.from({ length: columns }, (_, i) => html`<th scope="col" class="sub${single ? " spelt" : ""}">${single ? "score · percentile" : i + 1}</th>`)}`))}</tr></thead>
<tbody>${results.competitions.map(({ id, entry }, row) => {
    const cells = results.agents.map((agent) =>
      summed
        ? bar(agent.rows[row])
        : html`${agent.rows[row].map((record, column) => cell(record, column, single))}`,
    );
    return html`<tr><th scope="row"><bdi>${id}</bdi>${entry?.complexity && !id.startsWith(`${entry.complexity}-`) ? html` <small class="tag">${entry.complexity}</small>` : null}</th>${dated ? html`<td class="released">${timingText(results.agents, row)}</td>` : null}${cells}</tr>`;
  })}</tbody></table></div></section>`;
}

function header({ name, columns, circumstances }: AgentResults, results: Results, summed: boolean): Markup {
  return html`<th scope="colgroup" colspan="${summed ? 1 : columns}" class="agent ${colourOf(results, name)}"><span class="swatch"></span><bdi>${name}</bdi>${markTag(circumstances)}</th>`;
}

function cell(record: TrialRecord | null, column: number, spelt: boolean): Markup {
  const state = stateOf(record);
  const { sign, name } = RESULT_STATES[state];
  const score = record?.grade?.score == null ? "" : `, score ${scoreText(record.grade.score)}`;
  const title =
    record === null
      ? `trial ${column + 1}: missing`
      : `seed ${record.seed}: ${name}${score}; ${circumstanceText(summarise([record]))}`;
  return html`<td title="${title}"><span class="cell s-${state}"><span aria-hidden="true">${sign}</span><span class="hidden">${name}</span></span>${spelt ? worth(record) : null}</td>`;
}

function worth(record: TrialRecord | null): Markup {
  const { score, percentile } = record?.grade ?? {};
  if (score == null) return NOTHING;
  return html`<span class="worth">${Number(score.toPrecision(4))}${percentile == null ? "" : ` · p${percentile.toFixed(0)}`}</span>`;
}

function bar(row: readonly (TrialRecord | null)[]): Markup {
  const counts = new Map<ResultState, number>();
  for (const record of row) counts.set(stateOf(record), (counts.get(stateOf(record)) ?? 0) + 1);
  const present = (Object.keys(RESULT_STATES) as ResultState[]).filter((state) => counts.has(state));
  const text = present.map((state) => `${counts.get(state)} ${RESULT_STATES[state].name}`).join(", ");
  const parts = present.map((state) => {
    const share = (100 * counts.get(state)!) / row.length;
    return html`<span class="part s-${state}" style="width:${share.toFixed(2)}%"></span>`;
  });
  return html`<td title="${text}"><span class="bar" aria-hidden="true">${parts}</span><span class="hidden">${text}</span></td>`;
}
