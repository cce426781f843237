import { execFile } from "node:child_process";
import fs from "node:fs";
import { z } from "zod";
import { findProgram } from "../find-program.ts";
import { slotCalled } from "./devices.ts";

/** A device as a trial had it, and what it used of it. Null: nobody could tell. */
export const GpuUse = z.looseObject({
  slot: z.string(),
  uuid: z.string().nullable(),
  name: z.string(),
  memoryBytes: z.number().nullable(),
  driver: z.string().nullable(),
  peakMemoryBytes: z.number().nullable(),
  /** Between 0 and 1, over the samples. */
  meanUtilisation: z.number().nullable(),
  peakUtilisation: z.number().nullable(),
  samples: z.int(),
});
export type GpuUse = z.infer<typeof GpuUse>;

const FIRST_MS = 1000;
const EVERY_MS = 5000;
const QUERY = ["uuid", "name", "memory.total", "driver_version", "memory.used", "utilization.gpu"];

export interface GpuMeter {
  /** Takes one last sample and says what was measured. */
  end(): Promise<GpuUse[]>;
}

/**
 * Looks at the devices of a trial every few seconds, by nvidia-smi, or by the files of AMD's driver. It is the whole
 * device that is measured: what a trial shares with nobody is its own. Where nobody tells, the record says so by null.
 */
export function startGpuMeter(slots: readonly string[]): GpuMeter {
  const uses = slots.map((slot): GpuUse => {
    const { uuid = null, name = "a GPU" } = slotCalled(slot) ?? {};
    const unknown = { memoryBytes: null, driver: null, peakMemoryBytes: null };
    return { slot, uuid, name, ...unknown, meanUtilisation: null, peakUtilisation: null, samples: 0 };
  });
  if (uses.length === 0) return { end: async () => [] };
  let timer: NodeJS.Timeout;
  let ended = false;
  const ofAmd = uses.filter(({ slot }) => slotCalled(slot)?.kind === "amd");
  const sample = async () => {
    for (const use of ofAmd) noteAmd(use, slotCalled(use.slot)!.device);
    if (ofAmd.length < uses.length) for (const row of await ask(uses)) note(uses, row);
  };
  const look = async () => {
    await sample();
    if (!ended) timer = setTimeout(look, EVERY_MS);
    timer.unref();
  };
  timer = setTimeout(look, FIRST_MS);
  timer.unref();
  return {
    async end() {
      ended = true;
      clearTimeout(timer);
      if (uses.every(({ samples }) => samples === 0)) await sample();
      return uses;
    },
  };
}

/** Rows of what was asked for; none where nvidia-smi is missing or says nothing useful. */
function ask(uses: readonly GpuUse[]): Promise<string[][]> {
  const named = uses.every(({ uuid }) => uuid?.startsWith("GPU-"))
    ? ["-i", uses.map(({ uuid }) => uuid).join(",")]
    : [];
  const args = [`--query-gpu=${QUERY.join(",")}`, "--format=csv,noheader,nounits", ...named];
  const program = findProgram("nvidia-smi");
  if (program === null) return Promise.resolve([]);
  return new Promise((resolve) => {
    execFile(program, args, { timeout: 10_000, encoding: "utf8" }, (error, stdout) => {
      resolve(
        error === null
          ? stdout
              .trim()
              .split("\n")
              .map((line) => line.split(",").map((cell) => cell.trim()))
          : [],
      );
    });
  });
}

/** What AMD's driver tells in files: sizes in bytes, and how busy it was in per cent. */
export function noteAmd(use: GpuUse, device: string, root = ""): void {
  const folder = `${root}/sys/class/drm/renderD${128 + Number(device)}/device`;
  const number = (name: string) => {
    const text = readFile(`${folder}/${name}`);
    return /^\d+$/.test(text) ? Number(text) : null;
  };
  const busy = number("gpu_busy_percent");
  use.memoryBytes = number("mem_info_vram_total") ?? use.memoryBytes;
  use.driver = readFile(`${root}/sys/module/amdgpu/version`) || use.driver;
  count(use, number("mem_info_vram_used"), busy === null ? null : busy / 100);
}

function readFile(file: string): string {
  try {
    return fs.readFileSync(file, "utf8").trim();
  } catch {
    return "";
  }
}

function count(use: GpuUse, used: number | null, share: number | null): void {
  const most = (a: number | null, b: number | null) => (a === null ? b : b === null ? a : Math.max(a, b));
  if (used === null && share === null) return;
  use.peakMemoryBytes = most(use.peakMemoryBytes, used);
  if (share !== null)
    use.meanUtilisation = ((use.meanUtilisation ?? 0) * use.samples + share) / (use.samples + 1);
  use.peakUtilisation = most(use.peakUtilisation, share);
  use.samples++;
}

function note(uses: GpuUse[], row: string[]): void {
  const [uuid, name, total, driver, used, utilisation] = row;
  const use =
    uses.find((each) => each.uuid === uuid) ??
    (uses.length === 1 && uses[0].uuid === null ? uses[0] : undefined);
  if (use === undefined) return;
  const megabytes = (text: string) => (/^\d+$/.test(text) ? Number(text) * 2 ** 20 : null);
  const share = /^\d+$/.test(utilisation ?? "") ? Number(utilisation) / 100 : null;
  use.name = name;
  use.driver = driver;
  use.memoryBytes = megabytes(total);
  count(use, megabytes(used), share);
}
