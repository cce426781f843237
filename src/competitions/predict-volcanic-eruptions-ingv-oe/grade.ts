import { roundHalfEven } from "../../metrics/arithmetic/rounding.ts";
import { mae } from "../../metrics/regression/mae.ts";
import { defineGrader } from "../grader.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { requireColumns } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";
import { requireIds } from "../shapes/id-coverage.ts";
import { joinRows } from "../shapes/join-rows.ts";
import { undefinedScore } from "../shapes/undefined-score.ts";

const ID = "segment_id";
const TARGET = "time_to_eruption";

/** Mean absolute error as a whole number, halves to even. A segment submitted several times counts as often. */
export const grade = defineGrader({
  submission: [ID, TARGET],
  keys: [ID],
  values: [TARGET],
  rounding: "none",
  check(tables, problems) {
    const columns = requireColumns(tables.submission, [ID, TARGET], problems);
    if (!columns) return null;
    const covered = requireIds(tables, ID, ["repeated"], problems);
    const predicted = finiteNumbers(columns[1], problems);
    return covered && predicted ? { predicted, rows: joinRows(tables, ID, covered) } : null;
  },
  score({ predicted, rows }, { answers }) {
    const truth = answers.column(TARGET)!.numbers;
    const error = roundHalfEven(mae(gather(truth, rows.answers), gather(predicted, rows.submission)));
    return Number.isFinite(error) ? error : undefinedScore("The predictions are too large to be averaged.");
  },
  pairs: ({ rows }) => rows,
});
