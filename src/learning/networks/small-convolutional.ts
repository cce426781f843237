import { createMultiply } from "../algebra/multiply.ts";
import type { DenseMatrix } from "../matrix.ts";
import { seededRandom } from "../seeded-random.ts";
import { convolutionLayer, type ImageShape } from "./convolution-layer.ts";
import { denseLayer } from "./dense-layer.ts";
import { dropoutLayer } from "./dropout-layer.ts";
import type { Layer } from "./layer.ts";
import { maxPoolLayer, pooledShape } from "./max-pool-layer.ts";
import { type Network, type NetworkLoss, type TrainingOptions, trainNetwork } from "./network.ts";
import { reluLayer } from "./relu-layer.ts";

export interface ConvolutionalOptions extends TrainingOptions {
  readonly loss: NetworkLoss;
  readonly outputs: number;
  readonly shape: ImageShape;
  /** Filters of the two convolutions, then the size of the hidden dense layer. */
  readonly filters?: readonly [number, number];
  readonly hidden?: number;
  readonly dropout?: number;
  readonly seed: number;
}

/** Two times convolution, ReLU and pooling, then two dense layers: for small pictures such as 28 × 28 digits. */
export function fitConvolutional(
  images: DenseMatrix,
  target: ArrayLike<number>,
  options: ConvolutionalOptions,
): Network {
  const { filters = [16, 32], hidden = 64, dropout = 0.25 } = options;
  const random = seededRandom(options.seed);
  const multiply = createMultiply();
  const layers: Layer[] = [];
  let shape = options.shape;
  for (const count of filters) {
    const convolved = { ...shape, channels: count };
    const convolution = convolutionLayer(shape, count, multiply, random);
    layers.push(convolution, maxPoolLayer(convolved));
    shape = pooledShape(convolved);
    // Pooling first: it commutes with ReLU, and there are four times fewer numbers to cut.
    layers.push(reluLayer(shape.height * shape.width * shape.channels));
  }
  layers.push(denseLayer(shape.height * shape.width * shape.channels, hidden, multiply, random));
  layers.push(reluLayer(hidden));
  if (dropout > 0) layers.push(dropoutLayer(hidden, dropout, random));
  layers.push(denseLayer(hidden, options.outputs, multiply, random));
  const network = { loss: options.loss, layers };
  trainNetwork(network, images, target, options, random);
  return network;
}
