import type { SandboxKind } from "../../sandbox/kind.ts";

/** What an agent asks for by itself; a run's own options win over it. */
interface AgentLimits {
  timeSeconds?: number;
  memoryBytes?: number;
  cpus?: number;
  processes?: number;
  diskBytes?: number;
  /** Only told to the agent (STEP_LIMIT); nobody else knows what a step is. */
  steps?: number;
}

/** `allow-list`: only these hosts, through the harness's logging proxy. */
export type AgentNetwork =
  | { mode: "none" }
  | { mode: "open" }
  | { mode: "allow-list"; hosts: readonly string[] };

/** How to start something that solves competitions. Everything here is resolved: no placeholders, no defaults to fill in. */
export interface AgentDefinition {
  /** May contain `/`, such as `aide/dev`. */
  id: string;
  /** Its folder's name. Run groups are called after it, as in the original, so variants share it. */
  name: string;
  /** Its code: each trial gets a writable copy at /home/agent. Null when everything it needs is in its image. */
  folder: string | null;
  /** As started inside the sandbox. */
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  /** Values in `command` and `env` that must never be written down; records show `***` instead. */
  secrets: readonly string[];
  /** Arguments that are secrets: `command` holds the path, the agent finds the value in this file. */
  secretFiles: readonly { inside: string; content: string }[];
  /** More of the host, read-only: a built-in needs the Node it runs on. */
  mounts: readonly { host: string; inside: string }[];
  limits: AgentLimits;
  network: AgentNetwork;
  /** The kind it was made for; null leaves the choice to the run. `process` is only a wish: a person has to ask for it. */
  sandbox: SandboxKind | null;
  /** docker and podman. */
  image: string | null;
  /** Agents of the original write all over /home of their image. */
  writableRoot: boolean;
  /** Models by the role they play, which a run's own options replace; absent where it names none. */
  models?: Readonly<Record<string, string>>;
  /** It can do nothing without a model; absent where it can, or where nobody said. */
  needsModel?: true;
  /** It asked for a privileged container, which no sandbox here gives. */
  asksForPrivileges: boolean;
}

/** `refused`: the definition is sound, but asks for something that nobody has agreed to. */
export type AgentOutcome =
  | {
      status: "found";
      agent: AgentDefinition;
      file: string;
      notes: readonly string[];
      /** What more is true in a sandbox that isolates: without one nothing is mounted. */
      mountNotes: readonly string[];
    }
  | { status: "unknown" | "broken" | "refused"; message: string; nextStep: string };
