import type { Parameters } from "./layer.ts";

const FIRST_MOMENT = 0.9;
const SECOND_MOMENT = 0.999;
const FLOOR = 1e-8;

/** Adam with decoupled weight decay. The returned function takes one step along the current gradients. */
export function createAdam(
  parameters: readonly Parameters[],
  weightDecay: number,
): (learningRate: number) => void {
  const moments = parameters.map(({ values }) => ({
    first: new Float32Array(values.length),
    second: new Float32Array(values.length),
  }));
  let steps = 0;
  return (learningRate) => {
    steps++;
    const rate = (learningRate * Math.sqrt(1 - SECOND_MOMENT ** steps)) / (1 - FIRST_MOMENT ** steps);
    for (const [i, { values, gradients, decays }] of parameters.entries()) {
      const { first, second } = moments[i];
      const kept = decays ? 1 - learningRate * weightDecay : 1;
      for (let j = 0; j < values.length; j++) {
        const gradient = gradients[j];
        first[j] = FIRST_MOMENT * first[j] + (1 - FIRST_MOMENT) * gradient;
        second[j] = SECOND_MOMENT * second[j] + (1 - SECOND_MOMENT) * gradient * gradient;
        values[j] = kept * values[j] - (rate * first[j]) / (Math.sqrt(second[j]) + FLOOR);
      }
    }
  };
}
