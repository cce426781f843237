import { setTimeout as delay } from "node:timers/promises";
import { MARKER_VARIABLE } from "./host-environment.ts";
import {
  descendantsOf,
  type ProcessRow,
  readProcesses,
  sendSignal,
  startEnvironment,
} from "./process/process-table.ts";

/** Finds the processes of one sandbox among all of the machine's. */
export interface MarkedTree {
  rows(): ProcessRow[];
  signal(name: NodeJS.Signals): void;
  /** False when something would not die within the time. */
  killAll(): Promise<boolean>;
}

/**
 * A process belongs if it descends from one that does, was started in the sandbox's session, or carries the marker
 * in its environment: so one that left the session, or lost its parent, is still found. One that does both and also
 * clears its environment, all between two looks, is not; only a sandbox with namespaces or a cgroup can promise that.
 */
export function markedTree(identity: string, leader: number | null): MarkedTree {
  const known = new Map<number, string>();
  const judged = new Map<number, string>();
  const marker = `${MARKER_VARIABLE}=${identity}`;

  const belongs = (row: ProcessRow): boolean => {
    if (known.get(row.pid) === row.started) return true;
    if (leader !== null && (row.session === leader || row.group === leader)) return true;
    // A fork shows its parent's environment until it becomes another program: look again only at new processes.
    if (judged.get(row.pid) === row.started) return false;
    judged.set(row.pid, row.started);
    return startEnvironment(row.pid).split("\0").includes(marker);
  };
  const rows = (): ProcessRow[] => {
    const all = readProcesses().filter((row) => row.pid !== process.pid);
    const roots = all.filter(belongs).map((row) => row.pid);
    const found = descendantsOf(roots, all);
    known.clear();
    for (const row of found) known.set(row.pid, row.started);
    return found.filter((row) => !row.zombie);
  };
  const signal = (name: NodeJS.Signals): void => {
    for (const { pid } of rows()) sendSignal(pid, name);
  };
  const killAll = async (): Promise<boolean> => {
    for (let round = 0; round < 200; round++) {
      // Stopped first, so that nobody forks between being seen and being killed.
      signal("SIGSTOP");
      signal("SIGKILL");
      if (rows().length === 0) return true;
      await delay(Math.min(50, 2 ** round));
    }
    return false;
  };
  return { rows, signal, killAll };
}
