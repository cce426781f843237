import { type Random, randomNormal, seededRandom, shuffledOrder } from "../../seeded-random.ts";
import { createAdam } from "../adam.ts";
import { createPlanes, type Plane, pictureSize, schedule } from "./planes.ts";

/** Pictures of one size: a number for each pixel, row by row. */
export interface PictureSet {
  readonly width: number;
  readonly height: number;
  readonly pictures: readonly Float32Array[];
}

export interface PictureNetworkOptions {
  /** `log`: the target is 0 or 1; `squared`: any number, near the picture's own. */
  readonly loss: "squared" | "log";
  /** Filters at the full size, at half, at a quarter …; multiples of 8. */
  readonly widths: readonly number[];
  readonly epochs: number;
  readonly batch?: number;
  readonly learningRate?: number;
  readonly seed: number;
  /** Asked before each batch; a training that is told to stop keeps what it has learned. */
  readonly shouldStop?: () => boolean;
}

/** What a network makes of pictures of the size it was trained on. */
export type PicturePredictor = (pictures: readonly Float32Array[]) => Float32Array[];

const CHANNELS = 2;
const WEIGHT_DECAY = 1e-4;

/**
 * A small network from pictures to pictures, in the shape of a U: convolutions at smaller and smaller sizes, then back,
 * each size joined with what it was on the way down. While it trains, pictures are turned and mirrored, and for `log`
 * sometimes made negatives, as a mask does not depend on either. The same seed gives the same bytes.
 */
export function fitPictureNetwork(
  set: PictureSet,
  targets: readonly Float32Array[],
  options: PictureNetworkOptions,
): PicturePredictor {
  const { width, height } = set;
  const { loss, epochs, batch = 4, learningRate = 5e-3, shouldStop } = options;
  const random = seededRandom(options.seed);
  const network = buildNetwork({ width, height }, options.widths, batch, random);
  const step = createAdam(network.parameters, WEIGHT_DECAY);
  const isLog = loss === "log";
  const prepared = set.pictures.map((picture) => prepare(picture, isLog));
  const turns = turnsOf(width, height);
  const perEpoch = Math.ceil(prepared.length / batch);
  const pixels = width * height;
  let steps = 0;
  for (let epoch = 0; epoch < epochs; epoch++) {
    const order = shuffledOrder(prepared.length, random);
    for (let first = 0; first < order.length; first += batch) {
      if (shouldStop?.()) return predictor(network, set, loss, batch);
      const chosen = Array.from(order.subarray(first, first + batch), (picture) => {
        const turn = turns[Math.floor(random() * turns.length)];
        const sign = isLog && random() < 0.5 ? -1 : 1;
        return { picture, turn, sign };
      });
      for (const [place, { picture, turn, sign }] of chosen.entries())
        network.place(prepared[picture], place, turn, sign);
      const scores = network.forward(chosen.length);
      const count = chosen.length * pixels;
      for (const [place, { picture, turn }] of chosen.entries())
        for (let p = 0; p < pixels; p++) {
          const at = place * pixels + p;
          const truth = targets[picture][turn[p]];
          const made = isLog ? 1 / (1 + Math.exp(-scores[at])) : scores[at] + prepared[picture][turn[p]];
          scores[at] = (made - (isLog ? truth : 2 * truth - 1)) / count;
        }
      network.backward(chosen.length, scores);
      step(learningRate * schedule(steps++ / (epochs * perEpoch)));
    }
  }
  return predictor(network, set, loss, batch);
}

/** Multiplications for one pixel of the full size, forward. */
export function pictureNetworkProducts(widths: readonly number[]): number {
  let sum = 9 * CHANNELS * widths[0] + widths[0];
  for (const [level, width] of widths.entries()) {
    const share = 4 ** -level;
    if (level > 0) sum += share * 9 * widths[level - 1] * width * 2;
    sum += share * 9 * width * width * (level === widths.length - 1 ? 1 : 2);
  }
  return sum;
}

type BuiltNetwork = ReturnType<typeof buildNetwork>;

function buildNetwork(
  { width, height }: { width: number; height: number },
  widths: readonly number[],
  maxBatch: number,
  random: Random,
) {
  const planes = createPlanes(maxBatch, random);
  const input = planes.input({ width, height, channels: CHANNELS });
  const down: Plane[] = [];
  let current = input;
  for (const [level, filters] of widths.entries()) {
    if (level > 0) current = planes.pooled(current);
    current = planes.convolution(planes.convolution(current, filters, true), filters, true);
    down.push(current);
  }
  for (let level = widths.length - 2; level >= 0; level--) {
    const narrowed = planes.convolution(current, widths[level], false);
    current = planes.convolution(planes.joined(narrowed, down[level]), widths[level], true);
  }
  const last = current;
  const { floats, parameters } = planes.seal();
  const channels = widths[0];
  const scale = 0.1 / Math.sqrt(channels);
  const weights = Float32Array.from({ length: channels }, () => scale * randomNormal(random));
  const head = [
    { values: weights, gradients: new Float32Array(channels), decays: true },
    { values: new Float32Array(1), gradients: new Float32Array(1), decays: false },
  ];
  const pixels = width * height;
  const scores = new Float32Array(maxBatch * pixels);
  const away = fromTheMiddle(width, height);
  const each = (batch: number, visit: (pixel: number, at: number) => void) => {
    for (let picture = 0, pixel = 0; picture < batch; picture++)
      for (let y = 0; y < height; y++) {
        let at = picture * pictureSize(last) + y * (width + 1) * channels;
        for (let x = 0; x < width; x++, at += channels) visit(pixel++, at);
      }
  };
  return {
    parameters: [...parameters, ...head],
    /** Puts a picture, its pixels in the order of `turn`, at its place in the batch. */
    place(picture: Float32Array, place: number, turn: Int32Array, sign: number): void {
      let at = input.values + place * pictureSize(input);
      for (let y = 0, p = 0; y < height; y++, at += CHANNELS)
        for (let x = 0; x < width; x++, p++) {
          floats[at++] = sign * picture[turn[p]];
          floats[at++] = away[p];
        }
    },
    /** A score for each pixel of each picture. They belong to the network. */
    forward(batch: number): Float32Array {
      planes.forward(batch);
      each(batch, (pixel, at) => {
        let sum = head[1].values[0];
        for (let c = 0; c < channels; c++) sum += weights[c] * floats[last.values + at + c];
        scores[pixel] = sum;
      });
      return scores;
    },
    backward(batch: number, gradients: Float32Array): void {
      for (const { gradients: own } of head) own.fill(0);
      const [own, bias] = [head[0].gradients, head[1].gradients];
      each(batch, (pixel, at) => {
        const gradient = gradients[pixel];
        bias[0] += gradient;
        for (let c = 0; c < channels; c++) {
          own[c] += gradient * floats[last.values + at + c];
          floats[last.gradients + at + c] = gradient * weights[c];
        }
      });
      planes.backward(batch);
    },
  };
}

function predictor(
  network: BuiltNetwork,
  { width, height }: PictureSet,
  loss: PictureNetworkOptions["loss"],
  batch: number,
): PicturePredictor {
  const turns = turnsOf(width, height).slice(0, VIEWS);
  const pixels = width * height;
  return (pictures) => {
    const made = pictures.map(() => new Float32Array(pixels));
    for (const turn of turns)
      for (let first = 0; first < pictures.length; first += batch) {
        const some = pictures.slice(first, first + batch).map((picture) => prepare(picture, loss === "log"));
        for (const [place, picture] of some.entries()) network.place(picture, place, turn, 1);
        const scores = network.forward(some.length);
        for (const [place, picture] of some.entries())
          for (let p = 0; p < pixels; p++)
            made[first + place][turn[p]] +=
              (loss === "log" ? scores[place * pixels + p] : scores[place * pixels + p] + picture[turn[p]]) /
              turns.length;
      }
    for (const picture of made)
      for (let p = 0; p < pixels; p++)
        picture[p] = loss === "log" ? 1 / (1 + Math.exp(-picture[p])) : (picture[p] + 1) / 2;
    return made;
  };
}

/** Ways of looking at a picture whose mean is the prediction. */
const VIEWS = 2;

/** Pixels from −1 to 1; for masks each picture to mean 0 and deviation 1, as its shades tell nothing. */
function prepare(picture: Float32Array, isLog: boolean): Float32Array {
  if (!isLog) return picture.map((value) => 2 * value - 1);
  let [sum, square] = [0, 0];
  for (const value of picture) {
    sum += value;
    square += value * value;
  }
  const mean = sum / picture.length;
  const deviation = Math.sqrt(Math.max(1e-6, square / picture.length - mean * mean));
  return picture.map((value) => (value - mean) / deviation);
}

/** For each way to mirror or turn a picture: which pixel comes to each place. Only squares can be turned. */
function turnsOf(width: number, height: number): Int32Array[] {
  const ways = width === height ? 8 : 4;
  const order = [0, 1, 2, 3, 4, 5, 6, 7].slice(0, ways);
  return order.map((way) =>
    Int32Array.from({ length: width * height }, (_, p) => {
      let [x, y] = [p % width, Math.floor(p / width)];
      if (way & 1) x = width - 1 - x;
      if (way & 2) y = height - 1 - y;
      if (way & 4) [x, y] = [y, x];
      return y * width + x;
    }),
  );
}

function fromTheMiddle(width: number, height: number): Float32Array {
  return Float32Array.from({ length: width * height }, (_, p) => {
    const [x, y] = [(p % width) / width, Math.floor(p / width) / height];
    return 3 * Math.hypot(x - 0.5, y - 0.5) - 1;
  });
}
