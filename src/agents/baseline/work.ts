import path from "node:path";
import { parentPort } from "node:worker_threads";
import type { AgentContract } from "../kit/contract.ts";
import { startClock } from "./clock.ts";
import { formatProblem } from "./format-check.ts";
import { inferTask } from "./infer-task.ts";
import { readPublicFiles, readSample } from "./reading/public-files.ts";
import { writeTask } from "./report.ts";
import { solve } from "./solve.ts";
import { submissionFile } from "./submission-file.ts";
import type { Journal, News } from "./workbench.ts";

/** Everything that takes time, in a thread that can be stopped. It tells its supervisor what stands submitted. */
export async function work(contract: AgentContract): Promise<void> {
  const clock = startClock(contract);
  const send = (news: News) => parentPort?.postMessage(news);
  const sample = await readSample(contract.data);
  if (sample === null) {
    send({ status: "nothing to do", message: "The data hold nothing that looks like a sample submission." });
    return;
  }
  const submit = submissionFile(contract, sample);
  const isPlaced = formatProblem(path.join(contract.submission, "submission.csv"), sample) === null;
  const fallback = isPlaced ? "placed" : (await submit(sample.columns.slice(1))).status;
  console.log(`fallback: the sample submission, ${fallback}`);
  const limits = { memoryBytes: contract.memoryLimitBytes, seconds: clock.plannedSeconds };
  const view = readPublicFiles(contract.data, sample, limits);
  const task = inferTask(view);
  writeTask(contract, task, view);
  console.log(`task: ${task.shape}; metric: ${view.metric.name ?? "not recognised"}`);
  const journal: Journal = { steps: [], settings: {}, measure: null, score: null, measuredOn: "nothing" };
  const tell = () => send({ status: "working", task, metric: view.metric, journal, cut: clock.wasCut() });
  tell();
  await solve(task, { view, seed: contract.seed, clock, submit, journal, tell });
  tell();
}
