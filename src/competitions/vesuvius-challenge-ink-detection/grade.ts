import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { fHalf } from "../../metrics/pictures/mask-scores.ts";
import { intersection } from "../../metrics/pictures/run-length.ts";
import { defineGrader, type Tables } from "../grader.ts";
import { collectProblems, type Problems } from "../problems.ts";
import { requireNoneMissing } from "../shapes/cells/numbers.ts";
import { requireExactColumns, requireRowCount, requireSameIds } from "../shapes/checks.ts";
import { imageSizes } from "../shapes/pictures/image-sizes.ts";
import { readMasks } from "../shapes/pictures/masks.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const IMAGE = { height: "height", width: "width" };

/**
 * Rows are compared by position and must stand in the answers' order. Masks run along the rows of the image here,
 * which makes no difference to counts of pixels.
 */
export const grade = defineGrader({
  submission: ["Id", "Predicted"],
  keys: ["Id", IMAGE.height, IMAGE.width],
  values: ["Predicted"],
  rounding: "numpy",
  check(tables, problems) {
    const columns = requireExactColumns(tables.submission, ["Id", "Predicted"], problems);
    const sameCount = requireRowCount(tables, problems);
    if (!columns) return null;
    const [, cells] = columns;
    const inOrder = sameCount && requireSameOrder(tables, problems);
    requireNoneMissing(cells, problems);
    const sizeOf = inOrder ? imageSizes(tables.answers, IMAGE) : () => 0;
    const masks = readMasks(cells, { sizeOf }, problems);
    return inOrder ? masks : null;
  },
  score(masks, { answers }) {
    const sizeOf = imageSizes(answers, IMAGE);
    const truths = readMasks(answers.column("Predicted")!, { sizeOf }, collectProblems());
    if (!truths) return undefinedScore("The answers hold a mask that cannot be read.");
    const scores = masks.map((mask, row) =>
      fHalf(intersection(mask, truths[row]), mask.pixels, truths[row].pixels),
    );
    return numpyMean(Float64Array.from(scores));
  },
});

function requireSameOrder(tables: Tables, problems: Problems): boolean {
  const alignment = requireSameIds(tables, "Id", problems);
  if (alignment === null) return false;
  if (alignment.submissionRows === null) return true;
  problems.add({
    code: "WRONG_IDS",
    column: "Id",
    message: 'The ids in "Id" are the expected ones, but not in the order of the sample submission.',
  });
  return false;
}
