import { CANONICAL_TEXT } from "../../../analysis/aggregate/canonical-setup.ts";
import type { AgentResults, Results } from "../../../analysis/results.ts";
import { trialSummary } from "../../../analysis/trial-summary.ts";
import { countText } from "../../../wording/counts.ts";
import { durationText } from "../../../wording/durations.ts";
import { sizeText } from "../../../wording/sizes.ts";
import { fieldSentence, methodNotes } from "../../text/method-notes.ts";
import { html, type Markup } from "../markup.ts";
import { scoreText } from "../numbers.ts";
import { colourOf } from "./headline.ts";

const MAX_ROWS = 1000;

/** Every trial in words and numbers; the plots above show nothing that is not here. */
export function trialTable(results: Results): Markup {
  const trials = results.agents.flatMap(({ rows }) =>
    rows.flat().flatMap((record) => (record === null ? [] : [trialSummary(record)])),
  );
  const rows = trials
    .slice(0, MAX_ROWS)
    .map(
      (trial) =>
        html`<tr><th scope="row"><bdi>${trial.competitionId}</bdi></th><td><bdi>${trial.agent}</bdi></td><td class="number">${trial.seed}</td><td>${trial.state}</td><td>${trial.isolation}</td><td>${trial.network}</td><td>${trial.materials}</td><td>${trial.verification}</td><td class="number">${scoreText(trial.score)}</td><td class="number">${trial.percentile === null ? "–" : trial.percentile.toFixed(1)}</td><td>${trial.stopReason ?? "–"}</td><td class="number">${trial.wallSeconds === null ? "–" : durationText(trial.wallSeconds)}</td><td class="number">${trial.peakMemoryBytes === null ? "–" : sizeText(trial.peakMemoryBytes)}</td></tr>`,
    );
  const titles = [
    "competition",
    "agent",
    "seed",
    "result",
    "isolation",
    "network",
    "materials",
    "verification",
    "score",
    "percentile",
    "end",
    "time",
    "peak memory",
  ];
  const numbers = new Set(["seed", "score", "percentile", "time", "peak memory"]);
  return html`<section aria-labelledby="trials"><h2 id="trials">All trials</h2>
<details><summary>As a table <span class="count">${countText(trials.length)}</span></summary>
<p class="note">${fieldSentence(results)}</p>
${trials.length > MAX_ROWS ? html`<p class="note">The first ${countText(MAX_ROWS)}; all of them: <code>mlebench report --format json</code></p>` : null}
<div class="scroll" tabindex="0" role="region" aria-label="Table of all trials"><table class="plain"><thead><tr>${titles.map((title) => html`<th scope="col"${numbers.has(title) ? html` class="number"` : null}>${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details></section>`;
}

/** How the numbers were made, and what they leave out. */
export function footer(results: Results): Markup {
  const { agents, missing, mlebenchVersion, createdAt } = results;
  return html`<footer><div class="columns"><section aria-labelledby="method"><h2 id="method">Method</h2><ul>${methodNotes(results).map((note) => html`<li>${note}</li>`)}</ul></section>
<div><section aria-labelledby="deviations"><h2 id="deviations">Deviations</h2><p>${CANONICAL_TEXT}.</p>${sameSetUps(agents).map((alike) => deviationList(alike, results))}</section>
<section aria-labelledby="missing"><h2 id="missing">Missing</h2>${
    missing.length === 0
      ? html`<p>Nothing: every trial is there, graded and measured.</p>`
      : html`<ul>${missing.map((note) => html`<li>${note}</li>`)}</ul>`
  }</section></div></div>
<p class="note">mlebench ${mlebenchVersion}, ${createdAt.slice(0, 16).replace("T", " ")} UTC</p></footer>`;
}

/** Agents that were run alike share a list. */
function sameSetUps(agents: readonly AgentResults[]): AgentResults[][] {
  const alike = new Map<string, AgentResults[]>();
  for (const agent of agents) {
    const key = agent.deviations.join("\n");
    alike.set(key, [...(alike.get(key) ?? []), agent]);
  }
  return [...alike.values()];
}

function deviationList(agents: readonly AgentResults[], results: Results): Markup {
  const { deviations } = agents[0];
  return html`<h3>${agents.map(({ name }) => html`<span class="${colourOf(results, name)}"><span class="swatch"></span><bdi>${name}</bdi></span> `)}</h3>${
    deviations.length === 0
      ? html`<p>None.</p>`
      : html`<ul>${deviations.map((text) => html`<li>${text}</li>`)}</ul>`
  }`;
}
