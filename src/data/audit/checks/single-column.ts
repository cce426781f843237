import type { AuditContext, Skipped } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import { spread } from "../reading/public-files.ts";
import type { TableView } from "../reading/table-view.ts";
import { almostPerfect, type ColumnPower, type TargetValues, targetValues } from "./column-power.ts";

interface Measured {
  view: TableView;
  column: string;
  cells: string[];
  target: string;
  values: TargetValues;
}

/**
 * Columns that alone predict the target almost perfectly: those of a train table that the test tables have too, and
 * those of a test table against the answers. Columns an agent does not get for the test set cannot help it.
 */
export function findPredictingColumns(context: AuditContext): Finding[] | Skipped {
  const tests = context.tables.filter(({ role }) => role === "test");
  if (tests.length === 0) return { skipped: "no public table describes the items of the test set" };
  const findings: Finding[] = [];
  const reported = new Set<string>();
  for (const measured of [...trainColumns(context, tests), ...testColumns(context, tests)]) {
    if (reported.has(measured.column)) continue;
    const power = almostPerfect(measured.cells, measured.values, transferable(measured.column, tests));
    if (power === null) continue;
    reported.add(measured.column);
    findings.push(predictionFinding(measured, power));
  }
  return findings;
}

function* trainColumns({ tables, loaded, limits }: AuditContext, tests: TableView[]): Generator<Measured> {
  const { id, target } = loaded.competition.columns;
  for (const view of tables) {
    if (view.role !== "train") continue;
    const rows = spread(view.sample, limits.sampleRows);
    const shared = view.columns.filter(
      (name) =>
        !id.includes(name) && !target.includes(name) && tests.some(({ columns }) => columns.includes(name)),
    );
    for (const name of targetColumns(view, target)) {
      const values = targetValues(rows.map(({ cells }) => cells[view.columns.indexOf(name)]));
      if (values === null) continue;
      for (const column of shared) {
        const at = view.columns.indexOf(column);
        yield { view, column, cells: rows.map(({ cells }) => cells[at]), target: name, values };
      }
    }
  }
}

function* testColumns({ targets }: AuditContext, tests: TableView[]): Generator<Measured> {
  for (const view of tests) {
    for (const target of targets) {
      const values = targetValues(view.joined.map(({ answer }) => target.cells[answer]));
      if (values === null) continue;
      for (const [at, column] of view.columns.entries()) {
        if (view.idPositions.includes(at)) continue;
        yield { view, column, cells: view.joined.map(({ cells }) => cells[at]), target: target.name, values };
      }
    }
  }
}

/** The target by its name or, where each class is a column of the submission, the column whose values are those names. */
function targetColumns(view: TableView, targets: readonly string[]): string[] {
  const named = targets.filter((name) => view.columns.includes(name));
  if (named.length > 0 || targets.length < 2) return named;
  return view.columns.filter((_, at) => view.sample.every(({ cells }) => targets.includes(cells[at])));
}

/** A value helps on the test set only if it occurs there: a patient's number may tell all about train and nothing about test. */
function transferable(column: string, tests: readonly TableView[]): (cell: string) => boolean {
  const seen = new Set<string>();
  for (const { columns, sample } of tests) {
    const at = columns.indexOf(column);
    if (at >= 0) for (const { cells } of sample) seen.add(cells[at]);
  }
  return (cell) => seen.has(cell);
}

const PERFECT = 0.9995;

/**
 * An honest measurement may come close to the target; one that never errs, or a gap that tells the outcome, is the
 * outcome itself.
 */
function isTheAnswer({ reading, measure, figure }: ColumnPower): boolean {
  return reading === "whether it is filled" || measure === "purity" || figure >= PERFECT;
}

function predictionFinding({ view, column, target }: Measured, power: ColumnPower): Finding {
  const { reading, measure, figure, rows } = power;
  const what =
    measure === "purity"
      ? `where "${column}" is filled or not, ${(figure * 100).toFixed(1)} % of ${rows} rows have the same "${target}"`
      : `${reading} alone predicts "${target}" with ${measure} ${figure.toFixed(4)} on ${rows} rows, each predicted from others`;
  const certain = isTheAnswer(power);
  return {
    check: "single-column",
    severity: certain ? "leak" : "suspicious",
    file: view.file.path,
    evidence: { what, column, figure, measuredOn: rows },
    message: certain
      ? `Column "${column}" alone gives "${target}" away: ${reading}.`
      : `Column "${column}" alone predicts "${target}" very well by ${reading}: a strong feature, or one that is known only after the outcome.`,
    nextStep: `If "${column}" is known only after the outcome, drop it from public train and test when preparing.`,
  };
}
