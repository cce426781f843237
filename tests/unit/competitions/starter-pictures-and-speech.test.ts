import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { doorNumber, HEIGHT, WIDTH } from "../../../src/competitions/starter-door-numbers/picture.ts";
import { overTheLine, RATE, readAdpcm } from "../../../src/competitions/starter-spoken-languages/speech.ts";
import { decodeGrayPng } from "../../../src/formats/png.ts";
import { encodeGrayPng } from "../../../src/formats/png-writer.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";

// Plain JavaScript, since the makers of the data run without a build.
const maker = "../../../src/starter/data/adpcm.mjs";
const { adpcm } = (await import(maker)) as { adpcm: (samples: Int16Array) => Buffer };

describe("a gray PNG", () => {
  it("is read as it was written", () => {
    const sizes = fc.tuple(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 1, max: 40 }));
    fc.assert(
      fc.property(sizes, fc.infiniteStream(fc.integer({ min: 0, max: 255 })), ([width, height], shades) => {
        const pixels = Uint8Array.from({ length: width * height }, () => shades.next().value ?? 0);
        const read = decodeGrayPng(encodeGrayPng(width, height, pixels), "made.png");
        expect(read).toEqual({ status: "image", width, height, pixels });
      }),
      { numRuns: 50 },
    );
  });
});

describe("four bits a sample", () => {
  it("keep a voice close to what it was", () => {
    const random = seededRandom(4);
    const samples = Int16Array.from({ length: RATE }, (_, i) =>
      Math.round(9000 * Math.sin(i / 5) + 4000 * Math.sin(i / 1.7) + 500 * random()),
    );
    const again = readAdpcm(adpcm(samples));
    expect(again).toHaveLength(samples.length);
    const [error, power] = [0, 1].map((own) =>
      samples.reduce((sum, value, i) => sum + (own ? value : value - again[i]) ** 2, 0),
    );
    expect(error / power).toBeLessThan(0.02);
  });

  it("never leave sixteen bits, whatever they say", () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 400 }), (bytes) => {
        const samples = readAdpcm(bytes);
        expect(samples).toHaveLength(2 * bytes.length);
        expect(Math.max(...samples.map(Math.abs))).toBeLessThanOrEqual(32768);
      }),
    );
  });
});

describe("what is made when the data is prepared", () => {
  const spoken = Int16Array.from({ length: RATE }, (_, i) => Math.round(8000 * Math.sin(i / 4)));
  const digit = Uint8Array.from({ length: 28 * 28 }, (_, i) => (i % 28 > 12 && i % 28 < 16 ? 15 : 0));

  it("is the same for the same seed and another for another", () => {
    const [clip, sameClip, otherClip] = [1, 1, 2].map((seed) => overTheLine(spoken, seededRandom(seed)));
    expect(sameClip).toEqual(clip);
    expect(otherClip).not.toEqual(clip);
    const [door, sameDoor, otherDoor] = [1, 1, 2].map((seed) => doorNumber(digit, digit, seededRandom(seed)));
    expect(door).toHaveLength(WIDTH * HEIGHT);
    expect(sameDoor).toEqual(door);
    expect(otherDoor).not.toEqual(door);
  });

  it("shows both digits: where ink is, the picture differs from the wall", () => {
    for (let seed = 0; seed < 40; seed++) {
      const blank = doorNumber(new Uint8Array(28 * 28), new Uint8Array(28 * 28), seededRandom(seed));
      const written = doorNumber(digit, digit, seededRandom(seed));
      for (const [from, to] of [
        [0, WIDTH / 2],
        [WIDTH / 2, WIDTH],
      ]) {
        const changed = written.filter(
          (shade, i) => i % WIDTH >= from && i % WIDTH < to && Math.abs(shade - blank[i]) > 20,
        );
        expect(changed.length, `seed ${seed}`).toBeGreaterThan(20);
      }
    }
  });
});
