import type { Multiply } from "../algebra/multiply.ts";
import { type Random, randomNormal } from "../seeded-random.ts";
import { addBiases, sumRows } from "./dense-layer.ts";
import { atLeast, type Layer } from "./layer.ts";

/** The size of a stack of images: pixels in rows, the channels of a pixel side by side. */
export interface ImageShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

const KERNEL = 3;

/**
 * A 3 × 3 convolution that keeps height and width; beyond the border lie zeros. Each pixel's neighbourhood is laid
 * out as a row, so that the convolution is one product of matrices.
 */
export function convolutionLayer(
  shape: ImageShape,
  filters: number,
  multiply: Multiply,
  random: Random,
): Layer {
  const { height, width, channels } = shape;
  const pixels = height * width;
  const patch = KERNEL * KERNEL * channels;
  const scale = Math.sqrt(2 / patch);
  const weights = Float32Array.from({ length: patch * filters }, () => scale * randomNormal(random));
  const weightGradients = new Float32Array(weights.length);
  const biases = new Float32Array(filters);
  const biasGradients = new Float32Array(filters);
  let patches: Float32Array = new Float32Array(0);
  let output: Float32Array = new Float32Array(0);
  let inputGradient: Float32Array = new Float32Array(0);

  /** Calls `copy(inImage, inPatches)` for every pixel of every neighbourhood that lies inside its image. */
  function forEachNeighbour(batch: number, copy: (image: number, patches: number) => void): void {
    for (let row = 0; row < batch * height; row++) {
      const y = row % height;
      for (let x = 0; x < width; x++) {
        const to = (row * width + x) * patch;
        for (let dy = -1; dy <= 1; dy++) {
          if (y + dy < 0 || y + dy >= height) continue;
          for (let dx = -1; dx <= 1; dx++) {
            if (x + dx < 0 || x + dx >= width) continue;
            copy(((row + dy) * width + x + dx) * channels, to + ((dy + 1) * KERNEL + dx + 1) * channels);
          }
        }
      }
    }
  }

  return {
    outputs: pixels * filters,
    parameters: [
      { values: weights, gradients: weightGradients, decays: true },
      { values: biases, gradients: biasGradients, decays: false },
    ],
    forward(input, batch) {
      patches = atLeast(patches, batch * pixels * patch);
      output = atLeast(output, batch * pixels * filters);
      const values = patches;
      values.fill(0, 0, batch * pixels * patch);
      forEachNeighbour(batch, (from, to) => {
        for (let c = 0; c < channels; c++) values[to + c] = input[from + c];
      });
      const sizes = { m: batch * pixels, k: patch, n: filters };
      multiply({ values: patches }, { values: weights }, output, sizes);
      addBiases(output, biases, batch * pixels);
      return output;
    },
    backward(gradient, batch, wantsInput) {
      const rows = batch * pixels;
      const a = { values: patches, transposed: true };
      multiply(a, { values: gradient }, weightGradients, { m: patch, k: rows, n: filters });
      sumRows(gradient, biasGradients, rows);
      if (!wantsInput) return null;
      const b = { values: weights, transposed: true };
      multiply({ values: gradient }, b, patches, { m: rows, k: filters, n: patch });
      inputGradient = atLeast(inputGradient, rows * channels);
      const [target, source] = [inputGradient, patches];
      target.fill(0, 0, rows * channels);
      forEachNeighbour(batch, (to, from) => {
        for (let c = 0; c < channels; c++) target[to + c] += source[from + c];
      });
      return inputGradient;
    },
  };
}
