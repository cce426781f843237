import fs from "node:fs";
import path from "node:path";
import { parentPort, workerData } from "node:worker_threads";
import { gradeSubmission } from "../../grading/grade-submission.ts";
import type { Field, Solution } from "./field.ts";
import type { Task, TaskResult, WorkerSetup } from "./run-fields.ts";

// One thread of the pool: solves what it is told and has it graded. It keeps the field it opened last.
const { dataDir, scratch, seed } = workerData as WorkerSetup;
let open: { competitionId: string; solutions: Solution[] } | null = null;

async function solutionsOf(competitionId: string): Promise<Solution[]> {
  if (open?.competitionId === competitionId) return open.solutions;
  const name = competitionId.replace("starter-", "");
  const { field } = (await import(new URL(`./${name}.mjs`, import.meta.url).href)) as { field: Field };
  const solutions = await field.open(path.join(dataDir, competitionId, "prepared/public"), seed);
  open = { competitionId, solutions };
  return solutions;
}

async function work(task: Task): Promise<TaskResult> {
  const solutions = await solutionsOf(task.competitionId);
  if (task.index === null) {
    return { kind: "listed", solutions: solutions.map(({ name, family }) => ({ name, family })) };
  }
  const started = performance.now();
  const text = await solutions[task.index].solve();
  const seconds = (performance.now() - started) / 1000;
  const submissionPath = path.join(scratch, `${task.competitionId}-${task.index}.csv`);
  fs.writeFileSync(submissionPath, text);
  const grade = await gradeSubmission({ competitionId: task.competitionId, submissionPath, dataDir });
  fs.rmSync(submissionPath);
  return grade.status === "scored" && Number.isFinite(grade.score)
    ? { kind: "scored", score: grade.score, seconds }
    : { kind: "refused", message: JSON.stringify(grade) };
}

parentPort?.on("message", async (task: Task) => {
  try {
    parentPort?.postMessage(await work(task));
  } catch (error) {
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    parentPort?.postMessage({ kind: "refused", message } satisfies TaskResult);
  }
});
