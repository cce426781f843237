import { safeText } from "../../wording/safe-text.ts";
import type { FamiliarCompetition, Familiarity } from "../../workflows/integrity/familiarity.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

/** What the model remembers of each competition, and what that has to do with results. */
export function familiarityLines(
  { competitions, correlation, notes, model, languageModel, check }: Familiarity,
  paint: Paint,
): string[] {
  const rows = competitions.map((one) => [
    one.competitionId,
    measured(one, check),
    one.performance?.toFixed(3) ?? "–",
  ]);
  return [
    `${paint("bold", safeText(model))}${languageModel ? "" : " (not a language model's result)"}`,
    "",
    ...textTable(
      [["competition", "remembered", "performance"].map((title) => paint("dim", title)), ...rows],
      [2],
    ),
    "",
    correlation === null
      ? "no correlation can be given"
      : `Pearson ${correlation.pearson.toFixed(3)} (p ${correlation.pearsonP.toFixed(4)}, 95 % ${correlation.bootstrap.low.toFixed(2)} to ${correlation.bootstrap.high.toFixed(2)}), Spearman ${correlation.spearman.toFixed(3)} (p ${correlation.spearmanP.toFixed(4)}), permutation p ${correlation.permutationP.toFixed(4)}`,
    ...notes.map(safeText),
  ];
}

function measured(
  { familiarity, naming, rows, documents }: FamiliarCompetition,
  check: Familiarity["check"],
): string {
  if (naming !== null)
    return naming.named === null ? "no answer" : naming.named ? "named it" : "did not name it";
  if (rows !== null)
    return `${rows.exact} of ${rows.asked} rows (chance ${rows.chance.toFixed(3)}, p ${rows.p.toPrecision(2)})`;
  if (check === "rows") return "no train.csv";
  return familiarity === null ? "no text" : `${familiarity.toFixed(4)} (${documents[0].method})`;
}
