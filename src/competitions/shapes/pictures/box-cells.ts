import { type BoxTextError, isBoxTextError } from "../../../metrics/pictures/box-text.ts";
import { type Column, isMissing } from "../../../table/columns/column.ts";
import { textAt } from "../../../table/columns/text-store.ts";
import type { Problem, Problems } from "../../problems.ts";
import { requireTexts } from "../cells/texts.ts";

/** How a cell lists boxes or points: the words of one group, for messages, and the reader of a whole cell. */
export interface BoxFormat<Box> {
  group: string;
  parse(text: string): Box[] | BoxTextError;
}

/** The boxes of each row of a column; a missing cell has none. Null when a cell cannot be read. */
export function readBoxes<Box>(column: Column, format: BoxFormat<Box>, problems: Problems): Box[][] | null {
  if (!requireTexts(column, problems)) return null;
  const before = problems.count;
  const boxes: Box[][] = [];
  for (let row = 0; row < column.length; row++) {
    const parsed = isMissing(column, row) ? [] : format.parse(textAt(column.texts!, row));
    if (isBoxTextError(parsed)) problems.add(badBoxes(column.name, row, parsed, format.group));
    else boxes.push(parsed);
  }
  return problems.count === before ? boxes : null;
}

function badBoxes(column: string, row: number, error: BoxTextError, group: string): Problem {
  return {
    code: "BAD_FORMAT",
    column,
    row: row + 1,
    message: `Row ${row + 1} of "${column}" must repeat "${group}", but ${boxFault(error)}.`,
  };
}

function boxFault({ error, token }: BoxTextError): string {
  const shown = token.length > 40 ? `${token.slice(0, 40)}…` : token;
  switch (error) {
    case "token-count":
      return `it has ${shown} pieces, which is not a whole number of groups (a blank too many makes an empty piece)`;
    case "not-a-number":
      return `"${shown}" stands where a number belongs`;
    case "class-not-finite":
      return `the class "${shown}" is not a finite number`;
    case "infinite-yaw":
      return `the yaw "${shown}" is infinite`;
  }
}
