import { numpyMean } from "../../metrics/arithmetic/numpy-sum.ts";
import { quantile } from "../../metrics/arithmetic/quantile.ts";
import { haversineDistances } from "../../metrics/regression/haversine.ts";
import type { Table } from "../../table/table.ts";
import { defineGrader } from "../grader.ts";
import { requireNumeric } from "../shapes/cells/numbers.ts";
import { requireColumns, requireRowCount } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";
import { requireUnreadColumns } from "../shapes/unread-columns.ts";
import { requireTrips } from "./trips.ts";

const POSITION = ["LatitudeDegrees", "LongitudeDegrees"];

/**
 * Mean over trips of the mean of the median and the 95 % quantile of the distance. Rows of a trip are compared in the
 * order of the files: the time column must be there, but is never read.
 */
export const grade = defineGrader({
  submission: ["tripId", ...POSITION],
  keys: ["tripId"],
  values: POSITION,
  rounding: "numpy",
  check(tables, problems) {
    const columns = requireColumns(tables.submission, ["tripId", ...POSITION], problems);
    const timed = requireUnreadColumns(tables.submission, ["UnixTimeMillis"], problems);
    const sameCount = requireRowCount(tables, problems);
    const trips = tables.submission.column("tripId") ? requireTrips(tables, "tripId", problems) : null;
    if (!columns) return null;
    const numeric = columns.slice(1).map((column) => requireNumeric(column, problems));
    return timed && sameCount && trips && !numeric.includes(false) ? { trips } : null;
  },
  score({ trips }, { submission, answers }) {
    const booleans = {
      latitude: submission.column("LatitudeDegrees")!.kind === "bool",
      longitude: submission.column("LongitudeDegrees")!.kind === "bool",
    };
    const scores = trips.map((trip) => {
      const distances = haversineDistances(
        positions(answers, trip.answers),
        positions(submission, trip.submission),
        booleans,
      );
      return (quantile(distances, 0.5) + quantile(distances, 0.95)) / 2;
    });
    return numpyMean(Float64Array.from(scores));
  },
});

function positions(table: Table, rows: Uint32Array) {
  return {
    latitude: gather(table.column("LatitudeDegrees")!.numbers, rows),
    longitude: gather(table.column("LongitudeDegrees")!.numbers, rows),
  };
}
