import type { ComparedCompetition } from "../../../analysis/compare/by-competition.ts";
import type { Comparison } from "../../../analysis/compare/compare.ts";
import type { Difference } from "../../../analysis/compare/difference.ts";
import type { Results } from "../../../analysis/results.ts";
import { plural } from "../../../wording/counts.ts";
import { asFailedText, countsText, planText, scoreText } from "../../text/compare.ts";
import { fieldSentence } from "../../text/method-notes.ts";
import { intervalChart } from "../charts/interval.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { colourOf, intervalSentence } from "./headline.ts";

/** Two agents, paired by competition and seed. */
export function comparisonSection(results: Results): Markup {
  if (results.comparison === null) return NOTHING;
  const { a, b, result } = results.comparison;
  const names = { a, b };
  return html`<section aria-labelledby="comparison"><h2 id="comparison">Comparison</h2>
<p class="lead"><bdi>${a}</bdi> minus <bdi>${b}</bdi>, ${countsText(result)}. ${fieldSentence(results)} ${asFailedText(result).join(" ")}</p>
<div class="cards">
${difference("Medal rate", "percentage points", result.medalRate, names, colourOf(results, a))}
${difference("Mean percentile", "points", result.percentile, names, colourOf(results, a))}
${difference("Pairs won minus lost by score", "%", result.score, names, colourOf(results, a))}
${balance(result, names, results)}
</div>
<details><summary>Competition by competition <span class="count">${result.competitions}</span></summary>
<div class="scroll" tabindex="0" role="region" aria-label="Comparison by competition"><table class="plain"><thead><tr><th scope="col">competition</th><th scope="col" class="number">medals</th><th scope="col" class="number">mean percentile</th><th scope="col" class="number">mean score</th><th scope="col">better</th></tr></thead>
<tbody>${result.byCompetition.map((row) => comparedRow(row, names))}</tbody></table></div></details></section>`;
}

function difference(
  title: string,
  unit: string,
  one: Difference | null,
  names: { a: string; b: string },
  colour: string,
): Markup {
  if (one === null) return NOTHING;
  const { mean, overSeeds, overBoth, pValue, pHolm, tests, verdict } = one;
  const ends = [mean, overSeeds?.low, overSeeds?.high, overBoth?.low, overBoth?.high].map((end) =>
    Math.abs(end ?? 0),
  );
  const reach = Math.min(100, Math.max(5, Math.ceil((1.1 * Math.max(...ends)) / 5) * 5));
  const signed = `${mean > 0 ? "+" : ""}${mean.toFixed(2)}`;
  const interval = intervalSentence(overSeeds);
  return html`<article class="card"><h3>${title}</h3><p class="big">${signed} <small>${unit}</small></p>
${intervalChart({ label: `${title}, ${names.a} minus ${names.b}: ${signed} ${unit}, ${interval}`, mean, inner: overSeeds, outer: overBoth, points: [], low: -reach, high: reach, mark: 0, colour })}
<p class="note">${interval}. p = ${pValue.toFixed(4)}, after Holm for ${plural(tests, "test")} ${pHolm.toFixed(4)}: <strong>${verdict}</strong>.</p></article>`;
}

function balance(result: Comparison, names: { a: string; b: string }, results: Results) {
  const { wins, ties, losses, competitions } = result;
  const part = (count: number, className: string) =>
    count === 0
      ? NOTHING
      : html`<span class="part ${className}" style="width:${((100 * count) / competitions).toFixed(2)}%"></span>`;
  return html`<article class="card"><h3>Competitions</h3><p class="big">${wins} : ${losses} <small>${plural(ties, "tie")}</small></p>
<span class="bar tall" aria-hidden="true">${part(wins, `fill ${colourOf(results, names.a)}`)}${part(ties, "s-valid")}${part(losses, `fill ${colourOf(results, names.b)}`)}</span>
<p class="note"><bdi>${names.a}</bdi> is better on ${wins}, <bdi>${names.b}</bdi> on ${losses}. ${planText(result).join(" ")}</p></article>`;
}

function comparedRow(
  { competitionId, a, b, winner }: ComparedCompetition,
  names: { a: string; b: string },
): Markup {
  const text = (value: number | null) => (value === null ? "–" : value.toFixed(1));
  return html`<tr><th scope="row"><bdi>${competitionId}</bdi></th><td class="number">${a.medals} : ${b.medals}</td><td class="number">${text(a.percentile)} : ${text(b.percentile)}</td><td class="number">${scoreText(a.score)} : ${scoreText(b.score)}</td><td>${winner === "tie" ? "tie" : html`<bdi>${names[winner]}</bdi>`}</td></tr>`;
}
