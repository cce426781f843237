import { z } from "zod";
import type { Blame } from "../wording/problem.ts";
import { SandboxKind } from "./kind.ts";
import type { FreezeAlarm } from "./limits/freeze-alarm.ts";

/** A wish (`required: false`) is met as well as the machine can; a requirement that cannot be met refuses the start. */
export interface Limit {
  value: number;
  required: boolean;
}

export interface SandboxLimits {
  memoryBytes?: Limit;
  /** May be a fraction: 1.5 is one and a half processors' worth of time. */
  cpus?: Limit;
  processes?: Limit;
  /** What all writable places of the sandbox may hold together. */
  diskBytes?: Limit;
}

export interface Mount {
  host: string;
  inside: string;
  mode: "read-only" | "read-write";
}

/**
 * `allow-list` means no network at all, except the harness's proxy behind `proxySocket`: it is forwarded to
 * 127.0.0.1:`PROXY_PORT`, and the usual proxy variables point there.
 */
export type NetworkRequest =
  | { mode: "none" }
  | { mode: "open" }
  | { mode: "allow-list"; proxySocket: string };

/** A unix socket of the host that is reached as 127.0.0.1:`port` inside. */
export interface Forward {
  port: number;
  socket: string;
}

export interface SandboxRequest {
  command: readonly string[];
  /**
   * All of the agent's environment; nothing of the harness's own is added (`process` adds its marker). Plain names
   * only. It travels by file or descriptor: no shell of the host is started with it, and no `ps` shows it.
   */
  env: Readonly<Record<string, string>>;
  /** Files that only the agent can read, for values that must not stand on a command line. */
  secretFiles?: readonly { inside: string; content: string }[];
  /** As seen inside. */
  workingFolder: string;
  mounts: readonly Mount[];
  /** Host folders that count towards the disk limit although the agent writes there only through us. */
  countedFolders?: readonly string[];
  network: NetworkRequest;
  forwards: readonly Forward[];
  limits: SandboxLimits;
  /** Indexes of the devices, such as "0". */
  gpus: readonly string[];
  /** docker and podman: the image to run. */
  image?: string;
  /** bubblewrap: a root file system instead of the host's read-only system. */
  rootFolder?: string;
  /** docker and podman: agents of the original write all over /home of their image. */
  writableRoot?: boolean;
  /** User 0 inside, still without any capability; the default is user 1000. */
  asRoot?: boolean;
  /** Host files, created here. What exceeds `outputBytes` is dropped, and a last line says how much. */
  stdout: string;
  stderr: string;
  /** Never written to them: `***` stands there instead. */
  secrets?: readonly string[];
  /** The most either file may hold; 64 MiB unless told. */
  outputBytes?: number;
  /**
   * Unique on this machine (letters, digits, `.`, `_`, `-`; at most 100): names the cgroup, the container and the
   * scratch folder, so that another process can destroy what a killed harness left behind.
   */
  identity: string;
}

/** The port at which an allow-list sandbox finds the harness's proxy. */
export const PROXY_PORT = 3128;

/**
 * How the command ended. `signalled` also stands for a command whose shell reported 128 + n. `out-of-memory`,
 * `disk-full` and `too-many-processes` win over the status that followed from them; the last one only occurs where
 * the process limit is polled, since an enforced one makes `fork` fail instead.
 */
export type SandboxExit =
  | { kind: "exited"; code: number }
  | { kind: "signalled"; signal: NodeJS.Signals }
  | { kind: "out-of-memory" }
  | { kind: "disk-full" }
  | { kind: "too-many-processes" };

/**
 * Over the whole tree, dead processes included. Memory counts the page cache where a cgroup measures it (the kernel's
 * own high-water mark), resident pages where it is polled. Bytes written are sampled: the last fraction of a second
 * of a process may be missing.
 */
export interface Usage {
  peakMemoryBytes: number;
  cpuSeconds: number;
  bytesWritten: number;
}

export interface RunningSandbox {
  /** Settles once the command has ended, no process of the tree is left and the output files are complete. */
  wait(): Promise<SandboxExit>;
  /** To every process of the tree. */
  signal(name: NodeJS.Signals): void;
  /** Stops the whole tree where it stands, as well as the machine can, and settles when it does. */
  freeze(): Promise<void>;
  /**
   * Stops it at that moment of `performance.now()`, although this thread may be busy then, where the kernel can; `freeze`
   * still has to be called, and says when everybody stands.
   */
  freezeAt(moment: number): FreezeAlarm;
  /** Lets it go on; signals that were sent meanwhile come first. */
  thaw(): Promise<void>;
  usage(): Usage;
  /** What its processes hold at this moment, by the same measure; null where nothing tells. */
  memoryBytes(): number | null;
  /** What its writable places hold now, with deleted files that are still open. */
  diskBytes(): Promise<number>;
  /** Ends everything at once and settles when `wait` does. Safe to call at any time, also twice. */
  kill(): Promise<void>;
}

const LimitPolicy = z.object({
  /** Null: no limit was asked for. */
  value: z.number().nullable(),
  enforcement: z.enum(["enforced", "polled", "not enforced"]),
  /** By what, such as "cgroup v1" or "the harness, over the process tree". */
  by: z.string(),
});

/** What the sandbox really did, as opposed to what was asked for. Goes into the certificate. */
export const EnforcedPolicy = z.object({
  kind: SandboxKind,
  /** True: the agent has one of its own and cannot see the host's. */
  isolation: z.object({
    user: z.boolean(),
    files: z.boolean(),
    processes: z.boolean(),
    ipc: z.boolean(),
    hostname: z.boolean(),
    network: z.boolean(),
  }),
  /** Where the agent's system files come from. */
  system: z.object({
    source: z.enum(["host, read-only", "folder, read-only", "image, read-only", "image, writable", "host"]),
    name: z.string().nullable(),
  }),
  mounts: z.array(
    z.object({ host: z.string(), inside: z.string(), mode: z.enum(["read-only", "read-write"]) }),
  ),
  network: z.object({
    mode: z.enum(["none", "allow-list", "open", "not restricted"]),
    forwardedPorts: z.array(z.number()),
  }),
  user: z.object({
    inside: z.number(),
    outside: z.number(),
    capabilities: z.enum(["none", "the harness's"]),
    mayGainPrivileges: z.boolean(),
  }),
  /** Which calls to the kernel are refused, and where none is, why; absent in records from before there was a filter. */
  systemCalls: z.object({ filtered: z.boolean(), by: z.string() }).optional(),
  limits: z.object({
    memoryBytes: LimitPolicy,
    cpus: LimitPolicy,
    processes: LimitPolicy,
    diskBytes: LimitPolicy,
  }),
  gpus: z.array(z.string()),
});
export type EnforcedPolicy = z.infer<typeof EnforcedPolicy>;
export type LimitPolicy = z.infer<typeof LimitPolicy>;
export type LimitName = keyof SandboxLimits;

/** Why nothing was started. `user`: the request is wrong; `host`: this host cannot do it; `harness`: our bug. */
export interface Refusal {
  status: "refused";
  code: "SANDBOX_MISSING" | "LIMIT_NOT_ENFORCEABLE" | "BAD_REQUEST" | "START_FAILED";
  message: string;
  /** What would make it possible, usually a command. */
  nextStep: string;
  blame: Extract<Blame, "user" | "host" | "harness">;
  retryable: boolean;
}

export type StartOutcome = { status: "started"; running: RunningSandbox; policy: EnforcedPolicy } | Refusal;

/** What a kind of sandbox can do on this machine, known before anything is started. */
export interface Capabilities {
  kind: SandboxKind;
  available: boolean;
  /** Says what is missing and how to get it; null when available. */
  problem: { message: string; nextStep: string } | null;
  /** False: the agent sees the host's files and network, and mounts are only translated paths. */
  isolated: boolean;
  version: string | null;
  limits: Record<LimitName, LimitPolicy["enforcement"]>;
  networks: readonly NetworkRequest["mode"][];
}

/**
 * One way of running a command with restrictions. No method throws for anything the host or the agent does.
 * `start` refuses: SANDBOX_MISSING (its program is not there or does not work), LIMIT_NOT_ENFORCEABLE (a required
 * limit), BAD_REQUEST (identity in use, missing mount source, no image), START_FAILED (the program's own message).
 * `destroyLeftovers` ends and removes whatever an earlier process started under this identity; nothing there is fine.
 */
export interface Sandbox {
  kind: SandboxKind;
  probe(): Promise<Capabilities>;
  start(request: SandboxRequest): Promise<StartOutcome>;
  destroyLeftovers(identity: string): Promise<void>;
}
