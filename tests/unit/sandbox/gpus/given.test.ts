import { expect, test } from "vitest";
import type { GpuSlot } from "../../../../src/sandbox/gpus/devices.ts";
import { type GpuVariables, givenSlots } from "../../../../src/sandbox/gpus/given.ts";

const slot = (name: string, uuid: string | null, kind: GpuSlot["kind"] = "nvidia"): GpuSlot => ({
  slot: name,
  device: "0",
  uuid,
  name: "x",
  kind,
});
const WHOLE = [slot("0", "GPU-a"), slot("1", "GPU-b"), slot("2", null)];
/** The first device whole, the second one cut: Slurm counts its slices on. */
const SLICED = [slot("0", "GPU-a"), slot("MIG-x", "MIG-x", "mig"), slot("MIG-y", "MIG-y", "mig")];

test.each<[string, GpuSlot[], GpuVariables, string[]]>([
  ["nobody says", WHOLE, {}, ["0", "1", "2"]],
  ["Slurm numbers them", WHOLE, { SLURM_JOB_GPUS: "2,0", CUDA_VISIBLE_DEVICES: "0,1" }, ["2", "0"]],
  ["Slurm gives none", WHOLE, { SLURM_JOB_GPUS: "" }, []],
  ["Slurm numbers one that is not there", WHOLE, { SLURM_JOB_GPUS: "7" }, []],
  ["only CUDA is told numbers", WHOLE, { CUDA_VISIBLE_DEVICES: "1" }, ["1"]],
  ["a container that shows the fourth device alone", [slot("3", null)], { CUDA_VISIBLE_DEVICES: "0" }, ["3"]],
  ["CUDA is told nothing is there", WHOLE, { CUDA_VISIBLE_DEVICES: "" }, []],
  ["identifiers", WHOLE, { CUDA_VISIBLE_DEVICES: "GPU-b, GPU-a" }, ["1", "0"]],
  [
    "slices under Slurm",
    SLICED,
    { SLURM_JOB_GPUS: "0,2", CUDA_VISIBLE_DEVICES: "MIG-y,MIG-x" },
    ["MIG-y", "MIG-x"],
  ],
  ["a slice that is not there", SLICED, { SLURM_JOB_GPUS: "0", CUDA_VISIBLE_DEVICES: "MIG-z" }, []],
])("devices given to a job: %s", (_, slots, variables, given) => {
  expect(givenSlots(slots, variables)).toEqual(given);
});
