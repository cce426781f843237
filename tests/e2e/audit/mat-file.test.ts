import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { matArrays } from "../../../src/data/audit/reading/mat-file.ts";
import { gestureMat } from "./mat-writer.ts";

describe("a MATLAB file", () => {
  it("gives its arrays by the path of their names, also from compressed elements", () => {
    const arrays = matArrays(gestureMat(["vattene", "ok"]))!;
    expect(arrays.filter(({ leaf }) => leaf)).toEqual([
      { path: "Video.Creator", elements: 10, leaf: true, text: "camera one" },
      { path: "Video.Labels.Name", elements: 7, leaf: true, text: "vattene" },
      { path: "Video.Labels.Name", elements: 2, leaf: true, text: "ok" },
    ]);
  });

  it("that is none is not taken for one", () => {
    expect(matArrays(Buffer.from("MATLAB 7.3 MAT-file".padEnd(600)))).toBeNull();
  });

  it("that is damaged anywhere gives fewer arrays, never an error", () => {
    const whole = gestureMat(["vattene"]);
    const place = fc.integer({ min: 128, max: whole.length - 1 });
    fc.assert(
      fc.property(place, fc.integer({ min: 0, max: 255 }), place, (at, byte, end) => {
        const damaged = Buffer.from(whole.subarray(0, Math.max(at + 1, end)));
        damaged[at] = byte;
        expect(Array.isArray(matArrays(damaged))).toBe(true);
      }),
    );
  });
});
