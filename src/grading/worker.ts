import { parentPort } from "node:worker_threads";
import type { WorkerMessage } from "./grade-many.ts";
import { type GradeOptions, gradeSubmission } from "./grade-submission.ts";

parentPort?.on("message", async ({ index, options }: { index: number; options: GradeOptions }) => {
  const grade = await gradeSubmission(options);
  parentPort?.postMessage({ index, grade } satisfies WorkerMessage);
});
