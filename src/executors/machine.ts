import fs from "node:fs";
import os from "node:os";

export interface Machine {
  cpus: number;
  memoryBytes: number;
  /** Indexes of the GPU devices. */
  gpus: readonly string[];
}

/** What this machine has to give; in a container that may be less than what is built in. */
export function thisMachine(): Machine {
  return { cpus: os.availableParallelism(), memoryBytes: availableMemory(), gpus: gpuDevices() };
}

function availableMemory(): number {
  // 0 where nothing limits the process.
  const constrained = process.constrainedMemory();
  const total = os.totalmem();
  return constrained > 0 && constrained < total ? constrained : total;
}

function gpuDevices(): string[] {
  try {
    return fs
      .readdirSync("/dev")
      .flatMap((name) => /^nvidia(\d+)$/.exec(name)?.[1] ?? [])
      .sort((a, b) => Number(a) - Number(b));
  } catch {
    return [];
  }
}

/** The machine in a phrase, as agents expect it in HARDWARE. */
export function hardwareText(cpus: number, gpus: readonly string[]): string {
  const processors = `${cpus} ${cpus === 1 ? "CPU" : "CPUs"}`;
  if (gpus.length === 0) return processors;
  return `${processors}, ${gpus.map(gpuName).join(", ")}`;
}

function gpuName(index: string): string {
  for (const folder of list("/proc/driver/nvidia/gpus")) {
    const text = read(`/proc/driver/nvidia/gpus/${folder}/information`);
    if (new RegExp(`^Device Minor:\\s*${index}\\s*$`, "m").test(text))
      return /^Model:\s*(.+?)\s*$/m.exec(text)?.[1] ?? "a GPU";
  }
  return "a GPU";
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
