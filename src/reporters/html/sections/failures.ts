import { type ClassCount, FAILURE_LABELS, type FailedTrial } from "../../../analysis/failures/failures.ts";
import type { Results } from "../../../analysis/results.ts";
import { countText, plural } from "../../../wording/counts.ts";
import { html, type Markup } from "../markup.ts";
import { colourOf } from "./headline.ts";

const MAX_EXAMPLES = 12;
const MAX_COMPETITIONS = 6;

/** What went wrong, with the evidence a click away. */
export function failureSection(results: Results): Markup {
  const { failures } = results;
  const heading = html`<h2 id="failures">Failures</h2>`;
  if (failures.failed.length === 0)
    return html`<section aria-labelledby="failures">${heading}<p class="lead">None found in ${plural(failures.trials, "trial")}.</p></section>`;
  return html`<section aria-labelledby="failures">${heading}
<p class="lead">${countText(failures.failed.length)} of ${plural(failures.trials, "trial")} show a failure. A trial counts in every class it shows. Rules found these, each with its evidence.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Failures by class and agent"><table class="plain">
<thead><tr><th scope="col">class</th>${results.agents.map(({ name }) => html`<th scope="col" class="number agent ${colourOf(results, name)}"><span class="swatch"></span><bdi>${name}</bdi></th>`)}<th scope="col" class="number">all</th></tr></thead>
<tbody>${failures.counts.map((count) => countRow(count, results))}</tbody></table></div>
<div class="stack">${failures.counts.map((count) => examples(count, failures.failed))}</div></section>`;
}

function countRow(count: ClassCount, { agents }: Results): Markup {
  const cells = agents.map(({ name, rows }) => {
    const trials = Object.hasOwn(count.byAgent, name) ? count.byAgent[name] : 0;
    const total = rows.reduce((sum, row) => sum + row.filter((record) => record !== null).length, 0);
    const heat = Math.min(4, Math.ceil((4 * trials) / Math.max(1, total)));
    return html`<td class="number heat${heat}">${trials}</td>`;
  });
  return html`<tr><th scope="row">${FAILURE_LABELS[count.class]}</th>${cells}<td class="number">${count.trials}</td></tr>`;
}

function examples(count: ClassCount, failed: readonly FailedTrial[]): Markup {
  const trials = failed.filter(({ findings }) => findings.some((finding) => finding.class === count.class));
  const competitions = Object.entries(count.byCompetition).sort(([, a], [, b]) => b - a);
  const more = competitions.length - MAX_COMPETITIONS;
  return html`<details><summary>${FAILURE_LABELS[count.class]} <span class="count">${countText(count.trials)}</span></summary>
<p class="note">${competitions.slice(0, MAX_COMPETITIONS).map(([id, trials], i) => html`${i > 0 ? ", " : ""}<bdi>${id}</bdi> ${trials}`)}${more > 0 ? `, and ${plural(more, "more competition")}` : ""}</p>
<ul class="examples">${trials.slice(0, MAX_EXAMPLES).map((trial) => example(trial, count.class))}</ul>
${trials.length > MAX_EXAMPLES ? html`<p class="note">and ${countText(trials.length - MAX_EXAMPLES)} more: <code>mlebench failures</code></p>` : null}</details>`;
}

function example({ agent, competitionId, seed, findings }: FailedTrial, name: ClassCount["class"]): Markup {
  const evidence = findings.find((finding) => finding.class === name)?.evidence ?? [];
  return html`<li><p><bdi>${agent}</bdi> on <bdi>${competitionId}</bdi>, seed ${seed}</p>
${evidence.map(({ where, text }) => html`<p class="evidence"><span class="where">${where}</span> <code>${text}</code></p>`)}</li>`;
}
