import type { ChildProcess } from "node:child_process";
import os from "node:os";
import type { CappedOutput } from "./limits/capped-output.ts";
import type { CgroupReadings } from "./limits/cgroup.ts";
import { bytesOnDisk } from "./limits/disk-use.ts";
import type { FreezeAlarm } from "./limits/freeze-alarm.ts";
import { bytesWrittenBy, type ProcessRow } from "./process/process-table.ts";
import type { EnforcedPolicy, RunningSandbox, SandboxExit, Usage } from "./sandbox.ts";

const TICK_MILLISECONDS = 100;
/** Asking a system about thousands of processes takes a while, which other trials' clocks must not wait for. */
const REST_PER_LOOK = 10;

/** What a kind of sandbox knows about the tree it has started. */
export interface Tree {
  /** Its end is the end of the command. */
  child: ChildProcess;
  cgroup: CgroupReadings | null;
  /** The processes of the agent, without our own helpers; called often. */
  members(): number[];
  /** The same with what they use, for limits that no cgroup enforces. */
  rows(): ProcessRow[];
  signal(name: NodeJS.Signals): void;
  freeze(): Promise<void>;
  freezeAt(moment: number): FreezeAlarm;
  thaw(): Promise<void>;
  /** Ends every process; must also work when the child is already gone. */
  killAll(): Promise<void>;
  /** Removes what is left on the host, and settles when it is gone. */
  cleanUp(): Promise<void>;
  outputs: readonly CappedOutput[];
  limits: EnforcedPolicy["limits"];
  /** Host folders the agent can write to. */
  writableFolders: readonly string[];
  /** Whether an enforced disk limit has been used up. */
  diskIsFull?(): boolean;
}

/** Watches a started tree: measures it, polls what the kernel does not enforce, and settles when all of it is gone. */
export function supervise(tree: Tree): RunningSandbox {
  const { child, cgroup, limits } = tree;
  const usage: Usage = { peakMemoryBytes: 0, cpuSeconds: 0, bytesWritten: 0 };
  let overrun: SandboxExit | null = null;
  let nextDiskCheck = 0;
  let nextSample = 0;
  let ended = false;
  let killedByUs = false;

  const stopFor = (exit: SandboxExit) => {
    if (overrun !== null || ended) return;
    overrun = exit;
    killAll(tree).catch(() => {});
  };
  const sample = () => {
    if (cgroup !== null) {
      raise(usage, { peakMemoryBytes: cgroup.peakMemoryBytes(), cpuSeconds: cgroup.cpuSeconds() });
      // One killed process of several would let the rest go on with half a result.
      if (cgroup.outOfMemoryKills() > 0) stopFor({ kind: "out-of-memory" });
    }
    if (
      cgroup === null ||
      limits.memoryBytes.enforcement === "polled" ||
      limits.processes.enforcement === "polled"
    ) {
      const rows = tree.rows();
      const memory = rows.reduce((sum, row) => sum + row.residentBytes, 0);
      raise(usage, {
        peakMemoryBytes: memory,
        cpuSeconds: rows.reduce((sum, row) => sum + row.cpuSeconds, 0),
      });
      if (exceeds(limits.memoryBytes, memory)) stopFor({ kind: "out-of-memory" });
      if (exceeds(limits.processes, rows.length)) stopFor({ kind: "too-many-processes" });
    }
    raise(usage, { bytesWritten: bytesWrittenBy(tree.members()) });
  };
  /** The host may be out of descriptors for a moment: the next look is soon. */
  const trySample = () => {
    const before = performance.now();
    try {
      sample();
    } catch {
      // Nothing was learned this time.
    }
    const now = performance.now();
    nextSample = now + REST_PER_LOOK * (now - before);
  };
  const sampleIfDue = () => {
    if (performance.now() >= nextSample) trySample();
  };
  const diskBytes = () => bytesOnDisk(tree.writableFolders, tree.members());
  const checkDisk = async () => {
    const before = performance.now();
    nextDiskCheck = Number.POSITIVE_INFINITY;
    if (exceeds(limits.diskBytes, await diskBytes())) stopFor({ kind: "disk-full" });
    // Walking a million files takes seconds: spend at most a tenth of the time on it.
    nextDiskCheck = performance.now() + Math.max(250, 10 * (performance.now() - before));
  };
  const timer = setInterval(() => {
    sampleIfDue();
    if (limits.diskBytes.enforcement === "polled" && performance.now() >= nextDiskCheck)
      checkDisk().catch(() => {
        nextDiskCheck = 0;
      });
  }, TICK_MILLISECONDS);

  const finished = new Promise<SandboxExit>((resolve, reject) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      if (ended) return;
      trySample();
      ended = true;
      clearInterval(timer);
      const exit = overrun ?? explainExit(tree, code, signal, killedByUs);
      settle(tree).then(() => resolve(exit), reject);
    };
    child.once("exit", end);
    // Not even the launcher could be started, which is what shells report as 127.
    child.once("error", () => end(127, null));
  });
  return {
    wait: () => finished,
    signal: (name) => {
      if (ended) return;
      killedByUs ||= name === "SIGKILL";
      tree.signal(name);
    },
    freeze: async () => {
      if (!ended) await tree.freeze();
    },
    freezeAt: (moment) => tree.freezeAt(moment),
    thaw: async () => {
      if (!ended) await tree.thaw();
    },
    usage: () => {
      if (!ended) sampleIfDue();
      return { ...usage };
    },
    memoryBytes: () => {
      if (ended) return null;
      try {
        return cgroup === null
          ? tree.rows().reduce((sum, row) => sum + row.residentBytes, 0)
          : cgroup.memoryBytes();
      } catch {
        return null;
      }
    },
    diskBytes,
    kill: async () => {
      killedByUs = true;
      if (!ended) {
        trySample();
        await killAll(tree);
      }
      await finished;
    },
  };
}

/** The frozen die when they are thawed, and the last thing they see is the signal. */
async function killAll(tree: Tree): Promise<void> {
  const killed = tree.killAll();
  await tree.thaw();
  await killed;
}

async function settle(tree: Tree): Promise<void> {
  await killAll(tree);
  // With everybody dead the pipes are at their end; the seconds are for what even SIGKILL has not reached yet.
  await Promise.all(tree.outputs.map((output) => output.finish(5)));
  await tree.cleanUp();
}

function explainExit(
  tree: Tree,
  code: number | null,
  signal: NodeJS.Signals | null,
  killedByUs: boolean,
): SandboxExit {
  const exit = statusOf(code, signal);
  const { cgroup } = tree;
  // Where the kernel's log may not be read, a kill that was not ours and a limit that was hit have to do.
  const killed = exit.kind === "signalled" && exit.signal === "SIGKILL" && !killedByUs;
  if (cgroup !== null && (cgroup.killedForMemory() || (killed && cgroup.memoryLimitHit())))
    return { kind: "out-of-memory" };
  if (!(exit.kind === "exited" && exit.code === 0) && tree.diskIsFull?.()) return { kind: "disk-full" };
  return exit;
}

/** Sandboxes and shells report a signal as 128 + n. */
function statusOf(code: number | null, signal: NodeJS.Signals | null): SandboxExit {
  if (signal !== null) return { kind: "signalled", signal };
  const named = Object.entries(os.constants.signals).find(([, number]) => number === (code ?? 0) - 128);
  if (named !== undefined) return { kind: "signalled", signal: named[0] as NodeJS.Signals };
  return { kind: "exited", code: code ?? 1 };
}

function exceeds(limit: { value: number | null; enforcement: string }, used: number): boolean {
  return limit.enforcement === "polled" && limit.value !== null && used > limit.value;
}

function raise(usage: Usage, seen: Partial<Usage>): void {
  for (const [name, value] of Object.entries(seen) as [keyof Usage, number][]) {
    usage[name] = Math.max(usage[name], value);
  }
}
