import { type Random, randomNormal } from "../../seeded-random.ts";
import type { ImageShape } from "../convolution-layer.ts";
import type { Parameters } from "../layer.ts";
import { assemblePlaneLoops, PANEL, PIXELS } from "./loops.ts";

/**
 * A batch of pictures in the memory of a `Planes`. A row has one pixel of zeros behind it, a picture one row of zeros
 * below: what lies beyond the border of one is the border of the next.
 */
export interface Plane extends ImageShape {
  /** Where the first pixel of the first picture lies, and its gradient, in numbers. */
  readonly values: number;
  readonly gradients: number;
}

/** A step of a network of planes: forward in the order of making, backward in the reverse. */
interface Step {
  forward(batch: number): void;
  backward(batch: number): void;
}

interface Loops {
  readonly convolve: (...numbers: number[]) => void;
  readonly convolveRelu: (...numbers: number[]) => void;
  readonly weightGradients: (...numbers: number[]) => void;
}

const PAGE = 65536;
/** Pixels whose gradients are summed at a time: what they touch stays in the cache. */
const CHUNK = 1024;

/** Numbers from the first pixel of a picture to the first of the next. */
export function pictureSize({ height, width, channels }: ImageShape): number {
  return (height + 1) * (width + 1) * channels;
}

/**
 * Networks on small pictures, in 32-bit numbers. Planes are made one from another; channels are few (1 to 3) or a
 * multiple of 8. After `seal` the network can run. Nothing is random but the weights at the start.
 */
export function createPlanes(maxBatch: number, random: Random) {
  let used = 64;
  let floats: Float32Array = new Float32Array(0);
  let memory: WebAssembly.Memory | null = null;
  const loopsOf = new Map<number, Loops>();
  const steps: Step[] = [];
  const skipped = new Set<Plane>();
  const pending: { at: number; values: Float32Array; decays: boolean; gradients: number }[] = [];

  function reserve(count: number): number {
    const at = used;
    used += 4 * Math.ceil(count / 4);
    return at;
  }

  function plane(shape: ImageShape): Plane {
    const { width, channels } = shape;
    const rim = (width + 2) * channels;
    const whole = () => rim + reserve(rim + maxBatch * pictureSize(shape) + rim + PIXELS * channels);
    return { ...shape, values: whole(), gradients: whole() };
  }

  function parameter(values: Float32Array, decays: boolean): { values: number; gradients: number } {
    const own = { values: reserve(values.length), gradients: reserve(values.length) };
    pending.push({ at: own.values, values, decays, gradients: own.gradients });
    return own;
  }

  function loops(channels: number): Loops {
    const known = loopsOf.get(channels);
    if (known || memory === null) return known as Loops;
    const module = new WebAssembly.Module(assemblePlaneLoops(channels));
    const made = new WebAssembly.Instance(module, { env: { memory } }).exports as unknown as Loops;
    loopsOf.set(channels, made);
    return made;
  }

  /** Runs the loop that computes `out` from `from`, both named by their first number. */
  function run(
    from: number,
    out: number,
    shape: ImageShape,
    weights: number,
    biases: number,
    { filters, relu, batch }: { filters: number; relu: boolean; batch: number },
  ): void {
    const { height, width, channels } = shape;
    const pixels = PIXELS * Math.ceil((batch * (height + 1) * (width + 1)) / PIXELS);
    const weightCount = 9 * channels * filters;
    loops(channels)[relu ? "convolveRelu" : "convolve"](
      4 * (from - (width + 2) * channels),
      4 * pixels * channels,
      4 * (width + 1) * channels,
      4 * weights,
      4 * (weights + weightCount),
      4 * biases,
      4 * out,
      4 * filters,
    );
    clearRim(floats, out, { height, width, channels: filters }, batch);
  }

  return {
    /** A plane to be filled from outside. */
    input: plane,

    convolution(from: Plane, filters: number, relu: boolean): Plane {
      const { channels, width, height } = from;
      const out = plane({ width, height, channels: filters });
      const scale = Math.sqrt((relu ? 2 : 1) / (9 * channels));
      const size = 9 * channels * filters;
      const weights = parameter(
        Float32Array.from({ length: size }, () => scale * randomNormal(random)),
        true,
      );
      const biases = parameter(new Float32Array(filters), false);
      const needsInput = channels % PANEL === 0;
      const turned = needsInput ? reserve(size) : 0;
      const none = reserve(Math.max(channels, filters));
      steps.push({
        forward: (batch) =>
          run(from.values, out.values, from, weights.values, biases.values, { filters, relu, batch }),
        backward(batch) {
          const count = batch * pictureSize(out);
          if (relu)
            for (let i = 0; i < count; i++) if (floats[out.values + i] <= 0) floats[out.gradients + i] = 0;
          clearRim(floats, out.gradients, out, batch);
          floats.fill(0, weights.gradients, weights.gradients + size);
          const pixels = count / filters;
          for (let first = 0; first < pixels; first += CHUNK) {
            const some = Math.min(CHUNK, pixels - first);
            loops(channels).weightGradients(
              4 * (from.values + (first - width - 2) * channels),
              4 * (width + 1) * channels,
              4 * (out.gradients + first * filters),
              4 * some * filters,
              4 * filters,
              4 * weights.gradients,
              4 * (weights.gradients + size),
            );
          }
          sumChannels(floats, out.gradients, count, biases.gradients, filters);
          if (!needsInput) return;
          turnWeights(floats, weights.values, turned, channels, filters);
          const options = { filters: channels, relu: false, batch };
          run(out.gradients, from.gradients, out, turned, none, options);
        },
      });
      return out;
    },

    /** The largest of each 2 × 2 pixels; an odd last row or column is dropped. */
    pooled(from: Plane): Plane {
      const out = plane({ ...from, width: from.width >> 1, height: from.height >> 1 });
      const { channels } = from;
      const row = (from.width + 1) * channels;
      const winners = new Uint8Array(maxBatch * pictureSize(out));
      const next = [0, channels, row, row + channels];
      steps.push({
        forward(batch) {
          clearRim(floats, out.values, out, batch);
          const values = floats;
          eachRowPair(from, out, batch, (high, low) => {
            for (let x = 0, at = from.values + high, to = low; x < out.width; x++, at += channels)
              for (let c = 0; c < channels; c++, at++, to++) {
                let [best, most] = [0, values[at]];
                if (values[at + channels] > most) [best, most] = [1, values[at + channels]];
                if (values[at + row] > most) [best, most] = [2, values[at + row]];
                if (values[at + row + channels] > most) [best, most] = [3, values[at + row + channels]];
                winners[to] = best;
                values[out.values + to] = most;
              }
          });
        },
        backward(batch) {
          // What was skipped to from further on has its gradient already.
          if (!skipped.has(from)) floats.fill(0, from.gradients, from.gradients + batch * pictureSize(from));
          const values = floats;
          eachRowPair(from, out, batch, (high, low) => {
            for (let x = 0, at = from.gradients + high, to = low; x < out.width; x++, at += channels)
              for (let c = 0; c < channels; c++, at++, to++)
                values[at + next[winners[to]]] += values[out.gradients + to];
          });
        },
      });
      return out;
    },

    /** Each pixel of `low` added to four of `high`. */
    joined(low: Plane, high: Plane): Plane {
      const out = plane(high);
      const { channels } = high;
      const row = (high.width + 1) * channels;
      skipped.add(high);
      steps.push({
        forward(batch) {
          const values = floats;
          values.copyWithin(out.values, high.values, high.values + batch * pictureSize(high));
          eachRowPair(high, low, batch, (to, from) => {
            let [at, source] = [out.values + to, low.values + from];
            for (let x = 0; x < low.width; x++, at += channels)
              for (let c = 0; c < channels; c++, at++) {
                const value = values[source++];
                values[at] += value;
                values[at + channels] += value;
                values[at + row] += value;
                values[at + row + channels] += value;
              }
          });
        },
        backward(batch) {
          const values = floats;
          values.copyWithin(high.gradients, out.gradients, out.gradients + batch * pictureSize(high));
          clearRim(values, low.gradients, low, batch);
          eachRowPair(high, low, batch, (from, to) => {
            let [at, target] = [out.gradients + from, low.gradients + to];
            for (let x = 0; x < low.width; x++, at += channels)
              for (let c = 0; c < channels; c++, at++)
                values[target++] =
                  values[at] + values[at + channels] + values[at + row] + values[at + row + channels];
          });
        },
      });
      return out;
    },

    /** Ends the making. */
    seal(): { readonly floats: Float32Array; readonly parameters: readonly Parameters[] } {
      const pages = Math.ceil((4 * used) / PAGE);
      memory = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
      floats = new Float32Array(memory.buffer);
      const parameters = pending.map(({ at, values, decays, gradients }) => {
        floats.set(values, at);
        return {
          values: floats.subarray(at, at + values.length),
          gradients: floats.subarray(gradients, gradients + values.length),
          decays,
        };
      });
      return { floats, parameters };
    },

    forward(batch: number): void {
      for (const step of steps) step.forward(batch);
    },

    /** From the gradient of the last plane to those of all parameters. */
    backward(batch: number): void {
      for (const step of steps.toReversed()) step.backward(batch);
    },
  };
}

/** Sets what lies between rows and pictures, and right behind the last, to zero. */
function clearRim(floats: Float32Array, at: number, shape: ImageShape, batch: number): void {
  const { height, width, channels } = shape;
  const row = (width + 1) * channels;
  const size = pictureSize(shape);
  for (let picture = 0; picture < batch; picture++) {
    const start = at + picture * size;
    for (let y = 0; y < height; y++)
      floats.fill(0, start + y * row + width * channels, start + (y + 1) * row);
    floats.fill(0, start + height * row, start + size);
  }
  floats.fill(0, at + batch * size, at + batch * size + (width + 2 + PIXELS) * channels);
}

/** Calls with where every second row of `high` begins, and its row of `low`. */
function eachRowPair(
  high: ImageShape,
  low: ImageShape,
  batch: number,
  visit: (high: number, low: number) => void,
): void {
  const { channels } = high;
  for (let picture = 0; picture < batch; picture++)
    for (let y = 0; y < low.height; y++)
      visit(
        picture * pictureSize(high) + 2 * y * (high.width + 1) * channels,
        picture * pictureSize(low) + y * (low.width + 1) * channels,
      );
}

function sumChannels(floats: Float32Array, from: number, count: number, to: number, channels: number): void {
  const sums = new Float64Array(channels);
  for (let at = from; at < from + count; at += channels)
    for (let c = 0; c < channels; c++) sums[c] += floats[at + c];
  floats.set(sums, to);
}

/** The weights as the gradient sees them: turned by half, filters and channels exchanged. */
function turnWeights(
  floats: Float32Array,
  from: number,
  to: number,
  channels: number,
  filters: number,
): void {
  for (let f = 0; f < filters; f++)
    for (let place = 0; place < 9; place++)
      for (let c = 0; c < channels; c++)
        floats[to + weightIndex(filters, c, 8 - place, f)] =
          floats[from + weightIndex(channels, f, place, c)];
}

/** Where the weight of a filter for a channel of a neighbour lies. */
function weightIndex(channels: number, filter: number, place: number, channel: number): number {
  return (((filter / PANEL) | 0) * 9 * channels + place * channels + channel) * PANEL + (filter % PANEL);
}

const WARM_UP = 0.1;

/** The learning rate along a training: up quickly, then down along half a cosine. */
export function schedule(share: number): number {
  if (share < WARM_UP) return (share + 0.01) / (WARM_UP + 0.01);
  return (1 + Math.cos((Math.PI * (share - WARM_UP)) / (1 - WARM_UP))) / 2;
}
