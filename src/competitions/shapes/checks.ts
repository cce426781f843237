import type { Column } from "../../table/columns/column.ts";
import { type Alignment, compareIds, type IdDifference } from "../../table/rows/align-ids.ts";
import type { Table } from "../../table/table.ts";
import { countText, plural } from "../../wording/counts.ts";
import type { Tables } from "../grader.ts";
import type { Problems } from "../problems.ts";

/** The named columns of the submission, in that order; null (and a problem for each) when one is absent. */
export function requireColumns(
  submission: Table,
  names: readonly string[],
  problems: Problems,
): Column[] | null {
  const found: Column[] = [];
  for (const name of names) {
    const column = submission.column(name);
    if (column) found.push(column);
    else problems.add({ code: "MISSING_COLUMN", column: name, message: missingColumn(submission, name) });
  }
  return found.length === names.length ? found : null;
}

/** Like `requireColumns`, for competitions that accept no further column. The order of columns is free. */
export function requireExactColumns(
  submission: Table,
  names: readonly string[],
  problems: Problems,
): Column[] | null {
  const columns = requireColumns(submission, names, problems);
  const extra = submission.header.filter((name) => !names.includes(name));
  for (const name of extra) {
    problems.add({
      code: "UNEXPECTED_COLUMN",
      column: name,
      message: `Column "${name}" does not belong here: only ${list(names)} may be there.`,
    });
  }
  return extra.length === 0 ? columns : null;
}

export function requireRowCount({ submission, answers }: Tables, problems: Problems): boolean {
  if (submission.rowCount === answers.rowCount) return true;
  problems.add({
    code: "WRONG_ROW_COUNT",
    message: `The submission has ${plural(submission.rowCount, "row")}; ${expectedText(answers.rowCount)}.`,
  });
  return false;
}

/** "1 is expected", "12 are expected". */
export function expectedText(count: number): string {
  return `${countText(count)} ${count === 1 ? "is" : "are"} expected`;
}

/** The alignment of both tables by one id column that must hold the same ids on both sides. */
export function requireSameIds(tables: Tables, idColumn: string, problems: Problems): Alignment | null {
  const submitted = tables.submission.column(idColumn);
  const expected = tables.answers.column(idColumn);
  if (!submitted || !expected) {
    problems.add({
      code: "MISSING_COLUMN",
      column: idColumn,
      message: missingColumn(tables.submission, idColumn),
    });
    return null;
  }
  const comparison = compareIds(submitted, expected);
  if (comparison.same) return comparison.alignment;
  reportIds(comparison.difference, idColumn, problems);
  return null;
}

/** Says in sentences how the ids of a submission differ from the expected ones. */
export function reportIds(difference: IdDifference, column: string, problems: Problems): void {
  const { kinds, counts } = difference;
  const add = (message: string, row?: number) =>
    problems.add(
      row === undefined
        ? { code: "WRONG_IDS", column, message }
        : { code: "WRONG_IDS", column, row, message },
    );
  if (kinds) {
    add(
      `Column "${column}" holds ${kindWords(kinds.submission)} where ${kindWords(kinds.answers)} are expected, so no id can match.`,
    );
  }
  if (counts.empty > 0)
    add(
      `${plural(counts.empty, "row")} without an id in "${column}"${examples(
        difference.empty.map((row) => `row ${row}`),
        counts.empty,
      )}.`,
      difference.empty[0],
    );
  if (counts.unexpected > 0)
    add(
      `${plural(counts.unexpected, "id")} in "${column}" not expected${examples(difference.unexpected.map(idInRow), counts.unexpected)}.`,
      difference.unexpected[0].row,
    );
  if (counts.repeated > 0)
    add(
      `${plural(counts.repeated, "id")} in "${column}" repeated${examples(difference.repeated.map(idInRow), counts.repeated)}.`,
      difference.repeated[0].row,
    );
  if (counts.absent > 0)
    add(
      `${plural(counts.absent, "id")} missing from "${column}"${examples(difference.absent.map(quoted), counts.absent)}.`,
    );
  if (!kinds && counts.empty + counts.unexpected + counts.repeated + counts.absent === 0) {
    add(`The ids in "${column}" do not occur as often as expected.`);
  }
}

function missingColumn(table: Table, name: string): string {
  if (table.header.length === 0) return `Column "${name}" is missing: the file is empty.`;
  return `Column "${name}" is missing; the file has ${list(table.header.slice(0, 8))}${table.header.length > 8 ? ", …" : ""}.`;
}

function list(names: readonly string[]): string {
  const shown = names.slice(0, 12).map((name) => `"${name}"`);
  return names.length > 12 ? `${shown.join(", ")}, … (${names.length} in all)` : shown.join(", ");
}

function kindWords(kind: string): string {
  if (kind === "text") return "texts";
  if (kind === "mixed") return "numbers in some rows and text in others";
  return kind === "bool+missing" ? "true/false with gaps" : "numbers";
}

function idInRow({ row, id }: { row: number; id: string }): string {
  return `${quoted(id)} in row ${row}`;
}

function quoted(id: string): string {
  return `"${id.length > 60 ? `${id.slice(0, 60)}…` : id}"`;
}

function examples(shown: string[], count: number): string {
  return ` (${shown.join(", ")}${count > shown.length ? ", …" : ""})`;
}
