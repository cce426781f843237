import { rmsle } from "../../metrics/regression/rmsle.ts";
import type { Column } from "../../table/columns/column.ts";
import { defineGrader } from "../grader.ts";
import type { Problems } from "../problems.ts";
import { finiteNumbers } from "../shapes/cells/numbers.ts";
import { pairsOf } from "../shapes/cells/pairs.ts";
import { requireColumns, requireRowCount, requireSameIds } from "../shapes/checks.ts";
import { gather } from "../shapes/gather.ts";

const ID = "id";
const TARGETS = ["formation_energy_ev_natom", "bandgap_energy_ev"];

/** Mean of the RMSLE of two energies. Rows are compared in the order of the files; no id is ever read. */
export const grade = defineGrader({
  submission: TARGETS,
  keys: [],
  values: TARGETS,
  rounding: "numpy",
  check(tables, problems) {
    const columns = requireColumns(tables.submission, TARGETS, problems);
    const sameCount = requireRowCount(tables, problems);
    const energies = (columns ?? []).flatMap((column) => requireEnergies(column, problems) ?? []);
    return sameCount && energies.length === TARGETS.length ? energies : null;
  },
  score([formation, bandgap], { answers }) {
    const error = ({ column, numbers }: Energies) =>
      rmsle(answers.column(column.name)!.numbers, numbers, column.kind === "bool");
    return (error(formation) + error(bandgap)) / 2;
  },
});

/** The same, with rows paired by id. */
export const gradeV2 = defineGrader({
  submission: [ID, ...TARGETS],
  keys: [ID],
  values: TARGETS,
  rounding: "numpy",
  check(tables, problems) {
    const energies = grade.check(tables, problems) as Energies[] | null;
    const alignment = requireSameIds(tables, ID, problems);
    return energies && alignment ? { energies, alignment } : null;
  },
  score: ({ energies, alignment: { submissionRows } }, tables) =>
    grade.score(
      energies.map(({ column, numbers }) => ({ column, numbers: gather(numbers, submissionRows) })),
      tables,
    ),
  pairs: ({ alignment }, tables) => pairsOf(alignment, tables, ID),
});

interface Energies {
  column: Column;
  numbers: Float64Array;
}

function requireEnergies(column: Column, problems: Problems): Energies | null {
  const numbers = finiteNumbers(column, problems);
  const before = problems.count;
  numbers?.forEach((energy, row) => {
    if (energy >= 0) return;
    problems.add({
      code: "OUT_OF_RANGE",
      column: column.name,
      row: row + 1,
      message: `Row ${row + 1} of "${column.name}" is ${energy}; it must not be negative.`,
    });
  });
  return numbers && problems.count === before ? { column, numbers } : null;
}
