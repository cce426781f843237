import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { sendSignal } from "../process/process-table.ts";
import type { LimitName, SandboxLimits } from "../sandbox.ts";
import { type CgroupLayout, readText, write } from "./cgroup-layout.ts";
import { type FreezeAlarm, NO_ALARM, setFreezeAlarm } from "./freeze-alarm.ts";
import { reportsMemoryKill } from "./kernel-log.ts";

/** What the kernel tells about a group of processes. */
export interface CgroupReadings {
  peakMemoryBytes(): number;
  /** At this moment; null where there is nothing to read, as after its end. */
  memoryBytes(): number | null;
  cpuSeconds(): number;
  /** How many processes the kernel has killed for memory. */
  outOfMemoryKills(): number;
  /** Whether an allocation has ever hit the limit; page cache alone can do that, so it proves nothing by itself. */
  memoryLimitHit(): boolean;
  /** For the end: also finds a kill in a group below ours that no longer exists. */
  killedForMemory(): boolean;
}

/** A group of processes the kernel limits and measures as one. */
export interface Cgroup extends CgroupReadings {
  version: CgroupLayout["version"];
  /** The limits the kernel has accepted. */
  enforced: ReadonlySet<LimitName>;
  /** A process that writes its id into each of these before it becomes the sandbox leaves no window. */
  joinFiles: readonly string[];
  /** Its name from the root of the hierarchy, as the container engines' `--cgroup-parent` takes it. */
  path: string;
  pids(): number[];
  /** Stops every member, and whoever it gives birth to, where it stands. False when the kernel could not. */
  freeze(): Promise<boolean>;
  /** Stops them at that moment of `performance.now()`, whatever this thread does then; `freeze` says when all stand. */
  freezeAt(moment: number): FreezeAlarm;
  /** What was signalled meanwhile acts on it now. */
  thaw(): void;
  /** Kills every member and removes the group; false when something would not die within the time. */
  destroy(): Promise<boolean>;
}

const PERIOD_MICROSECONDS = 100_000;

/** Makes the group with its limits, or null when the kernel refuses or the name is taken. */
export function createCgroup(layout: CgroupLayout, identity: string, limits: SandboxLimits): Cgroup | null {
  const folders = foldersOf(layout, identity);
  const freezer = freezerOf(layout, identity);
  const all = [...new Set([...Object.values(folders), ...(freezer === null ? [] : [freezer.folder])])];
  const made: string[] = [];
  for (const folder of all) {
    try {
      fs.mkdirSync(folder);
      made.push(folder);
    } catch {
      for (const earlier of made) removeGroup(earlier);
      return null;
    }
  }
  const enforced = new Set<LimitName>();
  const set = (name: LimitName, value: (limit: number) => boolean) => {
    const limit = limits[name];
    if (limit !== undefined && value(limit.value)) enforced.add(name);
  };
  const { memory, pids, cpu } = folders;
  if (layout.version === "cgroup v1") {
    set("memoryBytes", (bytes) => {
      const done = write(path.join(memory, "memory.limit_in_bytes"), `${bytes}`);
      // Missing where the kernel was started without swap accounting; then there is usually no swap either.
      write(path.join(memory, "memory.memsw.limit_in_bytes"), `${bytes}`);
      return done;
    });
    set("cpus", (count) => {
      const quota = Math.max(1000, Math.round(count * PERIOD_MICROSECONDS));
      return (
        write(path.join(cpu, "cpu.cfs_period_us"), `${PERIOD_MICROSECONDS}`) &&
        write(path.join(cpu, "cpu.cfs_quota_us"), `${quota}`)
      );
    });
  } else {
    write(path.join(memory, "memory.oom.group"), "1");
    set("memoryBytes", (bytes) => {
      write(path.join(memory, "memory.swap.max"), "0");
      return write(path.join(memory, "memory.max"), `${bytes}`);
    });
    set("cpus", (count) => {
      const quota = Math.max(1000, Math.round(count * PERIOD_MICROSECONDS));
      return write(path.join(cpu, "cpu.max"), `${quota} ${PERIOD_MICROSECONDS}`);
    });
  }
  set("processes", (count) => write(path.join(pids, "pids.max"), `${count}`));
  return {
    version: layout.version,
    enforced,
    joinFiles: all.map((folder) => path.join(folder, "cgroup.procs")),
    path: pathOf(layout, identity),
    pids: () => membersOf(memory),
    ...(layout.version === "cgroup v1" ? readV1(folders, pathOf(layout, identity)) : readV2(memory)),
    freeze: async () => freezer !== null && (await freezeGroup(freezer)),
    freezeAt: (moment) =>
      freezer === null ? NO_ALARM : setFreezeAlarm(moment, freezer.control, freezer.freeze),
    thaw: () => thawCgroup(layout, identity),
    destroy: () => destroyCgroup(layout, identity),
  };
}

/** Also for what a killed harness left frozen: the frozen do not die before that. */
export function thawCgroup(layout: CgroupLayout, identity: string): void {
  const freezer = freezerOf(layout, identity);
  if (freezer !== null) write(freezer.control, freezer.thaw);
}

interface Freezer {
  folder: string;
  control: string;
  freeze: string;
  thaw: string;
  isFrozen(): boolean;
}

function freezerOf(layout: CgroupLayout, identity: string): Freezer | null {
  const root = layout.version === "cgroup v1" ? layout.freezer : layout.folder;
  if (root === null) return null;
  const folder = path.join(root, cgroupName(identity));
  if (layout.version === "cgroup v1") {
    const control = path.join(folder, "freezer.state");
    const isFrozen = () => readText(control).trim() === "FROZEN";
    return { folder, control, freeze: "FROZEN", thaw: "THAWED", isFrozen };
  }
  const isFrozen = () => /^frozen 1$/m.test(readText(path.join(folder, "cgroup.events")));
  return { folder, control: path.join(folder, "cgroup.freeze"), freeze: "1", thaw: "0", isFrozen };
}

/** A member that waits for a disk keeps the others waiting; whoever runs meanwhile is stopped at its next step. */
async function freezeGroup({ control, freeze, isFrozen }: Freezer): Promise<boolean> {
  for (let waited = 0; waited < 2000; waited += 2) {
    if (!write(control, freeze)) return false;
    if (isFrozen()) return true;
    await delay(2);
  }
  return false;
}

/** Also for what a killed harness left under this name. True when there is nothing, or nothing any more. */
export async function destroyCgroup(layout: CgroupLayout, identity: string): Promise<boolean> {
  const folders = foldersOf(layout, identity);
  const others = layout.version === "cgroup v1" ? layout.hierarchies : [];
  const all = [...Object.values(folders), ...others.map((folder) => path.join(folder, cgroupName(identity)))];
  return destroyFolders(folders, [...new Set(all)], () => thawCgroup(layout, identity));
}

type Folders = Record<"memory" | "pids" | "cpu" | "cpuacct", string>;

function cgroupName(identity: string): string {
  return `mlebench-${identity}`;
}

function pathOf(layout: CgroupLayout, identity: string): string {
  const below = layout.version === "cgroup v2" ? path.relative(layout.mount, layout.folder) : "";
  return path.join("/", below, cgroupName(identity));
}

function foldersOf(layout: CgroupLayout, identity: string): Folders {
  const at = (folder: string) => path.join(folder, cgroupName(identity));
  if (layout.version === "cgroup v1") {
    const { memory, pids, cpu, cpuacct } = layout.folders;
    return { memory: at(memory), pids: at(pids), cpu: at(cpu), cpuacct: at(cpuacct) };
  }
  const only = at(layout.folder);
  return { memory: only, pids: only, cpu: only, cpuacct: only };
}

/** `name`: the group as the kernel calls it, from the root of its hierarchy. */
export function readV1(
  { memory, cpuacct }: Pick<Folders, "memory" | "cpuacct">,
  name: string,
): CgroupReadings {
  const created = Number(process.hrtime.bigint() / 1000n);
  const kills = (folder: string) =>
    Number(/^oom_kill (\d+)/m.exec(readText(path.join(folder, "memory.oom_control")))?.[1] ?? 0);
  // v1 counts a kill only in the victim's own group, which for a container is one below ours.
  const outOfMemoryKills = () => groupsBelow(memory).reduce((sum, folder) => sum + kills(folder), 0);
  const amount = (file: string) => Number(readText(path.join(memory, file)));
  // Newer kernels do not count every failure where a group below caused it; having been full tells as much.
  const memoryLimitHit = () =>
    amount("memory.failcnt") > 0 ||
    amount("memory.max_usage_in_bytes") >= (amount("memory.limit_in_bytes") || Infinity);
  return {
    peakMemoryBytes: () => Number(readText(path.join(memory, "memory.max_usage_in_bytes"))),
    memoryBytes: () => numberIn(path.join(memory, "memory.usage_in_bytes")),
    cpuSeconds: () => Number(readText(path.join(cpuacct, "cpuacct.usage"))) / 1e9,
    outOfMemoryKills,
    memoryLimitHit,
    killedForMemory: () => outOfMemoryKills() > 0 || (memoryLimitHit() && reportsMemoryKill(name, created)),
  };
}

function numberIn(file: string): number | null {
  const text = readText(file);
  return text === "" ? null : Number(text);
}

export function readV2(folder: string): CgroupReadings {
  const events = (name: string) =>
    Number(new RegExp(`^${name} (\\d+)`, "m").exec(readText(path.join(folder, "memory.events")))?.[1] ?? 0);
  let highest = 0;
  return {
    // memory.peak came with Linux 5.19; before it the watcher's samples have to do.
    peakMemoryBytes: () => {
      const text =
        readText(path.join(folder, "memory.peak")) || readText(path.join(folder, "memory.current"));
      highest = Math.max(highest, Number(text));
      return highest;
    },
    memoryBytes: () => numberIn(path.join(folder, "memory.current")),
    cpuSeconds: () =>
      Number(/^usage_usec (\d+)/m.exec(readText(path.join(folder, "cpu.stat")))?.[1] ?? 0) / 1e6,
    outOfMemoryKills: () => events("oom_kill"),
    killedForMemory: () => events("oom_kill") > 0,
    memoryLimitHit: () => events("max") > 0,
  };
}

async function destroyFolders(folders: Folders, all: readonly string[], thaw: () => void): Promise<boolean> {
  for (let wait = 1, waited = 0; waited < 10_000; wait = Math.min(50, wait * 2), waited += wait) {
    // Without new forks one round of signals reaches everybody, fork bombs included.
    for (const folder of groupsBelow(folders.pids)) write(path.join(folder, "pids.max"), "0");
    write(path.join(folders.memory, "cgroup.kill"), "1");
    for (const pid of all.flatMap(membersOf)) sendSignal(pid, "SIGKILL");
    thaw();
    if (all.map((folder) => groupsBelow(folder).reverse().every(removeGroup)).every(Boolean)) return true;
    await delay(wait);
  }
  return false;
}

/** The group and all groups below it, parents first. */
function groupsBelow(folder: string): string[] {
  try {
    const children = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    return [folder, ...children.flatMap((entry) => groupsBelow(path.join(folder, entry.name)))];
  } catch {
    return [];
  }
}

function membersOf(folder: string): number[] {
  return groupsBelow(folder).flatMap((group) =>
    readText(path.join(group, "cgroup.procs")).split("\n").filter(Boolean).map(Number),
  );
}

function removeGroup(folder: string): boolean {
  try {
    fs.rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT";
  }
}
