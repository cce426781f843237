import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { type AgentSummary, type AgentTurn, SUMMARY_FILE, TURNS_FILE } from "../kit/agent-summary.ts";
import { budgetLeft, budgetWords } from "../kit/budget.ts";
import { readContract } from "../kit/contract.ts";
import { type AskModel, type ModelAnswer, modelClient, modelPlace } from "../kit/model-client.ts";
import { readToolArguments } from "./arguments.ts";
import { codeactTools } from "./codeact.ts";
import { mlabTools } from "./mlab.ts";
import { work } from "./work.ts";

const given = readToolArguments(process.argv.slice(2));
if (given.ignored.length > 0)
  console.log(`decided by the run, not by arguments: ${given.ignored.join(", ")}`);
if (given.unknown.length > 0) console.log(`arguments that mean nothing here: ${given.unknown.join(" ")}`);
const trial = readContract();
const own = given.maxSeconds === null ? Number.NaN : Date.now() / 1000 + given.maxSeconds;
const contract = Number.isFinite(own)
  ? {
      ...trial,
      deadlineEpoch: Math.min(own, Number.isFinite(trial.deadlineEpoch) ? trial.deadlineEpoch : own),
    }
  : trial;
const place = modelPlace(process.env);
if (place === null) {
  console.error(
    `This agent needs a model: start it with mlebench run --agent tools/${given.scaffold} --model <name>.`,
  );
  process.exit(2);
}
const counts = { turns: 0, toolCalls: 0, failedCommands: 0, ownTokens: { input: 0, output: 0 } };
const told = { input: 0, output: 0 };
let answeredAt = Date.now();
const ask = modelClient(place);
const hasPython = spawnSync("python3", ["--version"]).status === 0;
const end = await work(contract, counted, {
  maxSteps: given.maxSteps,
  commandSeconds: given.commandSeconds,
  maxIdle: given.maxIdle,
  tools: given.scaffold === "mlab" ? mlabTools() : codeactTools(hasPython),
  hasPython,
  hardware: process.env.HARDWARE ?? "",
  budget: async () => budgetWords(await budgetLeft(place)),
  onTurn,
});
note(() => fs.writeFileSync(path.join(contract.logs, "end.json"), `${JSON.stringify(end)}\n`));
console.log(`ended after ${end.steps} steps: ${end.why}${"message" in end ? ` (${end.message})` : ""}`);
// Without an answer nothing was worked on; with a budget that has ended, what stands there counts.
if (end.why === "unreachable" || (end.why === "refused" && end.steps === 0)) process.exitCode = 1;

/** Every question counts, those for a summary or an edit too. */
async function counted(...question: Parameters<AskModel>): Promise<ModelAnswer> {
  const answer = await ask(...question);
  if (answer.status === "answered") {
    answeredAt = Date.now();
    counts.ownTokens.input += answer.inputTokens;
    counts.ownTokens.output += answer.outputTokens;
  }
  return answer;
}

/** A full disk, or logs that were removed, cost the note and not the work. */
function note(write: () => void): void {
  try {
    write();
  } catch {
    // As above.
  }
}

/** After every turn, so that a deadline loses nothing. */
function onTurn(tools: { name: string; exitCode: number | null }[]): void {
  counts.turns += 1;
  counts.toolCalls += tools.length;
  counts.failedCommands += tools.filter(({ exitCode }) => (exitCode ?? 0) !== 0).length;
  const { input, output } = counts.ownTokens;
  const turn: AgentTurn = {
    time: answeredAt,
    run: 0,
    turns: 1,
    tools,
    inputTokens: input - told.input,
    outputTokens: output - told.output,
  };
  Object.assign(told, { input, output });
  const summary: AgentSummary = {
    schema: "mlebench.coding-agent",
    version: 1,
    program: `tools/${given.scaffold}`,
    continuations: 0,
    ...counts,
  };
  note(() => fs.appendFileSync(path.join(contract.logs, TURNS_FILE), `${JSON.stringify(turn)}\n`));
  note(() =>
    fs.writeFileSync(path.join(contract.logs, SUMMARY_FILE), `${JSON.stringify(summary, null, 2)}\n`),
  );
}
