import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { folderDigest } from "../../files/folder-digest.ts";
import { systemRefusal } from "../../files/system-error.ts";
import { readContract } from "../kit/contract.ts";
import { type ModelPlace, modelClient, modelPlace } from "../kit/model-client.ts";
import { resultLine } from "../kit/result-line.ts";
import { fileDigest } from "./execution/attempt.ts";
import { writeAideJournals } from "./outputs/aide-journal.ts";
import { type Finished, toldMetric } from "./outputs/report.ts";
import { searchTree, type TreeRun } from "./run.ts";
import { parseSettings } from "./settings/parse.ts";

const parsed = parseSettings(process.argv.slice(2));
if (!parsed.ok) {
  console.error(parsed.message);
  process.exit(2);
}
const { settings } = parsed;
const stepLimit = Number(process.env.STEP_LIMIT);
if (stepLimit >= 1) settings["agent.steps"] = Math.min(settings["agent.steps"], stepLimit);
if (parsed.ignored.length > 0) console.log(`not needed here: ${parsed.ignored.join(", ")}`);
const contract = readContract();
const code = placeOf(settings["agent.code.model"]);
const feedback = placeOf(settings["agent.feedback.model"]);
if (code === null || feedback === null) {
  console.error(
    `This agent needs a model: start it with mlebench run --agent ${settings.preset} --model <name>.`,
  );
  process.exit(2);
}
// The harness asks first: what AIDE's own tools read stands there, too, where the time ended before the search.
process.once("SIGTERM", async () => {
  await writeAideJournals(contract.logs);
  process.exit(143);
});
const [temperature, topP] = [settings["agent.code.temp"], settings["agent.code.top_p"]];
const done = await searched({
  contract,
  settings,
  askCode: modelClient(code, { temperature, ...(topP === 1 ? {} : { topP }) }),
  askFeedback: modelClient(feedback, { temperature: settings["agent.feedback.temp"], mustUseTool: true }),
  models: { code: code.model, feedback: feedback.model },
  baselineProgram: besideUs("baseline-worker.mjs"),
  hardware: process.env.HARDWARE ?? "",
  log: (line) => {
    console.log(line);
    try {
      fs.appendFileSync(path.join(contract.logs, "full_log.txt"), `${line}\n`);
    } catch {
      // The harness has what was printed.
    }
  },
});
console.log(`ended: ${done.end.why}${"message" in done.end ? ` (${done.end.message})` : ""}`);
const submission = path.join(contract.submission, "submission.csv");
const memory = Math.max(0, ...done.tree.nodes.map(({ memory: bytes }) => bytes ?? 0));
console.log(
  resultLine(
    contract,
    {
      runtimeSeconds: done.elapsedSeconds,
      codeSha256: digestOf(contract.code),
      submissionSha256: fs.existsSync(submission) ? fileDigest(submission) : null,
      dataSha256: await folderDigest(contract.data).catch(() => null),
    },
    {
      artifacts: [path.join(contract.logs, "journal.jsonl")],
      replay: [process.execPath, process.argv[1], ...process.argv.slice(2)],
      measured: toldMetric(done),
      childMemoryMb: Math.round(memory / 2 ** 20),
    },
  ),
);
// Without one answer nothing was worked on; with a budget that has ended, what stands there counts.
const worked = done.tree.nodes.some(({ modelCalls }) => modelCalls.length > 0);
if (!worked && (done.end.why === "unreachable" || done.end.why === "refused")) process.exitCode = 1;

/** Where the machine refuses, a sentence says so, and what stands submitted is what there is. */
async function searched(run: TreeRun): Promise<Finished> {
  try {
    return await searchTree(run);
  } catch (error) {
    const refusal = systemRefusal(error);
    if (refusal === null) throw error;
    console.error(`${refusal.message} To go on: ${refusal.nextStep}.`);
    process.exit(1);
  }
}

/** A role of the run's models; any other name, such as the original's, stands for the run's default model. */
function placeOf(role: string): ModelPlace | null {
  return modelPlace(process.env, /^[\w-]+$/.test(role) ? role.replaceAll("-", "_") : undefined);
}

function besideUs(name: string): string | null {
  const file = fileURLToPath(new URL(name, import.meta.url));
  return fs.existsSync(file) ? file : null;
}

function digestOf(folder: string): string {
  const names = fs.existsSync(folder) ? fs.readdirSync(folder).sort() : [];
  const best = names.find((name) => name.startsWith("best_solution."));
  return best === undefined
    ? createHash("sha256").update("").digest("hex")
    : fileDigest(path.join(folder, best));
}
