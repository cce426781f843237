import fs from "node:fs";
import path from "node:path";
import { type CgroupReadings, readV1, readV2 } from "./cgroup.ts";
import { readText } from "./cgroup-layout.ts";

/** What a container's own cgroup tells. The engine made it and takes it away: the highest that was seen counts. */
export interface ObservedCgroup extends CgroupReadings {
  /** Begins to look at the group of this process. False when it has none of its own that can be read. */
  attach(pid: number): boolean;
  detach(): void;
}

/**
 * For engines that let nobody else choose the parent, such as those that leave cgroups to systemd. They enforce the
 * limits by themselves, but say nothing reliable about a memory kill; the kernel does, in the container's own group.
 */
export function observeCgroup(): ObservedCgroup {
  let readings: CgroupReadings | null = null;
  let watcher: fs.FSWatcher | null = null;
  const highest = { peakMemoryBytes: 0, cpuSeconds: 0, outOfMemoryKills: 0 };
  let limitHit = false;
  const read = <Name extends keyof typeof highest>(name: Name): number => {
    highest[name] = Math.max(highest[name], readings?.[name]() ?? 0);
    return highest[name];
  };
  const memoryLimitHit = () => {
    limitHit ||= readings?.memoryLimitHit() ?? false;
    return limitHit;
  };
  return {
    peakMemoryBytes: () => read("peakMemoryBytes"),
    memoryBytes: () => readings?.memoryBytes() ?? null,
    cpuSeconds: () => read("cpuSeconds"),
    outOfMemoryKills: () => {
      // Once its processes are gone, so is the group: a limit that was hit has to be known by then.
      memoryLimitHit();
      return read("outOfMemoryKills");
    },
    memoryLimitHit,
    killedForMemory: () => read("outOfMemoryKills") > 0,
    attach(pid) {
      const place = groupOf(pid);
      if (place === null) return false;
      readings = place.version === "cgroup v2" ? readV2(place.folder) : readV1(place.folders, place.name);
      if (place.version === "cgroup v2") watcher = watchKills(place.folder, () => read("outOfMemoryKills"));
      return true;
    },
    detach: () => watcher?.close(),
  };
}

/** The kernel announces a kill at once, and a container may be gone before the next look. */
function watchKills(folder: string, onChange: () => void): fs.FSWatcher | null {
  try {
    const watcher = fs.watch(path.join(folder, "memory.events"), { persistent: false }, onChange);
    return watcher.on("error", () => watcher.close());
  } catch {
    return null;
  }
}

type Place =
  | { version: "cgroup v2"; folder: string }
  | { version: "cgroup v1"; folders: { memory: string; cpuacct: string }; name: string };

/** Null for a process in our own group: what is measured there is the harness. */
function groupOf(pid: number): Place | null {
  const mounts = readText("/proc/self/mounts")
    .split("\n")
    .map((line) => line.split(" "));
  const nameIn = (controller: string, process: number | "self") =>
    readText(`/proc/${process}/cgroup`)
      .split("\n")
      .map((line) => /^\d+:([^:]*):(.*)$/.exec(line))
      .find((match) => match?.[1].split(",").includes(controller))?.[2];
  const folderOf = (type: string, controller: string): string | null => {
    const mount = mounts.find(
      ([, , kind, options = ""]) =>
        kind === type && (controller === "" || options.split(",").includes(controller)),
    );
    const name = nameIn(controller, pid);
    if (mount === undefined || name === undefined || name === nameIn(controller, "self")) return null;
    return path.join(mount[1], name);
  };
  const memory = folderOf("cgroup", "memory");
  const cpuacct = folderOf("cgroup", "cpuacct");
  if (memory !== null && cpuacct !== null)
    return { version: "cgroup v1", folders: { memory, cpuacct }, name: nameIn("memory", pid) ?? "" };
  const folder = folderOf("cgroup2", "");
  return folder !== null && fs.existsSync(path.join(folder, "memory.events"))
    ? { version: "cgroup v2", folder }
    : null;
}
