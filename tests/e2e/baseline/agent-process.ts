import { type ChildProcess, spawn } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { temporaryFolder } from "../temporary-folder.ts";

const AGENT = path.resolve("dist/agents/baseline/agent.mjs");

export interface AgentOptions {
  readonly competition?: string;
  /** The public folder. */
  readonly data: string;
  /** The time limit, which the plan is made from. */
  readonly seconds: number;
  /** Until the deadline; where it is later than the limit says, a busy machine does not cut the plan. */
  readonly untilDeadline?: number;
  readonly memoryBytes?: number;
}

/** The agent's environment as the contract describes it, in folders of its own. */
export function agentPlace(options: AgentOptions) {
  const { competition = "own", data, seconds, untilDeadline = seconds, memoryBytes } = options;
  const folder = temporaryFolder();
  const inside = (name: string) => {
    fs.mkdirSync(path.join(folder, name), { recursive: true });
    return path.join(folder, name);
  };
  const variables: Record<string, string> = {
    COMPETITION_ID: competition,
    DATA_DIR: data,
    SUBMISSION_DIR: inside("submission"),
    LOGS_DIR: inside("logs"),
    CODE_DIR: inside("code"),
    AGENT_DIR: path.dirname(AGENT),
    MLEBENCH_SEED: "3",
    TIME_LIMIT_SECS: String(seconds),
    MLEBENCH_DEADLINE_EPOCH: String(Date.now() / 1000 + untilDeadline),
    MLEBENCH_VALIDATE_URL: "http://127.0.0.1:1/validate",
    ...(memoryBytes === undefined ? {} : { MEMORY_LIMIT_BYTES: String(memoryBytes) }),
  };
  const read = (name: string): Record<string, unknown> =>
    JSON.parse(fs.readFileSync(path.join(folder, name), "utf8"));
  return {
    variables,
    submission: path.join(folder, "submission/submission.csv"),
    metrics: () => read("submission/metrics.json"),
    solution: () => read("code/solution.json"),
  };
}

export interface AgentEnd {
  readonly code: number | null;
  readonly stderr: string;
  readonly seconds: number;
  /** The largest that the process ever was; it starts no others. */
  readonly peakBytes: number;
}

const LOOK_EVERY = 20;

/** Runs the agent to its end, and watches how large it gets: the kernel keeps the peak until the process is gone. */
export function runAgent(variables: Record<string, string>): Promise<AgentEnd> {
  const start = Date.now();
  const agent = startAgent(variables);
  let stderr = "";
  let peakBytes = 0;
  agent.stderr?.on("data", (piece) => {
    stderr += piece;
  });
  const look = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakOf(agent.pid ?? 0));
  }, LOOK_EVERY);
  return new Promise((resolve) => {
    agent.once("exit", (code) => {
      clearInterval(look);
      resolve({ code, stderr, seconds: (Date.now() - start) / 1000, peakBytes });
    });
  });
}

function startAgent(variables: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [AGENT], { env: variables, stdio: ["ignore", "ignore", "pipe"] });
}

/** Kills the agent so many milliseconds after its fallback, which is its first action, stands there. */
export async function killAgent(place: ReturnType<typeof agentPlace>, milliseconds: number): Promise<void> {
  const agent = startAgent(place.variables);
  const ended = new Promise<void>((resolve) => agent.once("exit", () => resolve()));
  while (!fs.existsSync(place.submission) && agent.exitCode === null)
    await new Promise((resolve) => setTimeout(resolve, 5));
  await new Promise((resolve) => setTimeout(resolve, milliseconds));
  agent.kill("SIGKILL");
  await ended;
}

function peakOf(pid: number): number {
  try {
    const peak = /^VmHWM:\s+(\d+) kB/m.exec(fs.readFileSync(`/proc/${pid}/status`, "utf8"));
    return Number(peak?.[1] ?? 0) * 1024;
  } catch {
    return 0;
  }
}
