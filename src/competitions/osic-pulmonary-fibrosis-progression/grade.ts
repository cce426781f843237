import { laplaceLogLikelihood } from "../../metrics/regression/laplace-log-likelihood.ts";
import { rowComparator } from "../../table/rows/sort-rows.ts";
import type { Table } from "../../table/table.ts";
import { defineGrader, type RowPairs } from "../grader.ts";
import { requireNumeric } from "../shapes/cells/numbers.ts";
import { requireColumns } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";
import { requireIds } from "../shapes/id-coverage.ts";
import { joinRows } from "../shapes/join-rows.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";
import { lastMeasurements } from "./last-measurements.ts";

const ID = "Patient_Week";

/**
 * Laplace log likelihood of the last three measured weeks of each patient. Graded weeks that are not submitted cost
 * nothing: one is enough for a score, and none at all gives NaN, which is a score too.
 */
export const grade = defineGrader({
  submission: [ID, "FVC", "Confidence"],
  keys: [ID],
  values: ["Patient", "FVC"],
  rounding: "numpy",
  check(tables, problems) {
    const columns = requireColumns(tables.submission, [ID, "FVC", "Confidence"], problems);
    if (!columns) return null;
    if (tables.submission.rowCount === 0) {
      problems.add({ code: "NO_ROWS", message: "The submission has no rows." });
      return null;
    }
    const [, volume, confidence] = columns;
    const known = requireIds(tables, ID, ["repeated", "absent"], problems);
    const numeric = [volume, confidence].map((column) => requireNumeric(column, problems));
    if (!known || numeric.includes(false)) return null;
    return {
      rows: joinRows(tables, ID, known),
      volume: volume.numbers,
      confidence: confidence.numbers.map((value) => (Number.isNaN(value) ? 0 : value)),
    };
  },
  score({ rows, volume, confidence }, tables) {
    const { submission, answers } = gradedPairs(rows, tables.answers);
    const distinct = new Set(answers).size;
    // Repeats do no harm when a single answer is left: it is then compared with each of them.
    if (distinct > 1 && distinct < answers.length) {
      return undefinedScore("A graded week of a patient is submitted more than once.");
    }
    return laplaceLogLikelihood(
      gather(tables.answers.column("FVC")!.numbers, answers),
      gather(volume, submission),
      gather(confidence, submission),
    );
  },
});

/** The submitted rows that are graded, with their answers, in the order of their ids. */
function gradedPairs({ submission, answers }: RowPairs, truth: Table) {
  const graded = lastMeasurements(truth, 3);
  const compare = rowComparator(truth.column(ID)!);
  const order = Uint32Array.from(answers.keys())
    .filter((pair) => graded.has(answers[pair]))
    .sort((a, b) => compare(answers[a], answers[b]));
  return { submission: order.map((pair) => submission[pair]), answers: order.map((pair) => answers[pair]) };
}
