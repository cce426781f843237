import { createMultiply } from "../algebra/multiply.ts";
import type { DenseMatrix } from "../matrix.ts";
import { seededRandom } from "../seeded-random.ts";
import { denseLayer } from "./dense-layer.ts";
import { dropoutLayer } from "./dropout-layer.ts";
import type { Layer } from "./layer.ts";
import { type Network, type NetworkLoss, type TrainingOptions, trainNetwork } from "./network.ts";
import { reluLayer } from "./relu-layer.ts";

export interface PerceptronOptions extends TrainingOptions {
  readonly loss: NetworkLoss;
  readonly outputs: number;
  readonly hidden: readonly number[];
  readonly dropout?: number;
  readonly seed: number;
}

/** A network of dense layers with ReLU between them. The same seed gives the same bytes. */
export function fitPerceptron(
  inputs: DenseMatrix,
  target: ArrayLike<number>,
  options: PerceptronOptions,
): Network {
  const random = seededRandom(options.seed);
  const multiply = createMultiply();
  const layers: Layer[] = [];
  let size = inputs.columns;
  for (const next of options.hidden) {
    layers.push(denseLayer(size, next, multiply, random), reluLayer(next));
    if (options.dropout) layers.push(dropoutLayer(next, options.dropout, random));
    size = next;
  }
  layers.push(denseLayer(size, options.outputs, multiply, random));
  const network = { loss: options.loss, layers };
  trainNetwork(network, inputs, target, options, random);
  return network;
}
