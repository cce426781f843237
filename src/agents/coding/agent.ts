import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";
import { makeFolder } from "../../files/make-folder.ts";
import { readContract } from "../kit/contract.ts";
import { modelPlace } from "../kit/model-client.ts";
import { submissionKeeper } from "../kit/submission-keeper.ts";
import type { Driver, DriverPlace } from "./driver.ts";
import { claudeCode } from "./drivers/claude-code.ts";
import { codex } from "./drivers/codex.ts";
import { geminiCli } from "./drivers/gemini-cli.ts";
import { opencode } from "./drivers/opencode.ts";
import { pi } from "./drivers/pi.ts";
import { CODING_PROGRAMS, type CodingProgramId, PROGRAM_INSIDE } from "./programs.ts";
import { firstPrompt, nextPrompt } from "./prompt.ts";
import { type ProgramRun, runProgram } from "./run-program.ts";
import { wantsMore } from "./until.ts";

const DRIVERS: Record<CodingProgramId, Driver> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  opencode,
  pi,
};

const { values } = parseArgs({
  args: process.argv.slice(2),
  options: {
    program: { type: "string", default: "claude-code" },
    until: { type: "string", default: process.env.MLEBENCH_UNTIL ?? "used:0.9" },
    max_continuations: { type: "string", default: "50" },
  },
});
const contract = readContract();
const program = values.program as CodingProgramId;
const model = modelPlace(process.env);
if (model === null || !(program in DRIVERS)) {
  console.error(`This agent needs a model: mlebench run --agent ${program} --model <name>.`);
  process.exit(2);
}

const driver = DRIVERS[program];
const home = path.join(contract.agent, "home");
makeFolder(home);
const place: DriverPlace = {
  home,
  folder: contract.code,
  url: model.url,
  token: model.token,
  model: model.model,
};
for (const [name, content] of Object.entries(driver.files(place))) {
  const file = path.join(home, name);
  makeFolder(path.dirname(file));
  fs.writeFileSync(file, content);
}
const folder = process.env.MLEBENCH_PROGRAM_DIR ?? PROGRAM_INSIDE;
const entry = CODING_PROGRAMS[program].entries.find(({ path: name }) =>
  fs.existsSync(path.join(folder, "node_modules", name)),
);
if (!entry) {
  console.error(`${program} is not in ${folder}. Install it: mlebench agents install ${program}`);
  process.exit(2);
}
const file = path.join(folder, "node_modules", entry.path);
const starter = entry.node ? [process.execPath, file] : [file];
const env = {
  ...process.env,
  // One of them believes this variable rather than its own working folder.
  PWD: contract.code,
  HOME: home,
  ...driver.env(place),
  PATH: `${process.env.PATH}:${path.dirname(process.execPath)}`,
};
const keeper = submissionKeeper(contract.submission, contract.validateUrl, contract.logs);
const start = Date.now() / 1000;
const runs: ProgramRun[] = [];
const prompts: string[] = [];
for (;;) {
  const continuation = runs.length;
  const resume = continuation > 0 && driver.resumes;
  const prompt =
    continuation === 0
      ? firstPrompt(contract, process.env.HARDWARE ?? "")
      : nextPrompt(contract, { resumes: resume, continuation });
  prompts.push(createHash("sha256").update(prompt).digest("hex"));
  const command = [...starter, ...driver.arguments(place, prompt, resume)];
  const run = await runProgram({
    command,
    cwd: contract.code,
    env,
    transcript: path.join(contract.logs, `${program}.jsonl`),
    driver,
  });
  await keeper.look();
  runs.push(run);
  console.log(
    `${program} ended with ${run.status ?? run.signal} after ${run.seconds.toFixed(1)} s, ${run.facts.turns} turns, ${run.facts.toolCalls} tool calls${run.error === null ? "" : `: ${run.error.slice(0, 300)}`}`,
  );
  writeSummary();
  if (
    !wantsMore({
      until: values.until,
      start,
      deadline: contract.deadlineEpoch,
      runs,
      maxContinuations: Number(values.max_continuations),
    })
  )
    break;
}
process.exitCode = runs.every(({ status }) => status !== 0) ? 1 : 0;

/** After every run, so that a deadline in the middle of the next one loses nothing. */
function writeSummary(): void {
  const sum = (name: keyof ProgramRun["facts"]) => runs.reduce((total, { facts }) => total + facts[name], 0);
  const summary = {
    schema: "mlebench.coding-agent",
    version: 1,
    program,
    commandLine: [...starter, ...driver.arguments({ ...place, token: "***" }, "<prompt>", false)],
    promptDigests: prompts,
    continuations: runs.length - 1,
    turns: sum("turns"),
    toolCalls: sum("toolCalls"),
    failedCommands: sum("failedCommands"),
    ownTokens: { input: sum("inputTokens"), output: sum("outputTokens") },
    runs: runs.map(({ status, signal, seconds, error }) => ({ status, signal, seconds, error })),
  };
  fs.writeFileSync(path.join(contract.logs, "coding-agent.json"), `${JSON.stringify(summary, null, 2)}\n`);
}
