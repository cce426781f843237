import fs from "node:fs";
import { Worker } from "node:worker_threads";
import { checkSubmission, type FormatCheck, type GradeOptions } from "../../grading/grade-submission.ts";

/** Above this size a check takes long enough to hold up the deadline of every trial of this process. */
const WORTH_A_THREAD = 2 ** 20;

declare const __COMPETITIONS_FOLDER__: string | undefined;

/** Checks a submission's format without keeping the harness from its other duties. */
export async function checkFormat(options: GradeOptions): Promise<FormatCheck> {
  const size = fs.statSync(options.submissionPath, { throwIfNoEntry: false })?.size ?? 0;
  // From source there is no file that a thread could run.
  if (size < WORTH_A_THREAD || typeof __COMPETITIONS_FOLDER__ === "undefined")
    return checkSubmission(options);
  const worker = new Worker(new URL("../trials/surroundings/check-worker.js", import.meta.url), {
    workerData: options,
  });
  try {
    return await new Promise<FormatCheck>((resolve, reject) => {
      worker.once("message", resolve);
      worker.once("error", reject);
      worker.once("exit", () => reject(new Error("the checking thread ended without a result")));
    });
  } finally {
    await worker.terminate();
  }
}
