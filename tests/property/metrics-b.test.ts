import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Box3d, meanPrecision3d } from "../../src/metrics/pictures/box-3d.ts";
import { cocoMeanPrecision } from "../../src/metrics/pictures/coco-boxes.ts";
import { hausdorffScore } from "../../src/metrics/pictures/hausdorff.ts";
import { diceOfCounts, iouThresholdScore } from "../../src/metrics/pictures/mask-scores.ts";
import { type Corners, rectangleCorners, sharedArea } from "../../src/metrics/pictures/rotated-rectangle.ts";
import { intersection, parseRuns, type Runs } from "../../src/metrics/pictures/run-length.ts";
import type { Volume } from "../../src/metrics/pictures/volume.ts";

/** Draws pixel by pixel what the rules of mask texts say; null where they refuse. */
function drawNaively(tokens: number[], size: number): Uint8Array | null {
  const starts = tokens.filter((_, i) => i % 2 === 0);
  let lengths = tokens.filter((_, i) => i % 2 === 1);
  if (starts.some((s, i) => s <= 0 || (i > 0 && s < starts[i - 1])) || lengths.some((l) => l <= 0))
    return null;
  const mask = new Uint8Array(size);
  if (tokens.length === 1) return mask;
  if (tokens.length === 3) lengths = [lengths[0], lengths[0]];
  if (starts.length !== lengths.length) return null;
  for (const [i, start] of starts.entries()) {
    for (let at = start - 1; at < start - 1 + lengths[i]; at++) {
      if (at >= size) continue;
      if (mask[at] === 1) return null;
      mask[at] = 1;
    }
  }
  return mask;
}

function runsOf(mask: ArrayLike<number>): Runs {
  const text: number[] = [];
  for (let i = 0; i < mask.length; i++) if (mask[i] === 1) text.push(i + 1, 1);
  return parseRuns(text.join(" "), mask.length) as Runs;
}

const total = (mask: ArrayLike<number>) => Array.from(mask).reduce((a, b) => a + b, 0);

describe("masks as runs", () => {
  const token = fc.integer({ min: 0, max: 30 });
  const raw = fc.array(token, { maxLength: 9 });
  const ordered = fc
    .array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.integer({ min: 1, max: 5 })), { maxLength: 6 })
    .map((steps) => {
      let at = 1;
      return steps.flatMap(([gap, length]) => {
        const start = at + gap;
        at = start + length;
        return [start, length];
      });
    });

  test("agree with drawing pixel by pixel, in both parsing paths", () => {
    fc.assert(
      fc.property(fc.oneof(raw, ordered), fc.integer({ min: 1, max: 25 }), (tokens, size) => {
        const expected = drawNaively(tokens, size);
        const plain = parseRuns(tokens.join(" "), size);
        const unusual = parseRuns(tokens.map((t) => `+${t}`).join("\t"), size);
        if (expected === null) {
          expect(plain).toHaveProperty("error");
          expect(unusual).toHaveProperty("error", (plain as { error: string }).error);
          return;
        }
        expect(unusual).toEqual(plain);
        const drawn = new Uint8Array(size);
        const { starts, ends, pixels } = plain as Runs;
        for (const [i, start] of starts.entries()) drawn.fill(1, start, ends[i]);
        expect(drawn).toEqual(expected);
        expect(pixels).toBe(total(expected));
      }),
    );
  });

  const mask = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 12, maxLength: 12 });

  test("intersect, and score dice and IoU, like pixel arrays", () => {
    fc.assert(
      fc.property(mask, mask, (a, b) => {
        const shared = total(a.map((pixel, i) => pixel * b[i]));
        const union = total(a.map((pixel, i) => pixel | b[i]));
        const [x, y] = [runsOf(a), runsOf(b)];
        expect(intersection(x, y)).toBe(shared);
        expect(intersection(y, x)).toBe(shared);
        const score = diceOfCounts(intersection(x, y), x.pixels, y.pixels, 1);
        expect(score).toBe(union === 0 ? 1 : (2 * shared) / (total(a) + total(b)));
        if (total(a) > 0 && total(b) > 0) {
          const steps = Array.from({ length: 10 }, (_, i) => 0.5 + i * 0.050000000000000044);
          const expected = steps.filter((step) => shared / union > step).length / 10;
          expect(iouThresholdScore(x.pixels, y.pixels, shared, 12)).toBe(expected);
        }
      }),
    );
  });
});

describe("Hausdorff distance", () => {
  const shape = fc.record({
    depth: fc.integer({ min: 1, max: 4 }),
    height: fc.integer({ min: 1, max: 7 }),
    width: fc.integer({ min: 1, max: 7 }),
  });
  const voxels = shape.chain(({ depth, height, width }) =>
    fc
      .array(fc.nat({ max: depth * height * width - 1 }), { maxLength: 20 })
      .map((set) => ({ depth, height, width, set: [...new Set(set)] })),
  );
  type Voxels = { depth: number; height: number; width: number; set: number[] };

  const asVolume = ({ depth, height, width, set }: Voxels): Volume => ({
    height,
    width,
    slices: Array.from({ length: depth }, (_, slice) => {
      const flat = new Uint8Array(height * width);
      for (const v of set) if (Math.floor(v / flat.length) === slice) flat[v % flat.length] = 1;
      return [runsOf(flat)];
    }),
  });

  function bruteForce(predicted: Voxels, truth: Voxels): number | null {
    if (predicted.set.length + truth.set.length === 0) return null;
    if (predicted.set.length === 0 || truth.set.length === 0) return 1;
    if (predicted.set.length > 10 * truth.set.length) return 1;
    const points = ({ height, width, set }: Voxels) =>
      set.map((v) => {
        const flat = v % (height * width);
        return [
          Math.floor(v / (height * width)) / truth.depth,
          (flat % height) / truth.height,
          Math.floor(flat / height) / truth.width,
        ];
      });
    const directed = (from: number[][], to: number[][]) =>
      Math.sqrt(
        Math.max(
          ...from.map((a) =>
            Math.min(...to.map((b) => a.reduce((sum, x, axis) => sum + (x - b[axis]) * (x - b[axis]), 0))),
          ),
        ),
      );
    const [p, t] = [points(predicted), points(truth)];
    return Math.max(directed(p, t), directed(t, p)) / Math.sqrt(3);
  }

  test("equals the brute-force search to the last bit, also for unequal shapes", () => {
    fc.assert(
      fc.property(voxels, voxels, (predicted, truth) => {
        expect(hausdorffScore(asVolume(predicted), asVolume(truth))).toBe(bruteForce(predicted, truth));
      }),
      { numRuns: 1000 },
    );
  });
});

describe("shared area of rotated rectangles", () => {
  const rectangle = fc.record({
    x: fc.double({ min: -2, max: 2, noNaN: true }),
    y: fc.double({ min: -2, max: 2, noNaN: true }),
    length: fc.double({ min: 0.5, max: 4, noNaN: true }),
    width: fc.double({ min: 0.5, max: 4, noNaN: true }),
    yaw: fc.double({ min: -4, max: 4, noNaN: true }),
  });
  type Rectangle = { x: number; y: number; length: number; width: number; yaw: number };
  const corners = ({ x, y, length, width, yaw }: Rectangle): Corners =>
    rectangleCorners(x, y, length, width, yaw)!;
  const inside = (r: Rectangle, x: number, y: number) => {
    const along = (x - r.x) * Math.cos(r.yaw) + (y - r.y) * Math.sin(r.yaw);
    const across = (y - r.y) * Math.cos(r.yaw) - (x - r.x) * Math.sin(r.yaw);
    return Math.abs(along) <= r.length / 2 && Math.abs(across) <= r.width / 2;
  };

  test("is what sampling a grid finds, and the same both ways", () => {
    fc.assert(
      fc.property(rectangle, rectangle, (a, b) => {
        const step = 0.05;
        let hits = 0;
        for (let x = -5; x < 5; x += step) {
          for (let y = -5; y < 5; y += step) if (inside(a, x, y) && inside(b, x, y)) hits++;
        }
        const exact = sharedArea(corners(a), corners(b));
        expect(Math.abs(exact - hits * step * step)).toBeLessThan(0.5);
        expect(sharedArea(corners(b), corners(a))).toBeCloseTo(exact, 9);
        expect(sharedArea(corners(a), corners(a))).toBeCloseTo(a.length * a.width, 9);
      }),
      { numRuns: 60 },
    );
  });
});

describe("precision of ranked detections", () => {
  const truths = 5;
  // Each detection aims at one of the true boxes, or (aim 5 and above) at nothing.
  const aims = fc.array(fc.nat({ max: 8 }), { maxLength: 15 });

  /** Hits and precision after each rank when every true box can be found once. */
  function ranked(detections: number[]) {
    const found = new Set<number>();
    return detections.map((aim, rank) => {
      const hit = aim < truths && !found.has(aim);
      if (hit) found.add(aim);
      return { hit, hits: found.size, precision: found.size / (rank + 1) };
    });
  }

  test("in space, every hit adds the best precision reached from its rank on", () => {
    const box = (aim: number, rank: number): Box3d => ({
      confidence: -rank,
      x: aim * 10,
      y: 0,
      z: 0,
      width: 1,
      length: 2,
      height: 1,
      yaw: aim,
      label: "car",
    });
    fc.assert(
      fc.property(aims, (detections) => {
        const ranks = ranked(detections);
        const expected = ranks.map(({ hit }, at) =>
          hit ? Math.max(...ranks.slice(at).map((later) => later.precision)) / truths : 0,
        );
        const truth = Array.from({ length: truths }, (_, aim) => box(aim, 0));
        const predicted = detections.map(box).reverse();
        expect(meanPrecision3d([{ truth, predicted }])).toBeCloseTo(total(expected), 12);
      }),
    );
  });

  test("in COCO style, every recall level counts the best precision at that recall or above", () => {
    // One image each, so that boxes aimed elsewhere never overlap even when read as (x, y, width, height).
    const box = (aim: number, category = 1) => ({ image: `${aim}`, category, x1: 1, y1: 1, x2: 9, y2: 9 });
    fc.assert(
      fc.property(aims, (detections) => {
        const ranks = ranked(detections);
        const levels = Array.from({ length: 101 }, (_, level) =>
          Math.max(
            0,
            ...ranks.filter(({ hits }) => hits / truths >= level * 0.01).map(({ precision }) => precision),
          ),
        );
        // Boxes of other classes take the numbers 0, which count as "no match", and give every image a true box.
        const first = box(0, 0);
        const truth = [first, ...Array.from({ length: 9 }, (_, aim) => box(aim, aim < truths ? 1 : 0))];
        const predicted = detections.map((aim, rank) => ({ ...box(aim), score: -rank }));
        const score = cocoMeanPrecision(truth, [{ ...first, score: 1 }, ...predicted]);
        expect(score).toBeCloseTo(total(levels) / 101 / 2, 12);
      }),
    );
  });
});
