import fs from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { gpuOptions } from "../../../../src/sandbox/container/arguments.ts";
import { amdSlots, nvidiaSlots } from "../../../../src/sandbox/gpus/devices.ts";
import { type GpuUse, noteAmd } from "../../../../src/sandbox/gpus/measure.ts";
import { temporaryFolder, writeText } from "../../../e2e/temporary-folder.ts";

// Written by hand in the form that NVIDIA's documentation of MIG shows; no such device was at hand.
const SLICED = `GPU 0: NVIDIA A100-SXM4-80GB (UUID: GPU-1c4f7a52-0f4d-5a83-6b1f-3c2f7b0f9a10)
  MIG 3g.40gb     Device  0: (UUID: MIG-c7384736-a75d-5afc-978f-d2f1294409fd)
  MIG 1g.10gb+me  Device  1: (UUID: MIG-GPU-1c4f7a52-0f4d-5a83-6b1f-3c2f7b0f9a10/7/0)
GPU 1: NVIDIA A100-SXM4-80GB (UUID: GPU-99999999-0f4d-5a83-6b1f-3c2f7b0f9a10)
`;
const KERNEL = [
  { device: "1", uuid: "GPU-1c4f7a52-0f4d-5a83-6b1f-3c2f7b0f9a10", name: "NVIDIA A100-SXM4-80GB" },
  { device: "0", uuid: "GPU-99999999-0f4d-5a83-6b1f-3c2f7b0f9a10", name: "NVIDIA A100-SXM4-80GB" },
];

test("a device that is cut into slices is given out by slice, under the device file the kernel names", () => {
  expect(
    nvidiaSlots(["0", "1"], SLICED, KERNEL).map(({ slot, device, kind }) => [slot, device, kind]),
  ).toEqual([
    ["0", "0", "nvidia"],
    ["MIG-c7384736-a75d-5afc-978f-d2f1294409fd", "1", "mig"],
    ["MIG-GPU-1c4f7a52-0f4d-5a83-6b1f-3c2f7b0f9a10/7/0", "1", "mig"],
  ]);
});

test("a sliced device without the driver's program is given out whole", () => {
  expect(nvidiaSlots(["0"], "", []).map(({ slot, uuid, kind }) => [slot, uuid, kind])).toEqual([
    ["0", null, "nvidia"],
  ]);
});

test("engines are told of NVIDIA's devices and slices by the names of the container toolkit", () => {
  const slots = nvidiaSlots(["0", "1"], SLICED, KERNEL).slice(0, 2);
  expect(gpuOptions("podman", slots)).toEqual([
    ...["--device", "nvidia.com/gpu=0"],
    ...["--device", "nvidia.com/gpu=MIG-c7384736-a75d-5afc-978f-d2f1294409fd"],
  ]);
  expect(gpuOptions("docker", slots)).toEqual([
    "--gpus",
    '"device=0,MIG-c7384736-a75d-5afc-978f-d2f1294409fd"',
  ]);
  expect(gpuOptions("podman", [])).toEqual([]);
});

/** Two devices behind two processors, as AMD's driver lays them out; the first in ROCm's order is the second node. */
function amdMachine(): string {
  const root = temporaryFolder();
  writeText(root, "dev/kfd", "");
  for (const node of ["card0", "renderD128", "renderD129", "renderD130"])
    writeText(root, `dev/dri/${node}`, "");
  const nodes = "sys/class/kfd/kfd/topology/nodes";
  writeText(root, `${nodes}/0/properties`, "cpu_cores_count 64\nsimd_count 0\ndrm_render_minor 0\n");
  writeText(root, `${nodes}/1/properties`, "cpu_cores_count 0\nsimd_count 440\ndrm_render_minor 129\n");
  writeText(root, `${nodes}/2/properties`, "cpu_cores_count 0\nsimd_count 440\ndrm_render_minor 128\n");
  writeText(root, `${nodes}/2/name`, "aldebaran\n");
  const device = "sys/class/drm/renderD129/device";
  writeText(root, `${device}/product_name`, "AMD INSTINCT MI250\n");
  writeText(root, `${device}/mem_info_vram_total`, "68702699520\n");
  writeText(root, `${device}/mem_info_vram_used`, "1073741824\n");
  writeText(root, `${device}/gpu_busy_percent`, "40\n");
  writeText(root, "sys/module/amdgpu/version", "6.3.6\n");
  return root;
}

test("AMD's devices are those of kfd, in ROCm's order; a render node of something else is none", () => {
  const root = amdMachine();
  expect(amdSlots(root).map(({ slot, device, name }) => [slot, device, name])).toEqual([
    ["0", "1", "AMD INSTINCT MI250"],
    ["1", "0", "aldebaran"],
  ]);
  expect(gpuOptions("podman", amdSlots(root).slice(0, 1))).toEqual([
    ...["--device", "/dev/kfd", "--device", "/dev/dri/renderD129", "--group-add", "keep-groups"],
  ]);
  fs.rmSync(path.join(root, "sys"), { recursive: true });
  expect(amdSlots(root)).toHaveLength(3);
  fs.rmSync(path.join(root, "dev/kfd"));
  expect(amdSlots(root)).toEqual([]);
});

test("what an AMD device is used for is read from its driver's files, the most and the mean", () => {
  const root = amdMachine();
  const nothing = { memoryBytes: null, driver: null, peakMemoryBytes: null };
  const use: GpuUse = {
    ...{ slot: "0", uuid: null, name: "x", ...nothing, meanUtilisation: null, peakUtilisation: null },
    samples: 0,
  };
  noteAmd(use, "1", root);
  writeText(root, "sys/class/drm/renderD129/device/gpu_busy_percent", "80\n");
  writeText(root, "sys/class/drm/renderD129/device/mem_info_vram_used", "512\n");
  noteAmd(use, "1", root);
  expect(use).toMatchObject({ memoryBytes: 68_702_699_520, driver: "6.3.6", samples: 2 });
  expect(use).toMatchObject({ peakMemoryBytes: 2 ** 30, peakUtilisation: 0.8 });
  expect(use.meanUtilisation).toBeCloseTo(0.6);
  const silent: GpuUse = { ...use, samples: 0, ...nothing, meanUtilisation: null, peakUtilisation: null };
  noteAmd(silent, "7", root);
  expect(silent).toMatchObject({ samples: 0, peakMemoryBytes: null });
});
