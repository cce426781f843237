import { pictureNetworkSeconds } from "../../../learning/cost.ts";
import type { GrayImage } from "../../../learning/features/gray-image.ts";
import {
  fitPictureNetwork,
  pictureNetworkProducts,
} from "../../../learning/networks/planes/picture-network.ts";
import type { PixelPredictions, PixelTask } from "./pixel-stages.ts";

export interface NetworkPlan {
  readonly widths: readonly number[];
  readonly epochs: number;
}

/** Pictures by a network: of some training images, by a network that had not seen them, and of the test. */
export interface NetworkPictures {
  /** Which training images were held back. */
  readonly held: readonly number[];
  readonly ofHeld: readonly GrayImage[];
  readonly test: readonly GrayImage[];
}

/** Of the planned time, where there is a network too. */
export const SHARE_OF_TREES = 0.45;
/** Every so many-th image is held back. */
const HELD = 5;
const MIN_IMAGES = 20;
const MIN_EPOCHS = 12;
const MAX_EPOCHS = 60;
/** From strong to weak: at the full size, at half, at a quarter … */
const WIDTHS = [
  [16, 32, 64],
  [16, 32, 32],
  [8, 16, 32, 32],
  [8, 16, 16],
];
/** A stronger network wants this much training before it is worth more than a weaker one. */
const ENOUGH_EPOCHS = 25;
const MAX_PIXELS = 256 * 256;

/** The strongest network that can be trained enough in the time, or else the weakest for as long as it goes; or none. */
export function planPictureNetwork({ images, test }: PixelTask, seconds: number): NetworkPlan | null {
  const [{ width, height }] = images;
  const isOneSize = [...images, ...test].every((image) => image.width === width && image.height === height);
  const pixels = width * height;
  if (!isOneSize || images.length < MIN_IMAGES || pixels > MAX_PIXELS || Math.min(width, height) < 16)
    return null;
  const trained = images.length - Math.ceil(images.length / HELD);
  const seen = images.length - trained + test.length;
  const epochsOf = (widths: readonly number[]) => {
    const products = pictureNetworkProducts(widths);
    const fixed = pictureNetworkSeconds({ products, pixels, trained: 0, epochs: 0, predicted: seen });
    const each = pictureNetworkSeconds({ products, pixels, trained, epochs: 1, predicted: 0 });
    return Math.min(MAX_EPOCHS, Math.floor((seconds - fixed) / each));
  };
  const plans = WIDTHS.map((widths) => ({ widths, epochs: epochsOf(widths) }));
  const chosen = plans.find(({ epochs }) => epochs >= ENOUGH_EPOCHS) ?? plans.at(-1);
  return chosen !== undefined && chosen.epochs >= MIN_EPOCHS ? chosen : null;
}

/** Null if it was told to stop. */
export function networkPictures(
  { images, targets, test, loss, seed }: PixelTask,
  { widths, epochs }: NetworkPlan,
  shouldStop: () => boolean,
): NetworkPictures | null {
  const [{ width, height }] = images;
  const all = images.map((_, i) => i);
  const held = all.filter((i) => i % HELD === 0);
  const known = all.filter((i) => i % HELD !== 0);
  const pixelsOf = (list: readonly GrayImage[]) => list.map(({ pixels }) => Float32Array.from(pixels));
  const predict = fitPictureNetwork(
    { width, height, pictures: pixelsOf(known.map((i) => images[i])) },
    known.map((i) => targets[i]),
    { loss, widths, epochs, seed, shouldStop },
  );
  if (shouldStop()) return null;
  const made = (list: readonly GrayImage[]) =>
    predict(pixelsOf(list)).map((pixels) => ({ width, height, pixels }));
  const found = { held, ofHeld: made(held.map((i) => images[i])), test: made(test) };
  return shouldStop() ? null : found;
}

/** Of the network beside the trees. */
const SHARES = [1, 0.85, 0.7, 0.5, 0.3, 0];

/** The mix of the network with what stood there before that is worth most on the pictures held back. */
export function bestMix(
  made: NetworkPictures,
  before: PixelPredictions | null,
  worth: (known: readonly GrayImage[]) => number,
): { share: number; known: readonly GrayImage[]; test: readonly GrayImage[]; worth: number } {
  const alone = { share: 1, known: made.ofHeld, test: made.test, worth: worth(made.ofHeld) };
  if (before === null) return alone;
  const ofHeld = made.held.map((i) => before.outOfFold[i]);
  let best: ReturnType<typeof bestMix> = alone;
  for (const share of SHARES) {
    const known = mixPictures(made.ofHeld, ofHeld, share);
    const own = worth(known);
    if (own > best.worth)
      best = { share, known, test: mixPictures(made.test, before.test, share), worth: own };
  }
  return best;
}

/** Picture by picture, a share of the one and the rest of the other. */
function mixPictures(a: readonly GrayImage[], b: readonly GrayImage[], share: number): GrayImage[] {
  return a.map(({ width, height, pixels }, i) => ({
    width,
    height,
    pixels: Float32Array.from(pixels, (value, p) => share * value + (1 - share) * b[i].pixels[p]),
  }));
}
