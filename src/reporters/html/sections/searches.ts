import { type AgentSearches, agentSearches } from "../../../analysis/journal/agent.ts";
import { operatorColour } from "../../../analysis/journal/layout.ts";
import type { TrialSearch, TrialSearches } from "../../../analysis/journal/of-results.ts";
import type { OperatorUse } from "../../../analysis/journal/search.ts";
import { countText, plural } from "../../../wording/counts.ts";
import { durationText } from "../../../wording/durations.ts";
import { treeChart } from "../charts/tree.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { scoreText } from "../numbers.ts";

/** Names come from journals, and a journal may say anything: so many of them, so long, and no more. */
const MAX_OPERATORS = 16;
const MAX_FAULTS = 10;
const MAX_NAME = 60;
const MAX_TREES = 40;
const MAX_STEPS = 600;
const MAX_ROWS = 200;

/** What search agents did: which operators paid, what they took, where runs got stuck, and every tree. */
export function searchSection({ searches, left }: TrialSearches): Markup {
  if (searches.length === 0) return NOTHING;
  const agents = [...new Set(searches.map(({ agent }) => agent))];
  const drawn = searches.slice(0, MAX_TREES);
  const more = searches.length - drawn.length;
  return html`<section aria-labelledby="searches"><h2 id="searches">Searches</h2>
<p class="lead">What agents that keep a journal did, by what they say themselves. An improvement is a step that was the best of its search when it ended. Values are the agent's own measure, not the grade.</p>
${agents.map((agent) =>
  agentPart(
    agent,
    searches.filter((one) => one.agent === agent),
  ),
)}
<div class="stack">${drawn.map((one) => treePart(one, searches.length === 1))}</div>
${more > 0 ? html`<p class="note">and ${plural(more, "more tree")}: <code>mlebench view --tree &lt;trial&gt;</code></p>` : null}
${left > 0 ? html`<p class="note">${plural(left, "trial")} beyond the first ${countText(searches.length)} searches were not looked at.</p>` : null}</section>`;
}

function agentPart(agent: string, searches: readonly TrialSearch[]): Markup {
  const all = agentSearches(searches);
  const faults = all.faults.slice(0, MAX_FAULTS);
  const kinds = all.faults.length - faults.length;
  return html`<h3><bdi>${agent}</bdi></h3>
<p class="note">Failed steps: ${faults.length === 0 ? "none" : faults.map(({ kind, steps }, i) => html`${i > 0 ? ", " : ""}<bdi>${short(kind)}</bdi> ${steps}`)}${kinds > 0 ? `, and ${plural(kinds, "more kind")}` : ""}.</p>
${operatorTable(agent, all.operators)}
${stuckTable(agent, all.trials, searches)}`;
}

function operatorTable(agent: string, operators: readonly OperatorUse[]): Markup {
  const rest = operators.length - MAX_OPERATORS;
  const rows = operators
    .slice(0, MAX_OPERATORS)
    .map(
      (use) =>
        html`<tr><th scope="row" class="${operatorColour(use.operator)}"><span class="swatch"></span><bdi>${short(use.operator)}</bdi></th><td class="number">${countText(use.steps)}</td><td class="number">${share(use.buggy, use.steps)}</td><td class="number">${countText(use.improvements)}</td><td class="number">${share(use.improvements, use.steps)}</td><td class="number">${durationText(use.modelSeconds)}</td><td class="number">${durationText(use.executionSeconds)}</td><td class="number">${countText(use.tokens)}</td><td class="number">${use.cost === null ? "–" : dollars(use.cost)}</td></tr>`,
    );
  const titles = ["steps", "failed", "improvements", "per step", "model time", "run time", "tokens", "cost"];
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Operators of ${agent}"><table class="plain">
<thead><tr><th scope="col">operator</th>${titles.map((title) => html`<th scope="col" class="number">${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div>
${rest > 0 ? html`<p class="note">and ${plural(rest, "more operator")}</p>` : null}`;
}

/** The longest stretches first: that is where an agent needs help. */
function stuckTable(
  agent: string,
  trials: AgentSearches["trials"],
  searches: readonly TrialSearch[],
): Markup {
  const rows = trials
    .map((trial, i) => ({ ...trial, ...searches[i] }))
    .sort((a, b) => b.longest - a.longest)
    .slice(0, MAX_ROWS)
    .map(
      (one) =>
        html`<tr><th scope="row"><bdi>${one.competitionId}</bdi>, seed ${one.seed}</th><td class="number">${countText(one.steps)}</td><td class="number">${countText(one.improvements)}</td><td class="number">${scoreText(one.best)}</td><td class="number">${countText(one.longest)}</td><td class="number">${one.after === null ? "–" : `#${one.after}`}</td><td class="number">${one.longest === 0 ? "–" : share(one.failed, one.longest)}</td><td class="number">${countText(one.atEnd)}</td></tr>`,
    );
  return html`<details><summary>Where it got stuck <span class="count">${plural(trials.length, "search", "searches")}</span></summary>
<p class="note">The longest stretch of steps without an improvement, the step after which it began, how many of its steps failed, and the stretch at the end of the search.</p>
<div class="scroll" tabindex="0" role="region" aria-label="Stretches without an improvement, ${agent}"><table class="plain"><thead><tr><th scope="col">trial</th>${["steps", "improvements", "best", "longest without", "after step", "failed in it", "at the end"].map((title) => html`<th scope="col" class="number">${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details>`;
}

function treePart({ agent, competitionId, seed, trial, search }: TrialSearch, open: boolean): Markup {
  const operators = [...new Set(search.steps.map(({ operator }) => operator))].slice(0, MAX_OPERATORS);
  return html`<details${open ? html` open` : null}><summary>Tree of <bdi>${agent}</bdi> on <bdi>${competitionId}</bdi>, seed ${seed} <span class="count">${plural(search.steps.length, "step")}</span></summary>
<ul class="legend">${operators.map((operator) => html`<li class="${operatorColour(operator)}"><span class="swatch"></span><bdi>${short(operator)}</bdi></li>`)}<li><span class="swatch hollow"></span>failed</li><li>the thick line leads to the best</li></ul>
<div class="tree-box" tabindex="0" role="region" aria-label="Tree of ${trial}">${treeChart(search, MAX_STEPS)}</div>
${search.steps.length > MAX_STEPS ? html`<p class="note">The first ${countText(MAX_STEPS)} steps, and those on the way to the best.</p>` : null}
<p class="note">Code, changes and progress: <code>mlebench view --tree ${trial}</code></p></details>`;
}

function short(name: string): string {
  return name.length <= MAX_NAME ? name : `${name.slice(0, MAX_NAME - 1)}…`;
}

function share(part: number, whole: number): string {
  return `${((100 * part) / whole).toFixed(0)} %`;
}

function dollars(value: number): string {
  return `$${value !== 0 && value < 0.1 ? value.toPrecision(2) : value.toFixed(2)}`;
}
