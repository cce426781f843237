import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { gpuSlots } from "../../sandbox/gpus/devices.ts";
import { deviceVariables, withGpuTools } from "../../sandbox/gpus/inside.ts";
import type { SandboxKind } from "../../sandbox/kind.ts";

export const VALIDATION_PORT = 5000;

/** Where programs are looked for inside a sandbox that isolates. */
export const SYSTEM_PATH = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

export interface EnvironmentFacts {
  competitionId: string;
  seed: number;
  timeSeconds: number;
  deadlineEpoch: number;
  /** Undefined where the trial has no limit. */
  memoryBytes: number | undefined;
  hardware: string;
  kind: SandboxKind;
  image: string | null;
  network: "none" | "allow-list" | "open";
  gpus: readonly string[];
}

/** Every variable an agent gets. Its own come last: they may replace ours, as in the original. */
export function agentEnvironment(
  agent: AgentDefinition,
  facts: EnvironmentFacts,
  models: Record<string, string> = {},
): Record<string, string> {
  const { steps } = agent.limits;
  // An image knows best where its programs are; without isolation the agent uses the user's own.
  const isolated = facts.kind !== "process";
  const searchPath = withGpuTools(isolated ? SYSTEM_PATH : (process.env.PATH ?? SYSTEM_PATH), facts.gpus);
  // Without isolation nothing but this keeps a trial from another one's device.
  const devices = facts.gpus.length > 0 || gpuSlots().length > 0 ? deviceVariables(facts.gpus, isolated) : {};
  return {
    ...(facts.image === null ? { PATH: searchPath, HOME: "/home/agent", LANG: "C.UTF-8" } : {}),
    COMPETITION_ID: facts.competitionId,
    DATA_DIR: "/home/data",
    SUBMISSION_DIR: "/home/submission",
    LOGS_DIR: "/home/logs",
    CODE_DIR: "/home/code",
    AGENT_DIR: "/home/agent",
    TIME_LIMIT_SECS: String(Math.floor(facts.timeSeconds)),
    ...(steps === undefined ? {} : { STEP_LIMIT: String(steps) }),
    ...(facts.memoryBytes === undefined ? {} : { MEMORY_LIMIT_BYTES: String(facts.memoryBytes) }),
    HARDWARE: facts.hardware,
    MLEBENCH_SEED: String(facts.seed),
    MLEBENCH_NETWORK: facts.network,
    MLEBENCH_DEADLINE_EPOCH: String(facts.deadlineEpoch),
    MLEBENCH_VALIDATE_URL: `http://127.0.0.1:${VALIDATION_PORT}/validate`,
    ...devices,
    ...models,
    ...agent.env,
  };
}
