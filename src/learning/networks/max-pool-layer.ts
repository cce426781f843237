import type { ImageShape } from "./convolution-layer.ts";
import { atLeast, type Layer } from "./layer.ts";

/** The shape after 2 × 2 pooling; an odd last row or column is dropped. */
export function pooledShape({ height, width, channels }: ImageShape): ImageShape {
  return { height: height >> 1, width: width >> 1, channels };
}

/** Keeps the largest of each 2 × 2 pixels, channel by channel; the first of equals gets the gradient. */
export function maxPoolLayer(shape: ImageShape): Layer {
  const { height, width, channels } = pooledShape(shape);
  const size = height * width * channels;
  const inputSize = shape.height * shape.width * channels;
  let output: Float32Array = new Float32Array(0);
  let inputGradient: Float32Array = new Float32Array(0);
  let winners = new Int32Array(0);
  return {
    outputs: size,
    parameters: [],
    forward(input, batch) {
      output = atLeast(output, batch * size);
      if (winners.length < batch * size) winners = new Int32Array(batch * size);
      let to = 0;
      for (let image = 0; image < batch; image++) {
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const corner = image * inputSize + (2 * y * shape.width + 2 * x) * channels;
            for (let c = 0; c < channels; c++, to++) {
              let best = corner + c;
              const below = best + shape.width * channels;
              if (input[best + channels] > input[best]) best += channels;
              if (input[below] > input[best]) best = below;
              if (input[below + channels] > input[best]) best = below + channels;
              winners[to] = best;
              output[to] = input[best];
            }
          }
        }
      }
      return output;
    },
    backward(gradient, batch) {
      inputGradient = atLeast(inputGradient, batch * inputSize);
      inputGradient.fill(0, 0, batch * inputSize);
      for (let i = 0; i < batch * size; i++) inputGradient[winners[i]] += gradient[i];
      return inputGradient;
    },
  };
}
