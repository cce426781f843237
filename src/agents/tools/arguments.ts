/** What decides how our tool agents work. */
export interface ToolArguments {
  scaffold: "codeact" | "mlab";
  maxSteps: number;
  commandSeconds: number;
  /** Seconds from the start; null: the trial's deadline alone. */
  maxSeconds: number | null;
  /** Replies in a row without a usable call before the work ends. */
  maxIdle: number;
  /** Known to the original's scaffolds and decided elsewhere here: the gateway's models, the sandbox, the log folder. */
  ignored: string[];
  unknown: string[];
}

const USUAL: ToolArguments = {
  scaffold: "codeact",
  maxSteps: 200,
  commandSeconds: 1800,
  maxSeconds: null,
  maxIdle: 3,
  ignored: [],
  unknown: [],
};

/** `mlagentbench` and `opendevin` spell them in their own ways. */
const NUMBERS: Record<string, (value: number) => Partial<ToolArguments>> = {
  max_steps: (maxSteps) => ({ maxSteps }),
  agent_max_steps: (maxSteps) => ({ maxSteps }),
  max_iterations: (maxSteps) => ({ maxSteps }),
  command_seconds: (commandSeconds) => ({ commandSeconds }),
  max_time: (maxSeconds) => ({ maxSeconds }),
  max_time_in_hours: (hours) => ({ maxSeconds: hours * 3600 }),
  max_retries: (maxIdle) => ({ maxIdle }),
};

const DECIDED_ELSEWHERE = new Set([
  ...["llm_name", "fast_llm_name", "edit_script_llm_name", "edit_script_llm_max_tokens", "model"],
  ...["task", "log_dir", "work_dir", "device", "python", "interactive", "resume", "agent_type", "retrieval"],
  ...["max_steps_in_context", "max_observation_steps_in_context", "valid_format_entires"],
  ...["actions_remove_from_prompt", "actions_add_to_prompt", "langchain_agent", "run_cls"],
  ...["shm_size", "sandbox_timeout", "max_budget", "workspace"],
]);

const SCAFFOLDS: Record<string, ToolArguments["scaffold"]> = {
  codeact: "codeact",
  CodeActAgent: "codeact",
  mlab: "mlab",
  ResearchAgent: "mlab",
};

/**
 * Reads `--name value`, `--name=value` and `name=value`, with hyphens or underscores. Nothing is an error: an argument that
 * means nothing here is named in the log, and the work goes on.
 */
export function readToolArguments(given: readonly string[]): ToolArguments {
  let result: ToolArguments = { ...USUAL, ignored: [], unknown: [] };
  for (let i = 0; i < given.length; i++) {
    const match = /^(--?)?([A-Za-z][\w.-]*)(?:=(.*))?$/s.exec(given[i]);
    const name = match?.[2].replaceAll("-", "_") ?? "";
    const isOption = match !== null && (match[1] !== undefined || match[3] !== undefined);
    const next = given[i + 1];
    const follows = match?.[3] === undefined && next !== undefined && !next.startsWith("--");
    const value = match?.[3] ?? (follows ? next : "");
    if (isOption && follows) i++;
    const number = NUMBERS[name];
    const amount = Number(value);
    if (isOption && number !== undefined && value !== "" && Number.isFinite(amount) && amount > 0)
      result = { ...result, ...number(amount) };
    else if (isOption && (name === "scaffold" || name === "agent") && Object.hasOwn(SCAFFOLDS, value))
      result.scaffold = SCAFFOLDS[value];
    else if (isOption && DECIDED_ELSEWHERE.has(name)) result.ignored.push(name);
    else result.unknown.push((isOption ? `--${name}` : given[i]).slice(0, 100));
  }
  return result;
}
