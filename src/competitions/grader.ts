import type { Table, TableOutcome } from "../table/table.ts";
import type { Problem, Problems } from "./problems.ts";

/** How the raw score becomes the reported one: five decimals by Python's or by numpy's rule, or as it is. */
export type Rounding = "python" | "numpy" | "none";

export interface Tables {
  submission: Table;
  answers: Table;
}

/** Which columns to read, by name or as a choice from the header; everything else is tokenised but not stored. */
export type ColumnChoice = readonly string[] | ((header: readonly string[]) => Iterable<string>);

/** The rows that were compared with each other, for resampling: pairs of row numbers of the two tables. */
export interface RowPairs {
  submission: Uint32Array;
  answers: Uint32Array;
  /** The columns that pair the rows; a resample gives them fresh, unique values. */
  idColumn: string;
}

/**
 * How one competition judges a submission, in two steps, so that a format check can be offered to an agent without
 * any answer's value in memory.
 *
 * `check` looks at the submission, and of the answers only at `keys` (ids, image sizes, group names); it reports
 * every problem it finds, and hands what it has worked out (alignment, parsed cells) to `score`. Null means that
 * there is at least one problem. `score` sees all of the answers; it returns the raw score, or the problem that
 * only the answers' values reveal.
 */
export interface GraderDefinition<Checked> {
  submission: ColumnChoice;
  /** Answers' columns that the check needs. */
  keys: ColumnChoice;
  /** Answers' columns that only the score needs. */
  values: ColumnChoice;
  rounding: Rounding;
  check(tables: Tables, problems: Problems): Checked | null;
  score(checked: Checked, tables: Tables): number | Problem;
  /** Present when rows are independent, so that a bootstrap over them makes sense. */
  pairs?(checked: Checked, tables: Tables): RowPairs;
  /** For answers that are not a CSV file. */
  readAnswers?(path: string, part: "keys" | "all"): TableOutcome;
}

/** What `defineGrader` makes of a definition: the same, with the type of the checked state forgotten. */
export type Grader = GraderDefinition<unknown>;

export function defineGrader<Checked>(definition: GraderDefinition<Checked>): Grader {
  return definition as Grader;
}
