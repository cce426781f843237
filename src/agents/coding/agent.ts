import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeFolder } from "../../files/make-folder.ts";
import { type AgentSummary, type AgentTurn, SUMMARY_FILE, TURNS_FILE } from "../kit/agent-summary.ts";
import { budgetLeft, budgetWords } from "../kit/budget.ts";
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
import { type ProgramFacts, type ProgramRun, runProgram } from "./run-program.ts";
import { nextStart } from "./until.ts";

const DRIVERS: Record<CodingProgramId, Driver> = {
  "claude-code": claudeCode,
  codex,
  "gemini-cli": geminiCli,
  opencode,
  pi,
};

/** Beyond it nobody reads its turns. */
const MAX_TURNS_BYTES = 32 * 1024 * 1024;

/** In its home: where this is gone, its conversations are too. */
const MARK = ".mlebench";

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
const before = { input: 0, output: 0 };
let turnsBytes = 0;
/** Of the run that goes on now; null between two. */
let current: ProgramFacts | null = null;
for (;;) {
  const continuation = runs.length;
  // A conversation that could not be taken up again, or was removed, is left: a new one starts with a summary.
  const resume = (runs.at(-1)?.facts.turns ?? 0) > 0 && fs.existsSync(path.join(home, MARK));
  configure();
  const left = budgetWords(await budgetLeft(model));
  const prompt =
    continuation === 0
      ? firstPrompt(contract, process.env.HARDWARE ?? "", left)
      : nextPrompt(contract, { resumes: resume, continuation, left });
  prompts.push(createHash("sha256").update(prompt).digest("hex"));
  const command = [...starter, ...driver.arguments(place, prompt, resume)];
  const run = await runProgram({
    command,
    cwd: contract.code,
    env,
    transcript: path.join(contract.logs, `${program}.jsonl`),
    onFacts: ({ failedCommands: _, ...said }, facts) => {
      noteTurn({ run: continuation, ...said });
      current = facts;
      if ((said.turns ?? 0) > 0) writeSummary();
    },
    driver,
    before,
  });
  current = null;
  runs.push(run);
  await keeper.look();
  console.log(
    `${program} ended with ${run.status ?? run.signal} after ${run.seconds.toFixed(1)} s, ${run.facts.turns} turns, ${run.facts.toolCalls} tool calls${run.error === null ? "" : `: ${run.error.slice(0, 300)}`}`,
  );
  writeSummary();
  const seconds = nextStart({
    until: values.until,
    start,
    deadline: contract.deadlineEpoch,
    runs,
    maxContinuations: Number(values.max_continuations),
    budgetUsed: (await budgetLeft(model))?.used ?? 0,
  });
  if (seconds === null) break;
  if (seconds > 0) console.log(`${program} did nothing; it is started again in ${seconds} s`);
  await sleep(seconds * 1000);
}
process.exitCode = runs.every(({ status }) => status !== 0) ? 1 : 0;

/** Before every run: it works as a user who may remove all of it. What cannot be written, it will say itself. */
function configure(): void {
  quietly(() => makeFolder(contract.code));
  for (const [name, content] of Object.entries({ ...driver.files(place), [MARK]: "" }))
    quietly(() => {
      const file = path.join(home, name);
      makeFolder(path.dirname(file));
      fs.writeFileSync(file, content);
    });
}

/** A full disk costs the file, not the work. */
function quietly(write: () => void): void {
  try {
    write();
  } catch {
    // As above.
  }
}

/** With its time, by which it is joined with the gateway's ledger. */
function noteTurn(turn: Omit<AgentTurn, "time">): void {
  const line = `${JSON.stringify({ time: Date.now(), ...turn })}\n`;
  turnsBytes += Buffer.byteLength(line);
  if (turnsBytes <= MAX_TURNS_BYTES)
    quietly(() => fs.appendFileSync(path.join(contract.logs, TURNS_FILE), line));
}

/** At every turn, so that a deadline in the middle of a run loses nothing. */
function writeSummary(): void {
  const all = [...runs.map(({ facts }) => facts), ...(current === null ? [] : [current])];
  const sum = (name: keyof ProgramFacts) => all.reduce((total, facts) => total + facts[name], 0);
  const summary: AgentSummary = {
    schema: "mlebench.coding-agent",
    version: 1,
    program,
    commandLine: [...starter, ...driver.arguments({ ...place, token: "***" }, "<prompt>", false)],
    promptDigests: prompts,
    until: values.until,
    continuations: all.length - 1,
    turns: sum("turns"),
    toolCalls: sum("toolCalls"),
    failedCommands: sum("failedCommands"),
    ownTokens: { input: sum("inputTokens"), output: sum("outputTokens") },
    runs: runs.map(({ status, signal, seconds, error }) => ({ status, signal, seconds, error })),
  };
  const text = `${JSON.stringify(summary, null, 2)}\n`;
  quietly(() => fs.writeFileSync(path.join(contract.logs, SUMMARY_FILE), text));
}
