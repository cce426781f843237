import { parentPort, workerData } from "node:worker_threads";
import { checkSubmission, type GradeOptions } from "../../grading/grade-submission.ts";

parentPort?.postMessage(await checkSubmission(workerData as GradeOptions));
