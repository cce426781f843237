export {
  type Competition,
  type Direction,
  defineCompetition,
  type Erratum,
} from "../competitions/competition.ts";
export {
  defineGrader,
  type Grader,
  type GraderDefinition,
  type RowPairs,
  type Tables,
} from "../competitions/grader.ts";
export type { Problem, ProblemCode, Problems } from "../competitions/problems.ts";
export { binaryAuc } from "../competitions/shapes/binary-auc.ts";
export {
  requireColumns,
  requireExactColumns,
  requireRowCount,
  requireSameIds,
} from "../competitions/shapes/checks.ts";
export { gather } from "../competitions/shapes/gather.ts";
export { multiclassLogLoss } from "../competitions/shapes/multiclass-log-loss.ts";
export {
  finiteNumbers,
  requireFinite,
  requireNoneMissing,
  requireNumeric,
  requireRange,
} from "../competitions/shapes/numbers.ts";
export { pairsOf } from "../competitions/shapes/pairs.ts";
export { isRoughlyOne } from "../competitions/shapes/row-sums.ts";
export { undefinedScore } from "../competitions/shapes/undefined-score.ts";
export { type Column, cellText, isMissing, isNumeric } from "../table/column.ts";
export type { Table } from "../table/table.ts";
