import { describe, expect, test } from "vitest";
import { deviations, type SetUp } from "../../../src/analysis/aggregate/canonical-setup.ts";

const CANONICAL: SetUp = { hours: [24], cpus: [36], memoryGiB: [440], gpus: ["NVIDIA A10"] };

describe("deviations from the canonical set-up", () => {
  test("there are none of the set-up itself, with three seeds or more", () => {
    expect(deviations(CANONICAL, 3)).toEqual([]);
    expect(deviations(CANONICAL, 8)).toEqual([]);
  });

  test("each is named with what there was and what is canonical", () => {
    const other = { hours: [4, 12], cpus: [8], memoryGiB: [64], gpus: ["none"] };
    expect(deviations(other, 1)).toEqual([
      "time limit 4 to 12 h instead of 24 h",
      "processors 8 vCPU instead of 36 vCPU",
      "memory 64 GiB instead of 440 GiB",
      "GPU none instead of one 24 GB A10",
      "1 seed instead of at least 3",
    ]);
  });

  test.each([
    [[10 / 3600], "time limit 10 s instead of 24 h"],
    [[10 / 3600, 60 / 3600], "time limit 10 to 60 s instead of 24 h"],
    [[0.5], "time limit 30 min instead of 24 h"],
    [[0.5, 2], "time limit 0.5 to 2 h instead of 24 h"],
  ])("a limit of %s hours is said so that it can be read", (hours, text) => {
    expect(deviations({ ...CANONICAL, hours }, 3)).toEqual([text]);
  });

  test("more than the canonical is a deviation, too", () => {
    expect(deviations({ ...CANONICAL, hours: [48], gpus: ["NVIDIA A10, NVIDIA A10"] }, 3)).toHaveLength(2);
  });

  test.each(["A10", "1 x A10", "one A10 (24 GB)", "NVIDIA A10 24GB", "one 24 GB A10"])(
    "%s is the canonical GPU",
    (gpu) => expect(deviations({ ...CANONICAL, gpus: [gpu] }, 3)).toEqual([]),
  );

  test.each(["A100", "2 x A10", "H100"])("%s is another GPU", (gpu) =>
    expect(deviations({ ...CANONICAL, gpus: [gpu] }, 3)).toHaveLength(1),
  );

  test("what nobody stated is said to be not stated, never taken for canonical", () => {
    const nothing = { hours: [], cpus: [], memoryGiB: [], gpus: [] };
    expect(deviations(nothing, null)).toEqual(["not stated: time limit, processors, memory, GPU, seeds"]);
  });
});
