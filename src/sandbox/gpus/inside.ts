import fs from "node:fs";
import { type GpuSlot, slotCalled } from "./devices.ts";

const NVIDIA_CONTROL = ["/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools", "/dev/nvidia-modeset"];
/** Where drivers that come with a machine's image put their programs. */
const TOOL_FOLDERS = ["/usr/local/nvidia/bin", "/usr/local/cuda/bin"];

/** What a share names, also where this machine knows nothing of it. */
export function slotsCalled(slots: readonly string[]): GpuSlot[] {
  return slots.map((slot) => slotCalled(slot) ?? unknown(slot));
}

/** The device files that an agent with these slots may open, and no others. */
export function deviceFiles(slots: readonly string[]): string[] {
  const found = slotsCalled(slots);
  if (found.length === 0) return [];
  if (found[0].kind === "amd")
    return ["/dev/kfd", ...found.map(({ device }) => `/dev/dri/renderD${128 + Number(device)}`)];
  const devices = new Set(found.map(({ device }) => `/dev/nvidia${device}`));
  return [
    ...devices,
    ...NVIDIA_CONTROL,
    ...(found.some(({ kind }) => kind === "mig") ? ["/dev/nvidia-caps"] : []),
  ];
}

/**
 * What tells CUDA and ROCm the same. By identifier where there is one: it means the same device wherever one counts
 * from. Otherwise the agent sees only its own devices and counts them from 0, unless nothing hides the others.
 */
export function deviceVariables(slots: readonly string[], isolated: boolean): Record<string, string> {
  if (slots.length === 0) return isolated ? {} : { CUDA_VISIBLE_DEVICES: "", ROCR_VISIBLE_DEVICES: "" };
  const found = slotsCalled(slots);
  const names = found.map(({ uuid, slot }, i) => uuid ?? (isolated ? `${i}` : slot)).join(",");
  // HIP counts what ROCm's own variable has left over.
  const left = found.map((_, i) => i).join(",");
  return found[0].kind === "amd"
    ? { ROCR_VISIBLE_DEVICES: names, HIP_VISIBLE_DEVICES: left }
    : { CUDA_VISIBLE_DEVICES: names, NVIDIA_VISIBLE_DEVICES: names };
}

/** A search path on which the drivers' own programs are found. */
export function withGpuTools(searchPath: string, slots: readonly string[]): string {
  if (slots.length === 0) return searchPath;
  const missing = TOOL_FOLDERS.filter(
    (folder) => !searchPath.split(":").includes(folder) && fs.existsSync(folder),
  );
  return [searchPath, ...missing].join(":");
}

function unknown(slot: string): GpuSlot {
  return { slot, device: slot, uuid: null, name: "a GPU", kind: "nvidia" };
}
