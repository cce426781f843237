import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { hausdorffScore } from "../../metrics/pictures/hausdorff.ts";
import { dice } from "../../metrics/pictures/mask-scores.ts";
import type { Runs } from "../../metrics/pictures/run-length.ts";
import type { Volume } from "../../metrics/pictures/volume.ts";
import { type Column, isMissing } from "../../table/columns/column.ts";
import type { Table } from "../../table/table.ts";
import { defineGrader } from "../grader.ts";
import { collectProblems } from "../problems.ts";
import { requireTexts } from "../shapes/cells/texts.ts";
import { requireColumns } from "../shapes/checks.ts";
import { imageSizes } from "../shapes/pictures/image-sizes.ts";
import { readMasks } from "../shapes/pictures/masks.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";
import { buildVolumes } from "./volumes.ts";

const COLUMNS = ["id", "class", "predicted"];
const IMAGE = { height: "image_height", width: "image_width" };

/**
 * Rows are compared by position and ids are never compared: a shorter file is judged by the rows it has, a longer
 * one by its first. Even a file without rows is valid, with the score NaN.
 */
export const grade = defineGrader({
  submission: COLUMNS,
  keys: [IMAGE.height, IMAGE.width],
  values: ["id", "predicted"],
  rounding: "numpy",
  check({ submission, answers }, problems) {
    const columns = requireColumns(submission, COLUMNS, problems);
    if (!columns) return null;
    const [ids, , cells] = columns;
    const rows = Math.min(submission.rowCount, answers.rowCount);
    const sizeOf = imageSizes(answers, IMAGE);
    const masks = readMasks(cells, { sizeOf, rows }, problems);
    const textIds = requireTexts(ids, problems, rows);
    const missing = firstMissing(ids, rows);
    if (missing !== null) {
      problems.add({
        code: "MISSING_VALUE",
        column: "id",
        row: missing + 1,
        message: `Row ${missing + 1} of "id" is empty.`,
      });
    }
    if (!masks || !textIds || missing !== null) return null;
    const volumes = buildVolumes(ids, masks, planes(answers));
    if (!("clash" in volumes)) return { masks, volumes };
    problems.add({
      code: "BAD_FORMAT",
      column: "id",
      row: volumes.clash + 1,
      message: `Row ${volumes.clash + 1} belongs by its "id" to a scan whose other rows have images of another size.`,
    });
    return null;
  },
  score({ masks, volumes }, { answers }) {
    const sizeOf = imageSizes(answers, IMAGE);
    const truths = readMasks(answers.column("predicted")!, { sizeOf }, collectProblems());
    const trueVolumes = truths && buildVolumes(answers.column("id")!, truths, planes(answers));
    if (!truths || !trueVolumes || "clash" in trueVolumes)
      return undefinedScore("The answers hold a mask that cannot be read.");
    return 0.4 * meanDice(masks, truths) + 0.6 * (1 - meanDistance(volumes, trueVolumes));
  },
});

function planes(answers: Table): { heights: Float64Array; widths: Float64Array } {
  return { heights: answers.column(IMAGE.height)!.numbers, widths: answers.column(IMAGE.width)!.numbers };
}

/** Rows without foreground on either side are left out; NaN if all of them are. */
function meanDice(masks: readonly Runs[], truths: readonly Runs[]): number {
  const scores = masks.flatMap((mask, row) =>
    mask.pixels + truths[row].pixels === 0 ? [] : dice(mask, truths[row], Number.NaN),
  );
  return numpyMean(Float64Array.from(scores));
}

/** Pairs the scans by position; NaN if all pairs are empty. */
function meanDistance(volumes: readonly Volume[], truths: readonly Volume[]): number {
  const distances: number[] = [];
  for (let i = 0; i < Math.min(volumes.length, truths.length); i++) {
    const distance = hausdorffScore(volumes[i], truths[i]);
    if (distance !== null) distances.push(distance);
  }
  return numpyMean(Float64Array.from(distances));
}

function firstMissing(column: Column, rows: number): number | null {
  for (let row = 0; row < rows; row++) if (isMissing(column, row)) return row;
  return null;
}
