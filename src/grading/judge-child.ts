import { rememberedAnswers } from "./answers.ts";
import { compileFor, compileInPlace } from "./compile-in-place.ts";
import { checkSubmission, gradeSubmission } from "./grade-submission.ts";
import type { Judged, JudgeRequest } from "./judge.ts";

compileInPlace();

let readAnswers = false;
const answers = rememberedAnswers(() => {
  readAnswers = true;
});

// Started by judge.ts: one file after the other, until the parent goes or lets go.
process.on("message", async ({ kind, options, bytes }: JudgeRequest) => {
  compileFor(bytes);
  readAnswers = false;
  const outcome =
    kind === "grade" ? await gradeSubmission(options, answers) : await checkSubmission(options, answers);
  process.send?.({ outcome, readAnswers } satisfies Judged);
});
process.on("disconnect", () => process.exit());
// Ctrl-C in a terminal reaches every process; when to stop is the parent's decision.
process.on("SIGINT", () => {});
