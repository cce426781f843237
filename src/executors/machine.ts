import os from "node:os";
import { gpuSlots, slotCalled } from "../sandbox/gpus/devices.ts";
import { givenSlots } from "../sandbox/gpus/given.ts";

export interface Machine {
  cpus: number;
  memoryBytes: number;
  /** What can be given to one trial alone, of what is ours: GPU devices by number, slices of them by name. */
  gpus: readonly string[];
}

/** What this machine has to give; in a container that may be less than what is built in. */
export function thisMachine(): Machine {
  return {
    cpus: os.availableParallelism(),
    memoryBytes: availableMemory(),
    gpus: givenSlots(gpuSlots(), process.env),
  };
}

function availableMemory(): number {
  // 0 where nothing limits the process.
  const constrained = process.constrainedMemory();
  const total = os.totalmem();
  return constrained > 0 && constrained < total ? constrained : total;
}

/** The machine in a phrase, as agents expect it in HARDWARE. */
export function hardwareText(cpus: number, gpus: readonly string[]): string {
  const processors = `${cpus} ${cpus === 1 ? "CPU" : "CPUs"}`;
  if (gpus.length === 0) return processors;
  return `${processors}, ${gpus.map((slot) => slotCalled(slot)?.name ?? "a GPU").join(", ")}`;
}
