import { CANONICAL_TEXT } from "../../../analysis/aggregate/canonical-setup.ts";
import { costText } from "../../../analysis/model-spending.ts";
import type { AgentResults, Results } from "../../../analysis/results.ts";
import { type TrialSummary, trialSummary } from "../../../analysis/trial-summary.ts";
import { countText } from "../../../wording/counts.ts";
import { durationText } from "../../../wording/durations.ts";
import { sizeText } from "../../../wording/sizes.ts";
import { fieldSentence, methodNotes } from "../../text/method-notes.ts";
import { html, type Markup } from "../markup.ts";
import { scoreText } from "../numbers.ts";
import { colourOf } from "./headline.ts";

const MAX_ROWS = 1000;

interface Column {
  title: string;
  text: (trial: TrialSummary) => Markup | string;
  right?: boolean;
  /** Shown only if some trial has it. */
  has?: (trial: TrialSummary) => boolean;
}

const COLUMNS: readonly Column[] = [
  { title: "agent", text: ({ agent }) => html`<bdi>${agent}</bdi>` },
  { title: "seed", text: ({ seed }) => String(seed), right: true },
  { title: "result", text: ({ state }) => state },
  { title: "isolation", text: ({ isolation }) => isolation },
  { title: "network", text: ({ network }) => network },
  { title: "materials", text: ({ materials }) => materials },
  {
    title: "description",
    text: ({ description }) => description,
    has: ({ description }) => /^obfuscated/.test(description),
  },
  { title: "released", text: ({ released }) => released ?? "unknown" },
  { title: "integrity", text: ({ integrity }) => integrity },
  { title: "verification", text: ({ verification }) => verification },
  { title: "score", text: ({ score }) => scoreText(score), right: true },
  { title: "percentile", text: ({ percentile }) => percentile?.toFixed(1) ?? "–", right: true },
  { title: "end", text: ({ stopReason }) => stopReason ?? "–" },
  {
    title: "time",
    text: ({ wallSeconds }) => (wallSeconds === null ? "–" : durationText(wallSeconds)),
    right: true,
  },
  {
    title: "peak memory",
    text: ({ peakMemoryBytes }) => (peakMemoryBytes === null ? "–" : sizeText(peakMemoryBytes)),
    right: true,
  },
  { title: "turns", text: turnsText, right: true, has: ({ turns }) => turns !== null },
  {
    title: "tokens",
    text: ({ modelTokens }) => (modelTokens === null ? "–" : countText(modelTokens)),
    right: true,
    has: ({ modelCalls }) => modelCalls !== null,
  },
  { title: "cost", text: moneyText, right: true, has: ({ modelCalls }) => modelCalls !== null },
];

function turnsText({ turns, continuations }: TrialSummary): string {
  if (turns === null) return "–";
  return `${countText(turns)}${continuations ? ` (+${continuations})` : ""}`;
}

/** A cost is never shown without saying whether it is all of it. */
function moneyText({ modelCalls, modelCost, modelCostComplete }: TrialSummary): string {
  return modelCalls === null ? "–" : costText({ cost: modelCost, complete: modelCostComplete === true });
}

/** Every trial in words and numbers; the plots above show nothing that is not here. */
export function trialTable(results: Results): Markup {
  const trials = results.agents.flatMap(({ rows }) =>
    rows.flat().flatMap((record) => (record === null ? [] : [trialSummary(record)])),
  );
  const columns = COLUMNS.filter(({ has }) => has === undefined || trials.some(has));
  const rows = trials
    .slice(0, MAX_ROWS)
    .map(
      (trial) =>
        html`<tr><th scope="row"><bdi>${trial.competitionId}</bdi></th>${columns.map(({ text, right }) => html`<td${right ? html` class="number"` : null}>${text(trial)}</td>`)}</tr>`,
    );
  return html`<section aria-labelledby="trials"><h2 id="trials">All trials</h2>
<details><summary>As a table <span class="count">${countText(trials.length)}</span></summary>
<p class="note">${fieldSentence(results)}</p>
${trials.length > MAX_ROWS ? html`<p class="note">The first ${countText(MAX_ROWS)}; all of them: <code>mlebench report --format json</code></p>` : null}
<div class="scroll" tabindex="0" role="region" aria-label="Table of all trials"><table class="plain"><thead><tr><th scope="col">competition</th>${columns.map(({ title, right }) => html`<th scope="col"${right ? html` class="number"` : null}>${title}</th>`)}</tr></thead><tbody>${rows}</tbody></table></div></details></section>`;
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
