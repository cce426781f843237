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
export { definePreparer, type Preparation, type Preparer } from "../competitions/preparer.ts";
export type { OwnSplitRule } from "../competitions/preparing/splits/own-split.ts";
export {
  type OwnTable,
  type OwnTarget,
  splitOwnTable,
} from "../competitions/preparing/splits/split-own-table.ts";
export type { Problem, ProblemCode, Problems } from "../competitions/problems.ts";
export {
  finiteNumbers,
  requireFinite,
  requireNoneMissing,
  requireNumeric,
  requireRange,
} from "../competitions/shapes/cells/numbers.ts";
export { pairsOf } from "../competitions/shapes/cells/pairs.ts";
export {
  requireColumns,
  requireExactColumns,
  requireRowCount,
  requireSameIds,
} from "../competitions/shapes/checks.ts";
export { gather } from "../competitions/shapes/gather.ts";
export { labelAccuracy } from "../competitions/shapes/graders/accuracy.ts";
export { binaryAuc } from "../competitions/shapes/graders/binary-auc.ts";
export { binaryLogLoss } from "../competitions/shapes/graders/binary-log-loss.ts";
export { multiclassLogLoss } from "../competitions/shapes/graders/multiclass-log-loss.ts";
export { gradeKappa } from "../competitions/shapes/graders/quadratic-kappa.ts";
export { regression } from "../competitions/shapes/graders/regression.ts";
export { isRoughlyOne } from "../competitions/shapes/row-sums.ts";
export { undefinedScore } from "../competitions/shapes/undefined-score.ts";
export { type Column, cellText, isMissing, isNumeric } from "../table/columns/column.ts";
export type { Table } from "../table/table.ts";
