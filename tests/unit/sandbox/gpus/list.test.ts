import { expect, test } from "vitest";
import { parseList } from "../../../../src/sandbox/gpus/devices.ts";

test("devices and their slices are read from nvidia-smi -L", () => {
  const text = `GPU 0: NVIDIA H200 (UUID: GPU-519de6ff-b9ba-4684-b95c-2a5f1227a700)
GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-aaaa)
  MIG 1g.5gb     Device  0: (UUID: MIG-bbbb)
  MIG 2g.10gb    Device  1: (UUID: MIG-cccc)
`;
  expect(parseList(text)).toEqual([
    { index: "0", name: "NVIDIA H200", uuid: "GPU-519de6ff-b9ba-4684-b95c-2a5f1227a700", slices: [] },
    {
      index: "1",
      name: "NVIDIA A100-SXM4-40GB",
      uuid: "GPU-aaaa",
      slices: [
        { slot: "MIG-bbbb", uuid: "MIG-bbbb", name: "MIG 1g.5gb" },
        { slot: "MIG-cccc", uuid: "MIG-cccc", name: "MIG 2g.10gb" },
      ],
    },
  ]);
  expect(parseList("No devices were found")).toEqual([]);
});
