import type { Column } from "../../../table/columns/column.ts";
import type { Problems } from "../../problems.ts";
import { requireNumeric, requireRange } from "./numbers.ts";

/** A numeric column without gaps, every value between 0 and 1. Null: problems. */
export function probabilities(column: Column, problems: Problems): Float64Array | null {
  return requireNumeric(column, problems) && requireRange(column, 0, 1, problems) ? column.numbers : null;
}
