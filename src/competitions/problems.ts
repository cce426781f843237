/**
 * One thing that is wrong with a submission, in words its author can act on. `row` counts data rows from 1 (the
 * line below the header is row 1).
 */
export interface Problem {
  code: ProblemCode;
  message: string;
  row?: number;
  column?: string;
}

export type ProblemCode =
  | "NOT_A_TABLE"
  | "MISSING_COLUMN"
  | "UNEXPECTED_COLUMN"
  | "WRONG_COLUMN_ORDER"
  | "WRONG_ROW_COUNT"
  | "NO_ROWS"
  | "WRONG_IDS"
  | "MISSING_VALUE"
  | "NOT_A_NUMBER"
  | "NOT_FINITE"
  | "OUT_OF_RANGE"
  | "WRONG_SUM"
  | "WRONG_KIND"
  | "BAD_FORMAT"
  /** The metric is not defined for this submission against these answers. */
  | "UNDEFINED_SCORE";

/** Collects problems up to a limit, and counts the rest: a hostile file has a million of them. */
export interface Problems {
  readonly list: Problem[];
  readonly count: number;
  add(problem: Problem): void;
}

const LIMIT = 20;

export function collectProblems(limit = LIMIT): Problems {
  const list: Problem[] = [];
  let count = 0;
  return {
    list,
    get count() {
      return count;
    },
    add(problem) {
      count++;
      if (list.length < limit) list.push(problem);
    },
  };
}
