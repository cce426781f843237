import type { Random } from "../seeded-random.ts";
import { atLeast, type Layer } from "./layer.ts";

/** Silences a random share of its inputs while training, and strengthens the others to make up for it. */
export function dropoutLayer(size: number, share: number, random: Random): Layer {
  let factors: Float32Array = new Float32Array(0);
  const kept = 1 / (1 - share);
  return {
    outputs: size,
    parameters: [],
    forward(input, batch, training) {
      if (!training) return input;
      const end = batch * size;
      factors = atLeast(factors, end);
      for (let i = 0; i < end; i++) {
        factors[i] = random() < share ? 0 : kept;
        input[i] *= factors[i];
      }
      return input;
    },
    backward(gradient, batch) {
      const end = batch * size;
      for (let i = 0; i < end; i++) gradient[i] *= factors[i];
      return gradient;
    },
  };
}
