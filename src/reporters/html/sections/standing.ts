import type { CompetitionFacts } from "../../../analysis/competition-facts.ts";
import type { Results } from "../../../analysis/results.ts";
import type { Leaderboard } from "../../../leaderboards/leaderboard-schema.ts";
import { countText, plural } from "../../../wording/counts.ts";
import { standingChart } from "../charts/standing.ts";
import { html, type Markup, NOTHING } from "../markup.ts";
import { median, scoreText, thinned } from "../numbers.ts";
import { colourOf } from "./headline.ts";

const MAX_POINTS = 40;

/** Where every score stands in its competition's field, which is one of people only where the board says so. */
export function standings(results: Results): Markup {
  const cards = results.competitions.flatMap((facts, row) => {
    if (facts.leaderboard === null) return [];
    return [card(facts, facts.leaderboard, row, results)];
  });
  if (cards.length === 0) return NOTHING;
  return html`<section aria-labelledby="standing"><h2 id="standing">Against the field</h2>
<p class="lead">The curve is the field a competition is measured against, named below it: how many per cent of its entries a score beats. Lines mark the median (M) and the medals (B, S, G). Dots are trials; an arrow lies beyond the drawn range.</p>
<div class="cards">${cards}</div></section>`;
}

function card(facts: CompetitionFacts, board: Leaderboard, row: number, results: Results): Markup {
  const rows = results.agents.map((agent) => {
    const scored = agent.rows[row].flatMap((record) =>
      record?.grade?.valid_submission && record.grade.score != null
        ? [{ record, score: record.grade.score }]
        : [],
    );
    const percentiles = scored.flatMap(({ record }) =>
      record.grade?.percentile == null ? [] : [record.grade.percentile],
    );
    return {
      name: agent.name,
      colour: colourOf(results, agent.name),
      scored,
      percentiles,
      trials: agent.rows[row].length,
    };
  });
  const points = rows.flatMap(({ name, colour, scored }) =>
    thinned(
      scored.toSorted((a, b) => a.score - b.score),
      MAX_POINTS,
    ).map(({ record, score }) => ({
      score,
      colour,
      title: `${name}, seed ${record.seed}: ${scoreText(score)}`,
    })),
  );
  const shown = points.length < rows.reduce((sum, { scored }) => sum + scored.length, 0);
  const summary = rows
    .map(({ name, scored, percentiles, trials }) =>
      scored.length === 0
        ? `${name}: no valid score`
        : `${name}: ${scored.length} of ${trials} scored, median ${scoreText(median(scored.map(({ score }) => score)))}${percentiles.length > 0 ? ` at percentile ${median(percentiles).toFixed(0)}` : ""}`,
    )
    .join("; ");
  const metric = facts.entry?.metric.name;
  return html`<article class="card"><h3><bdi>${facts.id}</bdi></h3>
<p class="note">${metric ? html`${metric}, ` : null}${board.lowerIsBetter ? "lower" : "higher"} is better</p>
${standingChart(board, points, `${facts.id}: scores in a field of ${board.teams}. Gold ${board.gold}, silver ${board.silver}, bronze ${board.bronze}, median ${board.median}. ${summary}.`)}
<ul class="keys">${rows.map(
    ({ name, colour, scored, percentiles }) =>
      html`<li class="agent ${colour}"><span class="swatch"></span><bdi>${name}</bdi> <span class="value">${
        scored.length === 0
          ? "no valid score"
          : html`${scoreText(median(scored.map(({ score }) => score)))}${percentiles.length > 0 ? html` · p${median(percentiles).toFixed(0)}` : null}`
      }</span></li>`,
  )}</ul><p class="note">${fieldName(board)}${shown ? html`; ${plural(points.length, "trial")} drawn, evenly over the scores` : null}</p></article>`;
}

/** Only a board that came from Kaggle is called so. */
function fieldName({ source, teams }: Leaderboard): Markup {
  return source === "kaggle"
    ? html`${countText(teams)} Kaggle teams`
    : html`<bdi>${source}</bdi>, ${countText(teams)} entries`;
}
