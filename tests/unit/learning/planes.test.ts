import { expect, test } from "vitest";
import { fitPictureClasses } from "../../../src/learning/networks/planes/picture-classes.ts";
import { fitPictureNetwork } from "../../../src/learning/networks/planes/picture-network.ts";
import { createPlanes, type Plane, pictureSize } from "../../../src/learning/networks/planes/planes.ts";
import { seededRandom } from "../../../src/learning/seeded-random.ts";
import { farthest, normalMatrix, numericGradient } from "./made-data.ts";

/** Calls with the place of each number of the pictures, those between rows left out. */
function places({ height, width, channels, ...plane }: Plane, batch: number): number[] {
  return Array.from({ length: batch * height * width * channels }, (_, i) => {
    const [picture, rest] = [Math.floor(i / (height * width * channels)), i % (height * width * channels)];
    const [y, x] = [Math.floor(rest / (width * channels)), rest % (width * channels)];
    return plane.values + picture * pictureSize({ height, width, channels }) + y * (width + 1) * channels + x;
  });
}

test("a convolution of planes is the sum over neighbours, with zeros beyond the border", () => {
  const [batch, width, height] = [2, 5, 3];
  for (const channels of [1, 2, 3, 8, 16]) {
    const planes = createPlanes(batch, seededRandom(1));
    const input = planes.input({ width, height, channels });
    const out = planes.convolution(input, 8, false);
    const { floats, parameters } = planes.seal();
    const values = normalMatrix(1, batch * width * height * channels, channels).values;
    for (const [i, place] of places(input, batch).entries()) floats[place] = values[i];
    const [{ values: weights }, { values: biases }] = parameters;
    biases.set(normalMatrix(1, 8, 5).values);
    planes.forward(batch);
    const at = (picture: number, y: number, x: number, c: number) =>
      y < 0 || x < 0 || y >= height || x >= width
        ? 0
        : values[((picture * height + y) * width + x) * channels + c];
    const expected = places(out, batch).map((_, i) => {
      const [filter, pixel] = [i % 8, Math.floor(i / 8)];
      const [x, y] = [pixel % width, Math.floor(pixel / width) % height];
      let sum = biases[filter];
      for (let place = 0; place < 9; place++)
        for (let c = 0; c < channels; c++)
          sum +=
            weights[(place * channels + c) * 8 + filter] *
            at(Math.floor(pixel / width / height), y + Math.floor(place / 3) - 1, x + (place % 3) - 1, c);
      return sum;
    });
    const found = places(out, batch).map((place) => floats[place]);
    expect(farthest(found, expected), `${channels} channels`).toBeLessThan(1e-4);
  }
});

test("a network of planes that parts and joins has the gradients that differences give", () => {
  const batch = 2;
  const planes = createPlanes(3, seededRandom(2));
  const input = planes.input({ width: 6, height: 5, channels: 2 });
  const high = planes.convolution(input, 8, true);
  const low = planes.convolution(planes.pooled(high), 16, true);
  const narrow = planes.convolution(low, 8, false);
  const out = planes.convolution(planes.joined(narrow, high), 8, true);
  const { floats, parameters } = planes.seal();
  for (const [i, place] of places(input, batch).entries()) floats[place] = normalMatrix(1, 200, 7).values[i];
  const pull = normalMatrix(1, batch * 30 * 8, 8).values;
  const value = () => {
    planes.forward(batch);
    return places(out, batch).reduce((sum, place, i) => sum + pull[i] * floats[place], 0);
  };
  value();
  for (const [i, place] of places(out, batch).entries()) floats[place - out.values + out.gradients] = pull[i];
  planes.backward(batch);
  for (const { values, gradients } of parameters) {
    const found = gradients.slice(0, 150);
    const start = Float64Array.from(values.slice(0, 150));
    const numeric = numericGradient(
      (x) => {
        values.set(x);
        return value();
      },
      start,
      3e-3,
    );
    values.set(start);
    // A ReLU that switches within a step gives a difference between its two slopes: few do.
    const distances = Array.from(found, (own, i) => Math.abs(own - numeric[i])).sort((a, b) => a - b);
    expect(distances[distances.length >> 1]).toBeLessThan(0.02);
    expect(cosine(found, numeric)).toBeGreaterThan(0.998);
  }
});

function cosine(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let [both, first, second] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    both += a[i] * b[i];
    first += a[i] ** 2;
    second += b[i] ** 2;
  }
  return both / Math.sqrt(first * second);
}

/** Noise with a brighter disc; the mask is where the disc is. */
function discs(count: number, width: number, height: number) {
  const random = seededRandom(3);
  const made = Array.from({ length: count }, () => {
    const [x, y, radius] = [random() * width, random() * height, 2 + random() * 3];
    const target = Float32Array.from({ length: width * height }, (_, p) =>
      Number(Math.hypot((p % width) - x, Math.floor(p / width) - y) < radius),
    );
    return { target, picture: target.map((inside) => 0.3 + 0.25 * inside + 0.3 * (random() - 0.5)) };
  });
  return {
    set: { width, height, pictures: made.map(({ picture }) => picture) },
    targets: made.map(({ target }) => target),
  };
}

test("a network from pictures to pictures finds discs in noise, of any size of picture, twice the same", () => {
  const { set, targets } = discs(60, 19, 14);
  const train = { ...set, pictures: set.pictures.slice(10) };
  const options = { loss: "log", widths: [8, 8, 8], epochs: 40, learningRate: 0.01, seed: 1 } as const;
  const predict = fitPictureNetwork(train, targets.slice(10), options);
  const made = predict(set.pictures.slice(0, 10));
  let [both, sum] = [0, 0];
  for (const [i, chances] of made.entries())
    for (const [p, truth] of targets[i].entries()) {
      const isFound = chances[p] > 0.5;
      sum += truth + Number(isFound);
      if (isFound && truth === 1) both++;
    }
  expect((2 * both) / sum).toBeGreaterThan(0.8);
  const again = () =>
    fitPictureNetwork(train, targets.slice(10), { ...options, epochs: 1 })(set.pictures.slice(0, 1));
  expect(again()).toEqual(again());
});

test("a network from pictures to pictures takes noise away", () => {
  const { set, targets } = discs(40, 16, 16);
  const clean = targets.map((target) => target.map((inside) => 0.3 + 0.25 * inside));
  const predict = fitPictureNetwork({ ...set, pictures: set.pictures.slice(8) }, clean.slice(8), {
    loss: "squared",
    widths: [8, 8],
    epochs: 40,
    learningRate: 0.01,
    seed: 1,
  });
  const error = (made: readonly Float32Array[]) =>
    made.reduce((sum, own, i) => sum + own.reduce((all, value, p) => all + (value - clean[i][p]) ** 2, 0), 0);
  expect(error(predict(set.pictures.slice(0, 8)))).toBeLessThan(0.4 * error(set.pictures.slice(0, 8)));
});

test("a training that is told to stop predicts all the same", () => {
  const { set, targets } = discs(8, 16, 16);
  const options = { loss: "log", widths: [8, 8], epochs: 5, seed: 1, shouldStop: () => true } as const;
  const [chances] = fitPictureNetwork(set, targets, options)(set.pictures.slice(0, 1));
  expect(chances).toHaveLength(256);
  for (const chance of chances) expect(chance).toBeGreaterThan(0);
});

test("a network for classes of pictures finds a bar wherever it is, twice the same", () => {
  const random = seededRandom(9);
  const images = { rows: 400, columns: 208, values: new Float32Array(400 * 208).fill(-1) };
  const target = Uint8Array.from({ length: 400 }, () => Math.floor(random() * 2));
  for (let row = 0; row < 400; row++) {
    const at = (1 + Math.floor(random() * 7)) * 16 + 1 + Math.floor(random() * 9);
    for (let i = 0; i < 5; i++) images.values[row * 208 + at + (target[row] === 1 ? i : i * 16)] = 1;
  }
  const sizes = { width: 16, height: 13, outputs: 2, filters: [8, 8], epochs: 8, seed: 2 };
  const options = { ...sizes, loss: "softmax" } as const;
  const predicted = fitPictureClasses(images, target, options)(images);
  const right = target.filter((truth, row) => predicted[400 + row] > 0.5 === (truth === 1)).length;
  expect(right).toBeGreaterThan(380);
  expect(predicted[0] + predicted[400]).toBeCloseTo(1, 5);
  const again = () => fitPictureClasses(images, target, { ...options, epochs: 1 })(images);
  expect(again()).toEqual(again());
});
