import { numpyMean } from "../../../metrics/arithmetic/numpy-sum.ts";
import type { Runs } from "../../../metrics/pictures/run-length.ts";
import type { Column } from "../../../table/columns/column.ts";
import type { Alignment } from "../../../table/rows/align-ids.ts";
import type { Table } from "../../../table/table.ts";
import { defineGrader, type Grader } from "../../grader.ts";
import { collectProblems } from "../../problems.ts";
import { requireNoneMissing } from "../cells/numbers.ts";
import { pairsOf } from "../cells/pairs.ts";
import { requireColumns, requireExactColumns, requireRowCount, requireSameIds } from "../checks.ts";
import { undefinedScore } from "../undefined-score.ts";
import { imageSizes, oneImageSize } from "./image-sizes.ts";
import { type MaskOptions, maskAt, requireMasks } from "./masks.ts";

/** The predicted and the true mask of one image of `size` pixels. */
export interface MaskPair {
  predicted: Runs;
  truth: Runs;
  size: number;
}

export interface AlignedMasks {
  id: string;
  /** The submission's column of masks. */
  predicted: string;
  /** The answers' column of masks. */
  truth: string;
  /** The answers' columns of image sizes, or the number of pixels that every image has. */
  image: { height: string; width: string } | number;
  /** Further columns are refused. */
  exactColumns?: boolean;
  /** The text of an empty mask. Where there is one, a missing cell is refused; elsewhere it is an empty mask. */
  emptyText?: string;
  /** Makes one number of all images, which come in ascending order of id unless `anyOrder` is set. */
  combine(pairs: Iterable<MaskPair>): number;
  /** For a `combine` that gives the same number in any order, such as sums of pixels: ids need not be sorted then. */
  anyOrder?: boolean;
}

/**
 * One run-length mask for each id, compared with the true mask of the same image. Masks are read again when they
 * are compared, so that only those of one image are in memory.
 */
export function alignedMasks(options: AlignedMasks): Grader {
  const { id, predicted, truth, image, emptyText } = options;
  const oneSize = (answers: Table) => (typeof image === "number" ? image : oneImageSize(answers, image));
  const sizesOf = (answers: Table) => (typeof image === "number" ? () => image : imageSizes(answers, image));
  const sizesIn = (answers: Table, alignment: Alignment) =>
    oneSize(answers) === null ? moveToSubmission(sizesOf(answers), alignment) : sizesOf(answers);
  return defineGrader({
    submission: [id, predicted],
    keys: typeof image === "number" ? [id] : [id, image.height, image.width],
    values: [truth],
    rounding: "numpy",
    check(tables, problems) {
      const require = options.exactColumns ? requireExactColumns : requireColumns;
      const columns = require(tables.submission, [id, predicted], problems);
      const sameCount = requireRowCount(tables, problems);
      if (!columns) return null;
      const [, cells] = columns;
      const alignment = sameCount ? requireSameIds(tables, id, problems) : null;
      const sizeOf = alignment ? sizesIn(tables.answers, alignment) : () => 0;
      const masks = { sizeOf, emptyText };
      if (emptyText !== undefined) requireNoneMissing(cells, problems);
      return requireMasks(cells, masks, problems) && alignment ? { alignment, cells } : null;
    },
    score({ alignment, cells }, { answers }) {
      const truths = answers.column(truth)!;
      const masks = { sizeOf: sizesOf(answers), emptyText };
      if (!requireMasks(truths, masks, collectProblems()))
        return undefinedScore("The answers hold a mask that cannot be read.");
      const order = options.anyOrder ? null : alignment.sorted().answers;
      return options.combine(maskPairs(alignment, order, cells, truths, masks));
    },
    pairs: ({ alignment }, tables) => pairsOf(alignment, tables, id),
  });
}

/** The mean of a score of single images. */
export function meanOfImages(scoreOf: (pair: MaskPair) => number): AlignedMasks["combine"] {
  return (pairs) => {
    const scores: number[] = [];
    for (const pair of pairs) scores.push(scoreOf(pair));
    return numpyMean(Float64Array.from(scores));
  };
}

/** The pairs in the given order of the answers' rows, or in that of their file. */
function* maskPairs(
  { submissionRows }: Alignment,
  order: Uint32Array | null,
  cells: Column,
  truths: Column,
  { sizeOf, emptyText }: MaskOptions,
): Generator<MaskPair> {
  for (let position = 0; position < truths.length; position++) {
    const row = order ? order[position] : position;
    const size = sizeOf(row);
    const submissionRow = submissionRows ? submissionRows[row] : row;
    const predicted = maskAt(cells, submissionRow, { sizeOf: () => size, emptyText });
    const truth = maskAt(truths, row, { sizeOf, emptyText });
    if ("error" in predicted || "error" in truth) throw new Error("a mask broke after it had been checked");
    yield { predicted, truth, size };
  }
}

function moveToSubmission(
  sizeOf: (row: number) => number,
  { submissionRows }: Alignment,
): (submissionRow: number) => number {
  if (submissionRows === null) return sizeOf;
  const answersRows = new Uint32Array(submissionRows.length);
  for (let row = 0; row < answersRows.length; row++) answersRows[submissionRows[row]] = row;
  return (row) => sizeOf(answersRows[row]);
}
