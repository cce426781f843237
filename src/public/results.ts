export type { Aggregate } from "../analysis/aggregate/aggregate.ts";
export type { Comparison } from "../analysis/compare/compare.ts";
export type { Results } from "../analysis/results.ts";
export { type ReportFormat, type ReportOutcome, type ReportRequest, report } from "../reporters/report.ts";
export {
  type AggregateOutcome,
  type AggregateRequest,
  aggregateReports,
} from "../workflows/results/aggregate.ts";
export { type CompareOutcome, type CompareRequest, compareReports } from "../workflows/results/compare.ts";
