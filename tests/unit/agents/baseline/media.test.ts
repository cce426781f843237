import fc from "fast-check";
import { expect, test } from "vitest";
import { pixelFeatures } from "../../../../src/agents/baseline/features/pixels.ts";
import { readWav } from "../../../../src/agents/baseline/reading/wav.ts";
import { encodeMask } from "../../../../src/agents/baseline/solvers/masks.ts";
import { parseRuns } from "../../../../src/metrics/pictures/run-length.ts";

function wav(samples: readonly number[], channels: number): Buffer {
  const head = Buffer.alloc(44);
  head.write("RIFF", 0, "latin1");
  head.write("WAVEfmt ", 8, "latin1");
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(channels, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt16LE(16, 34);
  head.write("data", 36, "latin1");
  head.writeUInt32LE(samples.length * 2, 40);
  return Buffer.concat([head, Buffer.from(Int16Array.from(samples).buffer)]);
}

test("two channels of a sound are averaged", () => {
  const sound = readWav(wav([16384, 0, -32768, -32768], 2));
  expect(sound).toEqual({ sampleRate: 8000, samples: Float64Array.from([0.25, -1]) });
});

test("bytes that are not a sound are not an error", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.nat(44), (bytes, from) => {
      const damaged = Buffer.concat([wav([1, 2], 1).subarray(0, from), Buffer.from(bytes)]);
      const sound = readWav(damaged);
      expect(sound === null || sound.samples instanceof Float64Array).toBe(true);
    }),
  );
});

test("a mask's runs name exactly the pixels from the threshold on", () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 0.4, 0.5, 1), { minLength: 1, maxLength: 60 }), (values) => {
      const text = encodeMask({ width: values.length, height: 1, pixels: Float32Array.from(values) }, 0.5);
      const runs = parseRuns(text, values.length);
      if ("error" in runs) throw new Error(runs.error);
      const found = values.flatMap((value, i) => (value >= 0.5 ? [i] : []));
      const named = runs.starts.flatMap((start, i) =>
        Array.from({ length: runs.ends[i] - start }, (_, offset) => start + offset),
      );
      if (found.length > 0) expect(named).toEqual(found);
      else expect(named).toHaveLength(1);
    }),
  );
});

test("pixels of an even picture have even surroundings, also at its border", () => {
  const { rows, values, columns } = pixelFeatures([
    { width: 6, height: 4, pixels: new Float32Array(24).fill(0.5) },
  ]);
  expect(rows).toBe(24);
  const last = values.subarray(23 * columns, 23 * columns + 25);
  expect([...last]).toEqual(new Array(25).fill(0.5));
});
