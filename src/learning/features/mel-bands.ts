import type { DenseMatrix } from "../matrix.ts";
import { transformFourier } from "./fft.ts";

export interface MelOptions {
  readonly sampleRate: number;
  readonly bands?: number;
  /** Samples in one frame, a power of two; frames overlap by half. */
  readonly frame?: number;
}

/** Power below this share of full scale is silence. */
const SILENCE = 1e-10;

/**
 * The logarithm of the power in bands as the ear spaces them, frame by frame. A recording shorter than a frame is
 * filled up with silence to one.
 */
export function logMelBands(samples: ArrayLike<number>, options: MelOptions): DenseMatrix {
  const { sampleRate, bands = 40, frame = 1024 } = options;
  const hop = frame / 2;
  const frames = Math.max(1, 1 + Math.floor((samples.length - frame) / hop));
  const filters = melFilters(sampleRate, bands, frame);
  const window = Float64Array.from(
    { length: frame },
    (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frame),
  );
  const values = new Float64Array(frames * bands);
  const real = new Float64Array(frame);
  const imaginary = new Float64Array(frame);
  for (let row = 0; row < frames; row++) {
    for (let i = 0; i < frame; i++) real[i] = (samples[row * hop + i] ?? 0) * window[i];
    imaginary.fill(0);
    transformFourier(real, imaginary);
    for (let band = 0; band < bands; band++) {
      const { from, weights } = filters[band];
      let power = 0;
      for (let i = 0; i < weights.length; i++) {
        power += weights[i] * (real[from + i] ** 2 + imaginary[from + i] ** 2);
      }
      values[row * bands + band] = Math.log(power / frame + SILENCE);
    }
  }
  return { rows: frames, columns: bands, values };
}

/** Mean, deviation, largest, and mean change from frame to frame of every band: one row for a whole recording. */
export function summariseFrames({ rows, columns, values }: DenseMatrix): Float64Array {
  const summary = new Float64Array(columns * 4);
  for (let band = 0; band < columns; band++) {
    let [sum, squares, change, largest] = [0, 0, 0, Number.NEGATIVE_INFINITY];
    for (let row = 0; row < rows; row++) {
      const value = values[row * columns + band];
      sum += value;
      squares += value * value;
      largest = Math.max(largest, value);
      if (row > 0) change += Math.abs(value - values[(row - 1) * columns + band]);
    }
    const mean = sum / rows;
    summary[band] = mean;
    summary[columns + band] = Math.sqrt(Math.max(0, squares / rows - mean * mean));
    summary[2 * columns + band] = largest;
    summary[3 * columns + band] = rows > 1 ? change / (rows - 1) : 0;
  }
  return summary;
}

/** Triangles between neighbouring points of the mel scale; a narrow one still covers its nearest frequency. */
function melFilters(sampleRate: number, bands: number, frame: number) {
  const highest = toMel(sampleRate / 2);
  const points = Array.from(
    { length: bands + 2 },
    (_, i) => (fromMel((highest * i) / (bands + 1)) * frame) / sampleRate,
  );
  return Array.from({ length: bands }, (_, band) => {
    const [low, middle, high] = points.slice(band, band + 3);
    const from = Math.min(Math.round(middle), Math.ceil(low));
    const to = Math.max(Math.round(middle), Math.floor(high));
    const weights = Float64Array.from({ length: to - from + 1 }, (_, i) => {
      const at = from + i;
      const height = at <= middle ? (at - low) / (middle - low) : (high - at) / (high - middle);
      return Math.max(height, at === Math.round(middle) ? 0.5 : 0);
    });
    return { from, weights };
  });
}

function toMel(hertz: number): number {
  return 2595 * Math.log10(1 + hertz / 700);
}

function fromMel(mel: number): number {
  return 700 * (10 ** (mel / 2595) - 1);
}
