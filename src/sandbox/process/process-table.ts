import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { readText } from "../limits/cgroup-layout.ts";

export interface ProcessRow {
  pid: number;
  parent: number;
  group: number;
  session: number;
  /** Tells a process from a later one that got the same id. */
  started: string;
  residentBytes: number;
  /** Its own, and that of all children it has waited for. */
  cpuSeconds: number;
  zombie: boolean;
}

const TICKS_PER_SECOND = 100;
const PAGE_BYTES = 4096;

/** Every process of the machine. Linux tells through /proc; elsewhere `ps` does, with less detail. */
export function readProcesses(): ProcessRow[] {
  if (process.platform !== "linux") return readWithPs();
  const rows: ProcessRow[] = [];
  for (const name of fs.readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    const stat = readText(`/proc/${name}/stat`);
    // The command's name stands in parentheses and may itself contain any of them.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (stat === "" || fields.length < 22) continue;
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0);
    rows.push({
      pid: Number(name),
      zombie: fields[0] === "Z" || fields[0] === "X",
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      started: fields[19],
      residentBytes: Number(fields[21]) * PAGE_BYTES,
      cpuSeconds: ticks / TICKS_PER_SECOND,
    });
  }
  return rows;
}

function readWithPs(): ProcessRow[] {
  const text = execFileSync("ps", ["-A", "-o", "pid=,ppid=,pgid=,sess=,rss=,stat=,time="], {
    encoding: "utf8",
  });
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => {
      const [pid, parent, group, session, kilobytes, state, time] = line.trim().split(/\s+/);
      const seconds = time.split(/[:-]/).reduce((sum, part) => sum * 60 + Number(part), 0);
      return {
        pid: Number(pid),
        parent: Number(parent),
        group: Number(group),
        session: Number(session),
        started: "",
        residentBytes: Number(kilobytes) * 1024,
        cpuSeconds: seconds,
        zombie: state.startsWith("Z"),
      };
    });
}

/** Everything that descends from the given processes, themselves included. */
export function descendantsOf(roots: Iterable<number>, rows: readonly ProcessRow[]): ProcessRow[] {
  const children = new Map<number, ProcessRow[]>();
  for (const row of rows) children.set(row.parent, [...(children.get(row.parent) ?? []), row]);
  const found = new Map<number, ProcessRow>();
  const queue = [...new Set(roots)].flatMap((pid) => rows.filter((row) => row.pid === pid));
  for (let row = queue.pop(); row !== undefined; row = queue.pop()) {
    if (found.has(row.pid)) continue;
    found.set(row.pid, row);
    queue.push(...(children.get(row.pid) ?? []));
  }
  return [...found.values()];
}

/** The environment a process was started with; empty for one of another user. */
export function startEnvironment(pid: number): string {
  return readText(`/proc/${pid}/environ`);
}

/** Bytes these processes, and the children they have waited for, have sent towards storage. */
export function bytesWrittenBy(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const text = readText(`/proc/${pid}/io`);
    const field = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, "m").exec(text)?.[1] ?? 0);
    return sum + Math.max(0, field("write_bytes") - field("cancelled_write_bytes"));
  }, 0);
}

/** False when it has ended by itself, or belongs to somebody else. */
export function sendSignal(pid: number, name: NodeJS.Signals): boolean {
  try {
    // 0 and below would be our own group; the kernel shows 0 for a process outside our pid namespace.
    return pid > 0 && process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Settles when the process is no more, or after ten seconds: one that waits for a dead disk cannot be killed. */
export async function processGone(pid: number): Promise<void> {
  for (let waited = 0; waited < 10_000; waited += 5) {
    const stat = readText(`/proc/${pid}/stat`);
    if (stat === "" || / [ZX] /.test(stat.slice(stat.lastIndexOf(")") + 1, stat.lastIndexOf(")") + 4)))
      return;
    await delay(5);
  }
}
