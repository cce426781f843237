import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";

/** Where this machine lets us make cgroups: one folder per v1 controller, or the one folder of v2. */
export type CgroupLayout =
  | {
      version: "cgroup v1";
      folders: Record<"memory" | "pids" | "cpu" | "cpuacct", string>;
      /** Stops all members at once; null where the kernel or the machine has none for us. */
      freezer: string | null;
      /** Every hierarchy there is: a container engine makes our group in all of them. */
      hierarchies: readonly string[];
    }
  | {
      version: "cgroup v2";
      /** Where the hierarchy is mounted, and the group in it that is ours to divide. */
      mount: string;
      folder: string;
      /** A user's session may have been given memory and processes, but not the processor. */
      limitsCpu: boolean;
    };

const V1_CONTROLLERS = ["memory", "pids", "cpu", "cpuacct"] as const;
const V2_CONTROLLERS = ["memory", "pids", "cpu"] as const;
const V2_REQUIRED = ["memory", "pids"] as const;
/** The leaf that takes our own processes when the group above has to be without any. */
const OWN_LEAF = "mlebench-harness";

/**
 * Finds cgroups we may write to, or null. On a hybrid machine the v1 controllers win: its v2 mount usually has none.
 * On v2 a delegated cgroup is used by first moving its processes (ours) into a leaf, because a cgroup that gives
 * controllers to its children may hold no process itself.
 */
export function findCgroupLayout(
  mounts = readText("/proc/self/mounts"),
  own = readText("/proc/self/cgroup"),
): CgroupLayout | null {
  const lines = mounts.split("\n").map((line) => line.split(" "));
  const folders: Partial<Record<string, string>> = {};
  for (const [, folder, type, options = ""] of lines) {
    if (type !== "cgroup") continue;
    for (const controller of V1_CONTROLLERS) {
      if (options.split(",").includes(controller)) folders[controller] = folder;
    }
  }
  const { memory, pids, cpu, cpuacct } = folders;
  if (memory && pids && cpu && cpuacct) {
    const found = { memory, pids, cpu, cpuacct };
    const hierarchies = lines.filter(([, , type]) => type?.startsWith("cgroup")).map(([, folder]) => folder);
    const freezer = lines.find(
      ([, , type, options = ""]) => type === "cgroup" && options.split(",").includes("freezer"),
    )?.[1];
    const usable = freezer !== undefined && isWritable(freezer) ? freezer : null;
    return Object.values(found).every(isWritable)
      ? { version: "cgroup v1", folders: found, freezer: usable, hierarchies }
      : null;
  }
  const unified = lines.find(([, , type]) => type === "cgroup2")?.[1];
  if (unified === undefined) return null;
  const ownFolder = /^0::(.*)$/m.exec(own)?.[1] ?? "/";
  // Once we have moved into the leaf, the group that is ours is still the one above.
  const group = path.basename(ownFolder) === OWN_LEAF ? path.dirname(ownFolder) : ownFolder;
  for (const folder of new Set([unified, path.join(unified, group)])) {
    const controllers = isWritable(folder) ? offeredControllers(folder) : [];
    if (controllers.length > 0 && enableControllers(folder, controllers))
      return { version: "cgroup v2", mount: unified, folder, limitsCpu: controllers.includes("cpu") };
  }
  return null;
}

/** None when what matters most is not among them. */
function offeredControllers(folder: string): string[] {
  const offered = readText(path.join(folder, "cgroup.controllers")).split(/\s+/);
  const useful = V2_CONTROLLERS.filter((name) => offered.includes(name));
  return V2_REQUIRED.every((name) => offered.includes(name)) ? useful : [];
}

function enableControllers(folder: string, controllers: readonly string[]): boolean {
  const control = path.join(folder, "cgroup.subtree_control");
  const enable = () => write(control, controllers.map((name) => `+${name}`).join(" "));
  const enabled = readText(control).split(/\s+/);
  if (controllers.every((name) => enabled.includes(name)) || enable()) return true;
  const leaf = path.join(folder, OWN_LEAF);
  try {
    makeFolder(leaf);
  } catch {
    return false;
  }
  const members = () => readText(path.join(folder, "cgroup.procs")).split("\n").filter(Boolean);
  // A process may be gone by the time it is moved, and another one born.
  for (let round = 0; round < 10 && members().length > 0; round++)
    for (const pid of members()) write(path.join(leaf, "cgroup.procs"), pid);
  return enable();
}

function isWritable(folder: string): boolean {
  try {
    fs.accessSync(folder, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** The kernel answers a write it does not like with an error; that is an outcome here, not a bug. */
export function write(file: string, text: string): boolean {
  try {
    fs.writeFileSync(file, text);
    return true;
  } catch {
    return false;
  }
}

/** Empty where the file is gone: processes and cgroups vanish while they are looked at. */
export function readText(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
