import { numpyMean } from "../../../metrics/arithmetic/numpy-sum.ts";
import { multiclassLosses } from "../../../metrics/classification/log-loss.ts";
import type { Column } from "../../../table/columns/column.ts";
import type { Table } from "../../../table/table.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import type { Problems } from "../../problems.ts";
import { alignedColumns } from "../aligned-columns.ts";
import { pairsOf } from "../cells/pairs.ts";
import { probabilities } from "../cells/probabilities.ts";
import type { requireColumns } from "../checks.ts";
import { gather } from "../gather.ts";
import { requireSumOfOne } from "../row-sums.ts";
import { requireOptions } from "../shape-options.ts";

export interface ClassProbabilities {
  id: string;
  classes: readonly string[];
  /** Which header is accepted; when left out, further columns may be there. */
  header?: typeof requireColumns;
  /** Which sums of a row count as 1. */
  isOne: (sum: number) => boolean;
  /** The order of columns in which rows are added up: in doubles it may decide a sum at the border. */
  sumOrder: "classes" | "file";
}

/** A probability for each class, each row adding up to 1, against one-hot truth: log loss. */
export function multiclassLogLoss(options: ClassProbabilities): Grader {
  const { id, classes, header, isOne, sumOrder } = requireOptions("multiclassLogLoss", options, {
    id: "text",
    classes: "texts",
    isOne: "function",
  });
  return defineGrader({
    submission: [id, ...classes],
    keys: [id],
    values: classes,
    rounding: "python",
    check(tables, problems) {
      const found = alignedColumns(tables, id, classes, problems, header);
      if (!found) return null;
      const { columns, alignment } = found;
      const predicted = columns.flatMap((column) => probabilities(column, problems) ?? []);
      const summed = sumOrder === "file" ? asInFile(columns, tables.submission) : columns;
      const usable =
        predicted.length === classes.length &&
        requireNoMixOfBooleans(columns, problems) &&
        requireSumOfOne(summed, isOne, problems);
      return usable && alignment ? { alignment, predicted } : null;
    },
    score({ alignment, predicted }, { answers }) {
      const truth = classes.map((name) => answers.column(name)!.numbers);
      const losses = multiclassLosses(truth, predicted, alignment.submissionRows);
      return numpyMean(gather(losses, alignment.sorted().answers));
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}

function asInFile(columns: readonly Column[], { header }: Table): Column[] {
  return [...columns].sort((a, b) => header.indexOf(a.name) - header.indexOf(b.name));
}

/** True/false columns beside columns of numbers: the original can add up the ones or the others, not both. */
function requireNoMixOfBooleans(columns: readonly Column[], problems: Problems): boolean {
  const booleans = columns.filter(({ kind }) => kind === "bool");
  if (booleans.length === 0 || booleans.length === columns.length) return true;
  problems.add({
    code: "WRONG_KIND",
    column: booleans[0].name,
    message: `Column "${booleans[0].name}" holds true/false while other columns hold numbers; write 0 and 1.`,
  });
  return false;
}
