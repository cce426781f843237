/** Numbers that training moves, and the gradient of the last batch. */
export interface Parameters {
  readonly values: Float32Array;
  readonly gradients: Float32Array;
  /** Weights shrink under weight decay, biases do not. */
  readonly decays: boolean;
}

/**
 * A step of a network, in the order a batch meets it. Rows of a batch lie one after another. The arrays returned
 * belong to the layer and are overwritten by the next call.
 */
export interface Layer {
  readonly outputs: number;
  readonly parameters: readonly Parameters[];
  forward(input: Float32Array, batch: number, training: boolean): Float32Array;
  /** From the gradient by its output to the gradient by its input; null if `wantsInput` is false. */
  backward(gradient: Float32Array, batch: number, wantsInput: boolean): Float32Array | null;
}

/** An array of at least this length: the old one if it is long enough. */
export function atLeast(array: Float32Array, length: number): Float32Array {
  return array.length >= length ? array : new Float32Array(length);
}
