import fs from "node:fs";
import path from "node:path";
import { readContract } from "../contract.ts";
import { startClock } from "./clock.ts";
import { inferTask } from "./infer-task.ts";
import { readPublicFiles } from "./public-files.ts";
import { resultLine, writeReport, writeTask } from "./report.ts";
import { solve } from "./solve.ts";
import { submissionFile } from "./submission-file.ts";
import type { Journal } from "./workbench.ts";

const contract = readContract();
const clock = startClock(contract);
const view = await readPublicFiles(contract.data);
if (view === null) {
  console.error("The data hold nothing that looks like a sample submission.");
  process.exit(1);
}
const submit = submissionFile(contract, view.sample);
const fallback = await submit(view.sample.columns.slice(1));
console.log(`fallback: the sample submission, ${fallback.status}`);
const task = inferTask(view);
writeTask(contract, task, view);
console.log(`task: ${task.shape}; metric: ${view.metric.name ?? "not recognised"}`);
const journal: Journal = { steps: [], settings: {}, score: null, measuredOn: "nothing" };
try {
  await solve(task, { view, seed: contract.seed, clock, submit, journal });
} catch (error) {
  // What stands submitted stays; a harness that looks at the exit code still learns that something broke.
  console.error(error);
  process.exitCode = 1;
}
for (const { name, score, note } of journal.steps)
  console.log(`${score?.toPrecision(5) ?? "-"}  ${name}: ${note}`);
writeReport(contract, task, view, journal, clock);
fs.copyFileSync(process.argv[1], path.join(contract.code, "agent.mjs"));
console.log(resultLine(contract, view, journal, clock));
