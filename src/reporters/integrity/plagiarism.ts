import type { ComparedPair, PlagiarismResult, TrialPlagiarism } from "../../integrity/plagiarism/check.ts";
import type { Passage } from "../../integrity/plagiarism/similarity.ts";
import { plural } from "../../wording/counts.ts";
import { html, type Markup, NOTHING } from "../html/markup.ts";
import { plainPage } from "./page.ts";

/** All trials by their most similar file, then every pair at or above the threshold with its passages side by side. */
export function plagiarismPage(result: PlagiarismResult): string {
  const { trials, threshold, warnings } = result;
  const ordered = trials.toSorted((a, b) => (b.max?.similarity ?? -1) - (a.max?.similarity ?? -1));
  const flagged = ordered.filter((one) => one.flagged.length > 0);
  return plainPage(
    "Similar code",
    html`<p>${plural(trials.length, "trial")} compared with public notebooks, known solutions and each other: fingerprints of syntax trees, names, layout and comments left out. Similarity is the share of fingerprints on both sides that the other side has, too. From ${percent(threshold)} on, a pair is shown here; that it is similar does not say who copied from whom.</p>
${warnings.length === 0 ? NOTHING : html`<ul>${warnings.map((warning) => html`<li>${warning}</li>`)}</ul>`}
<h2 id="trials">Trials</h2>
<div class="scroll" tabindex="0" role="region" aria-label="Trials"><table><thead><tr><th scope="col">trial</th><th scope="col" class="number">files</th><th scope="col" class="number">pairs</th><th scope="col" class="number">most similar</th><th scope="col">with</th></tr></thead>
<tbody>${ordered.map(row)}</tbody></table></div>
<h2 id="pairs">Pairs from ${percent(threshold)} on</h2>
${flagged.length === 0 ? html`<p>None.</p>` : flagged.map(section)}`,
  );
}

function row({ trial, files, kernelPairs, otherPairs, max }: TrialPlagiarism): Markup {
  return html`<tr><th scope="row"><bdi>${trial}</bdi></th><td class="number">${files}</td><td class="number">${kernelPairs.length + otherPairs.length}</td><td class="number">${max === null ? "–" : percent(max.similarity)}</td><td><bdi>${max === null ? "" : max.rightFile}</bdi></td></tr>`;
}

function section({ trial, flagged }: TrialPlagiarism): Markup {
  return html`<section><h2><bdi>${trial}</bdi></h2>${flagged.map(pairSection)}</section>`;
}

function pairSection(pair: ComparedPair & { passages: Passage[] }): Markup {
  const { leftFile, rightFile, similarity, leftShare, rightShare, explained, passages } = pair;
  return html`<article><h3>${percent(similarity)} · <bdi>${leftFile}</bdi> and <bdi>${rightFile}</bdi></h3>
<p class="note">${percent(leftShare)} of the first, ${percent(rightShare)} of the second.${explained === null ? "" : ` Explained: ${explained}.`}</p>
${passages.map(({ left, right }) => html`<div class="sides">${side(leftFile, left)}${side(rightFile, right)}</div>`)}</article>`;
}

function side(file: string, { from, to, text }: Passage["left"]): Markup {
  return html`<figure><figcaption><bdi>${file}</bdi>, lines ${from} to ${to}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(0)} %`;
}
