import type { Layer } from "./layer.ts";

/** Cuts negative numbers to zero, in place. */
export function reluLayer(size: number): Layer {
  let output: Float32Array = new Float32Array(0);
  return {
    outputs: size,
    parameters: [],
    forward(input, batch) {
      output = input;
      const end = batch * size;
      for (let i = 0; i < end; i++) if (output[i] < 0) output[i] = 0;
      return output;
    },
    backward(gradient, batch) {
      const end = batch * size;
      for (let i = 0; i < end; i++) if (output[i] === 0) gradient[i] = 0;
      return gradient;
    },
  };
}
