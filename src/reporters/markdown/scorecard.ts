import { spendingText } from "../../analysis/model-spending.ts";
import type { Scorecard, SeedCard } from "../../analysis/scorecard/scorecard.ts";
import { dimensionCells, inputsOf, noteTexts, scopeText } from "../text/scorecard.ts";
import { codeSpan, deviationItem, markdownTable, plainMarkdown } from "./text.ts";

/** Scorecards as Markdown: the same figures as on a terminal, formulas included. */
export function scorecardMarkdown(cards: readonly Scorecard[]): string {
  const lines = ["# Scorecard", "", ...overview(cards)];
  for (const card of cards) lines.push("", ...cardLines(card));
  for (const { agent, models } of cards)
    if (models !== null) lines.push("", `${plainMarkdown(agent)}: ${plainMarkdown(spendingText(models))}`);
  lines.push("", "## Deviations from the canonical set-up", "");
  for (const { agent, deviations } of cards) lines.push(deviationItem(agent, deviations));
  const [{ formulas, formulasVersion }] = cards;
  lines.push("", `## Formulas (${formulasVersion})`, "");
  for (const [name, formula] of Object.entries(formulas))
    lines.push(`- ${plainMarkdown(name)}: ${codeSpan(formula)}`);
  return `${lines.join("\n")}\n`;
}

function overview(cards: readonly Scorecard[]): string[] {
  const rows = cards.map((card) => [
    plainMarkdown(card.agent),
    `**${card.overall.toFixed(2)}**`,
    card.band,
    plainMarkdown(scopeText(card)),
  ]);
  return markdownTable(["agent", "overall", "band", "measured on"], rows, [1]);
}

function cardLines({ agent, seeds }: Scorecard): string[] {
  return seeds.flatMap((seed, i) => [
    ...(i > 0 ? [""] : []),
    `## ${plainMarkdown(agent)}, seed ${seed.seed}: ${seed.overall.toFixed(2)}, ${seed.band}`,
    "",
    ...seedLines(seed),
  ]);
}

const HEADER = ["task", "quality", "efficiency", "reproducibility", "operations", "overall", "artifacts"];

function seedLines({ units, caps, dimensions, artifactValidity, overall }: SeedCard): string[] {
  const { quality, efficiency, reproducibility, operations } = dimensions;
  const mean = [quality, efficiency, reproducibility, operations, overall, artifactValidity];
  const rows = units.map((unit) => dimensionCells(unit).map(plainMarkdown));
  const last = ["weighted mean", ...mean.map((value) => `**${value.toFixed(2)}**`)];
  const names = inputsOf(units[0]).map(([name]) => name);
  const inputs = units.map((unit) => [
    plainMarkdown(unit.competitionId),
    ...inputsOf(unit).map(([, value]) => value),
  ]);
  return [
    ...markdownTable(HEADER, [...rows, last], [1, 2, 3, 4, 5, 6]),
    "",
    ...markdownTable(["inputs", ...names], inputs, [1, 2, 3, 4, 5, 6, 7, 8, 9]),
    "",
    ...caps.map((cap) => `- **cap** ${plainMarkdown(cap)}`),
    ...units.flatMap((unit) =>
      noteTexts(unit).map((note) => `- ${plainMarkdown(unit.competitionId)}: ${plainMarkdown(note)}`),
    ),
  ];
}
