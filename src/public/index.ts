export { catalogue as competitions, loadCompetition } from "../competitions/catalogue.ts";
export { resolveSplit } from "../competitions/splits.ts";
export { dataFolder } from "../data/place/data-folder.ts";
export { type BriefGrade, briefGrade } from "../grading/brief-grade.ts";
export { type GradeManyOptions, gradeMany } from "../grading/grade-many.ts";
export type { Grade, Reason } from "../grading/grade-schema.ts";
export {
  checkSubmission,
  type FormatCheck,
  type GradeOptions,
  gradeSubmission,
} from "../grading/grade-submission.ts";
export { gradingReport } from "../grading/report.ts";
export type { CompetitionReport, GradingReport } from "../grading/report-schema.ts";
