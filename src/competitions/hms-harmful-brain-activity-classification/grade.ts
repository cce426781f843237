import { roundPython } from "../../metrics/arithmetic/rounding.ts";
import { klDivergence } from "../../metrics/classification/kl-divergence.ts";
import { type Column, isNumeric } from "../../table/columns/column.ts";
import { sortedRows } from "../../table/rows/sort-rows.ts";
import { defineGrader } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { requireNumeric, requireWithin } from "../shapes/cells/numbers.ts";
import { requireColumns, requireRowCount } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";
import { requireIds } from "../shapes/id-coverage.ts";
import { requireSumOfOne } from "../shapes/row-sums.ts";

const VOTES = ["seizure_vote", "lpd_vote", "gpd_vote", "lrda_vote", "grda_vote", "other_vote"];

/**
 * Divergence of six probabilities from the shares of votes. `eeg_id` repeats: ids are compared as sets, and rows are
 * paired by their place among the sorted ids. Every other column of the submission, asked for or not, is taken for
 * a probability; a missing one is valid as long as the rest of its row adds up to 1.
 */
export const grade = defineGrader({
  submission: (header) => header,
  keys: ["eeg_id"],
  values: VOTES,
  rounding: "numpy",
  check(tables, problems) {
    const { submission } = tables;
    const columns = requireColumns(submission, ["eeg_id", ...VOTES], problems);
    const sameCount = requireRowCount(tables, problems);
    if (!columns) return null;
    const [ids, ...predicted] = columns;
    const others = submission.header.filter((name) => name !== "eeg_id");
    const usable = requireProbabilities(
      others.map((name) => submission.column(name)!),
      predicted,
      problems,
    );
    const sameIds = requireIds(tables, "eeg_id", ["repeated"], problems);
    return usable && sameIds && sameCount ? { ids, predicted } : null;
  },
  score({ ids, predicted }, { answers }) {
    const submissionRows = sortedRows(ids);
    const answerRows = sortedRows(answers.column("eeg_id")!);
    return klDivergence(
      VOTES.map((name) => gather(answers.column(name)!.numbers, answerRows)),
      predicted.map(({ numbers }) => gather(numbers, submissionRows)),
      // The original's clipping has no effect on a column of integers.
      predicted.map(({ kind }) => kind === "float"),
    );
  },
});

function requireProbabilities(all: readonly Column[], votes: readonly Column[], problems: Problems): boolean {
  const before = problems.count;
  for (const column of all) {
    if (!requireNumeric(column, problems)) continue;
    if (column.kind === "bool") reportBooleans(column, problems);
    else requireWithin(column, 0, 1, problems);
  }
  if (!all.every(isNumeric)) return false;
  requireSumOfOne(votes, (sum) => roundPython(sum) === 1, problems);
  if (all.length > votes.length) requireSumOfOne(all, isNearlyOne, problems);
  return problems.count === before;
}

function isNearlyOne(sum: number): boolean {
  return Math.abs(sum - 1) <= 1e-8 + 1e-5;
}

function reportBooleans({ name }: Column, problems: Problems): void {
  problems.add({
    code: "WRONG_KIND",
    column: name,
    message: `Column "${name}" holds true/false where probabilities are expected.`,
  });
}
