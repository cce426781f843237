import fs from "node:fs";
import path from "node:path";

/** What every agent is told through its environment; the built-in ones read it here. */
export interface AgentContract {
  competitionId: string;
  data: string;
  submission: string;
  logs: string;
  code: string;
  agent: string;
  /** Where `instructions.txt` and `DEADLINE.txt` lie. */
  home: string;
  seed: number;
  deadlineEpoch: number;
  timeLimitSeconds: number;
  /** NaN where the trial has no limit. */
  memoryLimitBytes: number;
  network: string;
  validateUrl: string;
}

/** Paths come from the environment, never as a literal /home: without isolation they are elsewhere. */
export function readContract(environment: NodeJS.ProcessEnv = process.env): AgentContract {
  const text = (name: string, usual: string) => environment[name] ?? usual;
  const agent = text("AGENT_DIR", "/home/agent");
  return {
    competitionId: text("COMPETITION_ID", ""),
    data: text("DATA_DIR", "/home/data"),
    submission: text("SUBMISSION_DIR", "/home/submission"),
    logs: text("LOGS_DIR", "/home/logs"),
    code: text("CODE_DIR", "/home/code"),
    agent,
    home: path.dirname(agent),
    seed: Number(text("MLEBENCH_SEED", "0")),
    deadlineEpoch: Number(text("MLEBENCH_DEADLINE_EPOCH", "NaN")),
    timeLimitSeconds: Number(text("TIME_LIMIT_SECS", "NaN")),
    memoryLimitBytes: Number(text("MEMORY_LIMIT_BYTES", "NaN")),
    network: text("MLEBENCH_NETWORK", ""),
    validateUrl: text("MLEBENCH_VALIDATE_URL", "http://127.0.0.1:5000/validate"),
  };
}

/** A file of the agent's surroundings, for a prompt; "" where there is none. */
export function readText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}

/** The names in a folder, for a prompt; none where the agent has removed it. */
export function listed(folder: string): string[] {
  try {
    return fs.readdirSync(folder).sort();
  } catch {
    return [];
  }
}
