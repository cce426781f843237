import type { Competition } from "../../competitions/competition.ts";
import { type AnswerColumn, type Answers, isSize } from "./answers.ts";
import { groupKind } from "./checks/group-names.ts";
import { plainCell } from "./reading/plain-cell.ts";
import type { TableView } from "./reading/table-view.ts";

/**
 * The secret columns of the answers: the targets the facts name or, where the answers call them otherwise, every
 * column that no public test table has. Classes given one column each are also joined to one column of labels.
 */
export function answerTargets(
  competition: Competition,
  answers: Answers,
  tables: readonly TableView[],
): AnswerColumn[] {
  const named = competition.columns.target.flatMap((name) => answers.columns.get(name) ?? []);
  if (named.length > 0) return [...named, ...labelColumn(named)];
  const known = new Set(tables.filter(({ role }) => role === "test").flatMap(({ columns }) => columns));
  return [...answers.columns.values()].filter(
    ({ name }) => !known.has(name) && !isSize(name) && groupKind(name) === null,
  );
}

function labelColumn(columns: AnswerColumn[]): AnswerColumn[] {
  if (columns.length < 3) return [];
  const cells: string[] = [];
  for (let row = 0; row < columns[0].cells.length; row++) {
    const ones = columns.filter((column) => plainCell(column.cells[row]) === "1");
    if (ones.length !== 1) return [];
    cells.push(ones[0].name);
  }
  return [{ name: "(class)", cells }];
}
