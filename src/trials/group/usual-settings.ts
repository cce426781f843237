import type { AgentDefinition } from "../../agents/definition/agent.ts";
import type { GroupSettings } from "./schema.ts";

const TIME_SECONDS = 24 * 3600;
const GRACE_SECONDS = 30;
const MEMORY_BYTES = 440 * 2 ** 30;
const PROCESSES = 4096;
const DISK_BYTES = 200 * 2 ** 30;

export interface SettingsRequest {
  agent: AgentDefinition;
  agentFolders: string[];
  dataDir: string;
  workers: number;
  machine: { cpus: number; memoryBytes: number };
}

/** What a run group gets when nobody says otherwise: the agent's own wishes, else everybody's; nothing is required. */
export function usualSettings(
  request: SettingsRequest,
): Omit<GroupSettings, "sandbox" | "image" | "rootFolder"> {
  const { agent, workers, machine } = request;
  const { limits } = agent;
  const wish = (wished: number | undefined, usual: number, most = Infinity) => ({
    value: Math.min(wished ?? usual, most),
    required: false,
  });
  return {
    agentId: agent.id,
    agentFolders: request.agentFolders,
    dataDir: request.dataDir,
    competitionVersion: "v1",
    competitionsDir: null,
    workers,
    network: null,
    timeSeconds: limits.timeSeconds ?? TIME_SECONDS,
    timeSecondsOf: {},
    graceSeconds: GRACE_SECONDS,
    memoryBytes: wish(
      limits.memoryBytes,
      Math.floor(Math.min(MEMORY_BYTES, machine.memoryBytes / workers)),
      machine.memoryBytes,
    ),
    memoryBytesOf: {},
    cpus: wish(limits.cpus, machine.cpus / workers, machine.cpus),
    processes: wish(limits.processes, PROCESSES),
    diskBytes: wish(limits.diskBytes, DISK_BYTES),
    gpus: 0,
    materials: null,
    snapshotMinutes: 60,
    retain: false,
    signingKey: null,
  };
}
