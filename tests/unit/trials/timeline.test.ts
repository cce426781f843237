import { expect, test } from "vitest";
import type { TimelinePoint } from "../../../src/trials/certificate/schema.ts";
import { bestPoint, versionAt } from "../../../src/trials/trial/timeline.ts";

const point = (sha256: string, score: number | null): TimelinePoint => ({
  sha256,
  elapsedSeconds: 1,
  status: score === null ? "invalid" : "scored",
  score,
  medal: null,
  percentile: null,
});

test("the best version follows the metric's direction, and the first of equals wins", () => {
  const points = [point("a", 2), point("b", null), point("c", 5), point("d", 5), point("e", 1)];
  expect(bestPoint(points, "maximize")?.sha256).toBe("c");
  expect(bestPoint(points, "minimize")?.sha256).toBe("e");
  expect(bestPoint([point("b", null)], "maximize")).toBeNull();
});

test("an hour shows what stood there then, and after the end the final version", () => {
  const version = (sha256: string, elapsedSeconds: number) => ({
    sha256,
    elapsedSeconds,
    bytes: 1,
    time: "",
    kept: true,
  });
  const trial = {
    submissions: [version("a", 10), version("b", 4000)],
    final: { sha256: "b", why: "" },
    measurements: { wallSeconds: 5000, peakMemoryBytes: 0, cpuSeconds: 0, bytesWritten: 0 },
  };
  expect([0, 1, 2, 3].map((hour) => versionAt(trial, hour * 3600))).toEqual([null, "a", "b", "b"]);
  expect(versionAt({ ...trial, final: { sha256: null, why: "removed" } }, 7200)).toBeNull();
});
