import { compileInPlace } from "./compile-in-place.ts";
import { checkSubmission, gradeSubmission } from "./grade-submission.ts";
import type { Judged, JudgeRequest } from "./judge.ts";

compileInPlace();

// Started by judge.ts: one file after the other, until the parent goes or lets go.
process.on("message", async ({ kind, options }: JudgeRequest) => {
  const judged: Judged = kind === "grade" ? await gradeSubmission(options) : await checkSubmission(options);
  process.send?.(judged);
});
process.on("disconnect", () => process.exit());
// Ctrl-C in a terminal reaches every process; when to stop is the parent's decision.
process.on("SIGINT", () => {});
