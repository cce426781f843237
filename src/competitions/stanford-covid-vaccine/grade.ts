import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { rmse } from "../../metrics/regression/rmse.ts";
import { isNumeric } from "../../table/columns/column.ts";
import type { Alignment } from "../../table/rows/align-ids.ts";
import { defineGrader, type Grader, type Tables } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { requireColumns, requireRowCount, requireSameIds } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";
import { requireUnreadColumns } from "../shapes/unread-columns.ts";

const ID = "id_seqpos";
const SCORED = ["reactivity", "deg_Mg_pH10", "deg_Mg_50C"];
const UNSCORED = ["deg_pH10", "deg_50C"];

/**
 * Mean RMSE of three columns over the positions that were measured (`keep`, known from the test data). Which submitted
 * rows count is decided by their place in the file, not by their id: a file in another order than the answers is not
 * refused, but its rows are compared with the wrong ones.
 */
export const grade = degradationGrader(keptByPlace);

/** Rows count by their id, whatever the order of the file. */
export const gradeV2 = degradationGrader(keptById);

/** 1 for each submitted row that is scored; null after adding problems. */
type KeptRows = (tables: Tables, alignment: Alignment | null, problems: Problems) => Uint8Array | null;

function degradationGrader(keptRows: KeptRows): Grader {
  return defineGrader({
    submission: [ID, ...SCORED],
    keys: [ID, "keep"],
    values: SCORED,
    rounding: "numpy",
    check(tables, problems) {
      const columns = requireColumns(tables.submission, [ID, ...SCORED], problems);
      const complete = requireUnreadColumns(tables.submission, UNSCORED, problems);
      const sameCount = requireRowCount(tables, problems);
      const alignment = tables.submission.column(ID) ? requireSameIds(tables, ID, problems) : null;
      const kept = sameCount ? keptRows(tables, alignment, problems) : null;
      if (!columns || !kept) return null;
      const rows = Uint32Array.from(kept.keys()).filter((row) => kept[row] === 1);
      const predicted = columns.slice(1).flatMap((column) => finiteNumbers(column, problems, rows) ?? []);
      const usable = complete && predicted.length === SCORED.length;
      return usable && alignment ? { alignment, kept, predicted } : null;
    },
    score({ alignment, kept, predicted }, { answers }) {
      const sorted = alignment.sorted();
      const keep = answers.column("keep")!.numbers;
      const truthRows = sorted.answers.filter((row) => keep[row] === 1);
      const rows = sorted.submission.filter((row) => kept[row] === 1);
      if (rows.length === 0) return undefinedScore("No row of the answers is scored.");
      const errors = SCORED.map((name, i) =>
        rmse(gather(answers.column(name)!.numbers, truthRows), gather(predicted[i], rows)),
      );
      return numpyMean(Float64Array.from(errors));
    },
  });
}

function keptById({ answers }: Tables, alignment: Alignment | null): Uint8Array | null {
  if (alignment === null) return null;
  const keep = answers.column("keep")!.numbers;
  const { submissionRows } = alignment;
  if (submissionRows === null) return Uint8Array.from(keep);
  const kept = new Uint8Array(keep.length);
  for (let row = 0; row < keep.length; row++) kept[submissionRows[row]] = keep[row];
  return kept;
}

/** Row labels, if the file has them, take the place of row numbers. */
function keptByPlace(
  { submission, answers }: Tables,
  _: Alignment | null,
  problems: Problems,
): Uint8Array | null {
  const keep = answers.column("keep")!.numbers;
  const labels = submission.rowLabels;
  if (labels === null) return Uint8Array.from(keep);
  const kept = new Uint8Array(keep.length);
  const seen = new Uint8Array(keep.length);
  for (let row = 0; row < keep.length; row++) {
    const label = isNumeric(labels) && labels.kind !== "bool" ? labels.numbers[row] : -1;
    if (seen[label] !== 0) {
      problems.add({
        code: "BAD_FORMAT",
        row: row + 1,
        message:
          "The rows have one field more than the header, and these row labels are not the numbers from 0 to the last row.",
      });
      return null;
    }
    seen[label] = 1;
    kept[row] = keep[label];
  }
  return kept;
}
