import type { Finding } from "../../integrity/findings/schema.ts";
import { plural } from "../../wording/counts.ts";
import type { IntegrityResult } from "../../workflows/integrity/integrity.ts";
import { html, type Markup, NOTHING } from "../html/markup.ts";
import { plainPage } from "./page.ts";

const ORDER = ["serious", "suspicious", "note"];

/** One page: what was looked at, what was found, what was decided. */
export function integrityPage({ overview, medals, plagiarism }: IntegrityResult): string {
  const { runGroup, checks, decisions, open, disqualified, problems } = overview;
  const findings = overview.findings.toSorted(
    (a, b) => ORDER.indexOf(a.severity) - ORDER.indexOf(b.severity),
  );
  const most = plagiarism.trials.reduce((max, one) => Math.max(max, one.max?.similarity ?? 0), 0);
  return plainPage(
    `Integrity of ${runGroup}`,
    html`<p>${plural(findings.length, "finding")}, ${open} of them open; ${plural(disqualified.length, "trial")} disqualified. A finding is evidence that a person has to judge; no check disqualifies anybody. Code most similar to anything public or to another agent's: ${(100 * most).toFixed(0)} %.</p>
${problems.map((problem) => html`<p class="serious">${problem}</p>`)}
<h2>What was looked at</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Checks"><table><thead><tr><th scope="col">check</th><th scope="col" class="number">trials</th><th scope="col">when</th><th scope="col">what it could not do</th></tr></thead>
<tbody>${checks.map(({ check, trials, at, notes }) => html`<tr><th scope="row">${check}</th><td class="number">${trials}</td><td class="when">${at.slice(0, 16).replace("T", " ")}</td><td>${notes.join("; ")}</td></tr>`)}</tbody></table></div>
<h2>Medals and the model's training data</h2>
${
  medals.cutoff === null
    ? html`<p>No cut-off was given, so nothing is said about what a model may have read: <code>--cutoff 2025-03-31</code>.</p>`
    : html`<p>Training data until ${medals.cutoff}. On competitions that were public before: ${share(medals.before)}. After: ${share(medals.after)}. Of unknown date: ${share(medals.unknown)}.</p>`
}
<h2>Findings</h2>
${findings.length === 0 ? html`<p>None.</p>` : findings.map(findingSection)}
<h2>Decisions</h2>
${
  decisions.length === 0
    ? html`<p>None.</p>`
    : html`<div class="scroll" tabindex="0" role="region" aria-label="Decisions"><table><thead><tr><th scope="col">day</th><th scope="col">trial</th><th scope="col">decision</th><th scope="col">why</th><th scope="col">by</th></tr></thead><tbody>${decisions.map(({ time, trial, decision, why, by }) => html`<tr><td class="when">${time.slice(0, 10)}</td><td><bdi>${trial}</bdi></td><td>${decision}</td><td><bdi>${why}</bdi></td><td><bdi>${by}</bdi></td></tr>`)}</tbody></table></div>`
}`,
  );
}

function share({ trials, medals }: { trials: number; medals: number }): string {
  return trials === 0
    ? "no trial"
    : `${plural(medals, "medal")} in ${plural(trials, "trial")} (${((100 * medals) / trials).toFixed(1)} %)`;
}

function findingSection({ trial, kind, severity, sentence, evidence, explained }: Finding): Markup {
  return html`<article><h3><span class="${severity}">${severity}</span> · ${kind} · <bdi>${trial}</bdi></h3>
<p>${sentence}${explained === null ? NOTHING : html` Explained: ${explained}.`}</p>
${evidence.map(({ file, line, quotation }) => html`<figure><figcaption><bdi>${file}</bdi>${line === null ? "" : `, line ${line}`}</figcaption><pre tabindex="0"><code>${quotation}</code></pre></figure>`)}</article>`;
}
