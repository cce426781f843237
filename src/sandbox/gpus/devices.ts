import { execFileSync } from "node:child_process";
import fs from "node:fs";
import { findProgram } from "../find-program.ts";

/** One thing that can be given to one trial alone: a whole device, or a slice of one. */
export interface GpuSlot {
  /** What a share names: a device's number, or a slice's own identifier. */
  slot: string;
  /** The number in /dev/nvidia<n>, or in /dev/dri/renderD<128 + n>. */
  device: string;
  /** What CUDA calls it wherever it stands in a list; null where nobody tells. */
  uuid: string | null;
  name: string;
  kind: "nvidia" | "mig" | "amd";
}

let known: GpuSlot[] | undefined;

/** What this machine can give. A device that is cut into slices is given out by slice. Looked at once. */
export function gpuSlots(): readonly GpuSlot[] {
  known ??= findSlots();
  return known;
}

export function slotCalled(slot: string): GpuSlot | null {
  return gpuSlots().find((each) => each.slot === slot) ?? null;
}

function findSlots(): GpuSlot[] {
  const minors = numbered("/dev", /^nvidia(\d+)$/);
  if (minors.length === 0) return amdSlots();
  return nvidiaSlots(minors, listText(), procFacts());
}

/** Of the device files there are, what the driver's program lists and what the kernel says of each. */
export function nvidiaSlots(
  minors: readonly string[],
  text: string,
  known: readonly { device: string; uuid: string | null; name: string }[],
): GpuSlot[] {
  const listed = parseList(text);
  const facts = new Map(known.map((each) => [each.device, each]));
  return minors.flatMap((device): GpuSlot[] => {
    const uuid = facts.get(device)?.uuid ?? listed.find(({ index }) => index === device)?.uuid ?? null;
    const entry = listed.find((each) => each.uuid === uuid);
    const name = facts.get(device)?.name ?? entry?.name ?? "a GPU";
    if (entry !== undefined && entry.slices.length > 0)
      return entry.slices.map((slice) => ({ ...slice, device, name: `${name} ${slice.name}`, kind: "mig" }));
    return [{ slot: device, device, uuid, name, kind: "nvidia" }];
  });
}

interface Listed {
  index: string;
  name: string;
  uuid: string;
  slices: { slot: string; uuid: string; name: string }[];
}

/** What `nvidia-smi -L` prints: a line per device, and below it one for each slice. */
export function parseList(text: string): Listed[] {
  const found: Listed[] = [];
  for (const line of text.split("\n")) {
    const device = /^GPU (\d+): (.+) \(UUID: (GPU-[\w-]+)\)/.exec(line);
    const slice = /^\s+MIG (\S+)\s+Device\s+\d+: \(UUID: (MIG-[\w/-]+)\)/.exec(line);
    if (device !== null) found.push({ index: device[1], name: device[2], uuid: device[3], slices: [] });
    else if (slice !== null)
      found.at(-1)?.slices.push({ slot: slice[2], uuid: slice[2], name: `MIG ${slice[1]}` });
  }
  return found;
}

function listText(): string {
  const program = findProgram("nvidia-smi");
  if (program === null) return "";
  try {
    return execFileSync(program, ["-L"], {
      encoding: "utf8",
      timeout: 20_000,
      stdio: ["ignore", "pipe", "ignore"],
    });
  } catch {
    return "";
  }
}

function procFacts(): { device: string; uuid: string | null; name: string }[] {
  return list("/proc/driver/nvidia/gpus").flatMap((folder) => {
    const text = read(`/proc/driver/nvidia/gpus/${folder}/information`);
    const device = /^Device Minor:\s*(\d+)\s*$/m.exec(text)?.[1];
    if (device === undefined) return [];
    const uuid = /^GPU UUID:\s*(GPU-[\w-]+)\s*$/m.exec(text)?.[1] ?? null;
    return [{ device, uuid, name: /^Model:\s*(.+?)\s*$/m.exec(text)?.[1] ?? "a GPU" }];
  });
}

/**
 * The devices of ROCm. The kernel's own list of them (kfd's topology) is in the order in which ROCm counts, and knows
 * which render node is whose; without it every render node counts. `root` is another place than the machine's, for tests.
 */
export function amdSlots(root = ""): GpuSlot[] {
  if (!fs.existsSync(`${root}/dev/kfd`)) return [];
  const present = numbered(`${root}/dev/dri`, /^renderD(\d+)$/);
  const nodes = numbered(`${root}/sys/class/kfd/kfd/topology/nodes`, /^(\d+)$/).flatMap((node) => {
    const folder = `${root}/sys/class/kfd/kfd/topology/nodes/${node}`;
    // Processors stand in the same list; they have no render node.
    const minor = /^drm_render_minor (\d+)$/m.exec(read(`${folder}/properties`))?.[1] ?? "0";
    if (minor === "0" || !present.includes(minor)) return [];
    const name = read(`${root}/sys/class/drm/renderD${minor}/device/product_name`).trim();
    return [{ minor, name: name || read(`${folder}/name`).trim() || "an AMD GPU" }];
  });
  const found = nodes.length > 0 ? nodes : present.map((minor) => ({ minor, name: "an AMD GPU" }));
  return found.map(({ minor, name }, i) => ({
    slot: `${i}`,
    device: `${Number(minor) - 128}`,
    uuid: null,
    name,
    kind: "amd",
  }));
}

function numbered(folder: string, pattern: RegExp): string[] {
  return list(folder)
    .flatMap((name) => pattern.exec(name)?.[1] ?? [])
    .sort((a, b) => Number(a) - Number(b));
}

function list(folder: string): string[] {
  try {
    return fs.readdirSync(folder);
  } catch {
    return [];
  }
}

function read(file: string): string {
  try {
    return fs.readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
