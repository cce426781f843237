import { resizeImage } from "../../../learning/features/gray-image.ts";
import { logMelBands, summariseFrames } from "../../../learning/features/mel-bands.ts";
import type { DenseMatrix } from "../../../learning/matrix.ts";
import { readWav, type Sound } from "../reading/wav.ts";

const BANDS = 24;
const FRAME = 512;
const STRETCHES = 4;

/** Bands over time, in the size that a network sees. */
export const SPECTRUM = { width: 32, height: BANDS };

export interface SoundFeatures {
  /** NaN for a file that cannot be read. */
  readonly described: DenseMatrix;
  /** A row of the picture for each band; 0 for a file that cannot be read. */
  readonly spectra: DenseMatrix;
}

/**
 * What each recording sounds like: its bands as a whole and in four stretches, loudness taken out. `width` is that of
 * other recordings.
 */
export function soundFeatures(
  read: (row: number) => Buffer | null,
  rows: number,
  width?: number,
): SoundFeatures {
  const size = SPECTRUM.width * SPECTRUM.height;
  const spectra = new Float32Array(rows * size);
  const described = Array.from({ length: rows }, (_, row) => {
    const bytes = read(row);
    const sound = bytes && readWav(bytes);
    if (sound === null) return null;
    spectra.set(spectrum(sound), row * size);
    return describe(sound);
  });
  const columns = width ?? described.find((one) => one !== null)?.length ?? 0;
  const values = new Float64Array(rows * columns).fill(Number.NaN);
  for (const [row, own] of described.entries()) if (own?.length === columns) values.set(own, row * columns);
  return {
    described: { rows, columns, values },
    spectra: { rows, columns: size, values: spectra },
  };
}

/** Shorter frames than for the description: a network finds out for itself what lasts. */
function spectrum({ samples, sampleRate }: Sound): Float32Array {
  const bands = logMelBands(samples, { sampleRate, bands: BANDS, frame: FRAME / 2 });
  const byBand = new Float32Array(bands.values.length);
  for (let frame = 0; frame < bands.rows; frame++)
    for (let band = 0; band < BANDS; band++)
      byBand[band * bands.rows + frame] = bands.values[frame * BANDS + band];
  const image = { width: bands.rows, height: BANDS, pixels: byBand };
  const { pixels } = resizeImage(image, SPECTRUM.width, SPECTRUM.height);
  const level = mean(pixels);
  const deviation = Math.sqrt(mean(pixels.map((value) => (value - level) ** 2))) || 1;
  return Float32Array.from(pixels, (value) => (value - level) / deviation);
}

function describe({ samples, sampleRate }: Sound): Float64Array {
  const bands = logMelBands(samples, { sampleRate, bands: BANDS, frame: FRAME });
  const level = mean(bands.values);
  const relative = { ...bands, values: bands.values.map((value) => value - level) };
  const frameLevels = Array.from({ length: bands.rows }, (_, frame) =>
    mean(bands.values.subarray(frame * BANDS, (frame + 1) * BANDS)),
  );
  const loudest = frameLevels.indexOf(Math.max(...frameLevels));
  const fall = frameLevels[loudest] - (frameLevels.at(-1) ?? 0);
  return Float64Array.from([
    ...summariseFrames(relative),
    ...stretches(relative),
    ...shape(relative.values.subarray(loudest * BANDS, (loudest + 1) * BANDS)),
    loudest / bands.rows,
    fall,
    zeroCrossings(samples),
  ]);
}

/** The mean of each band in each stretch of time. */
function stretches({ rows, values }: DenseMatrix): number[] {
  return Array.from({ length: STRETCHES * BANDS }, (_, i) => {
    const [stretch, band] = [Math.floor(i / BANDS), i % BANDS];
    const from = Math.min(rows - 1, Math.floor((stretch * rows) / STRETCHES));
    const to = Math.max(from + 1, Math.floor(((stretch + 1) * rows) / STRETCHES));
    let sum = 0;
    for (let frame = from; frame < to; frame++) sum += values[frame * BANDS + band];
    return sum / (to - from);
  });
}

/** A spectrum's first cosine coefficients: where its weight lies, whatever its single bands do. */
function shape(bands: ArrayLike<number>): number[] {
  return Array.from({ length: 8 }, (_, order) => {
    let sum = 0;
    for (let i = 0; i < bands.length; i++)
      sum += bands[i] * Math.cos((Math.PI * (order + 1) * (i + 0.5)) / bands.length);
    return sum;
  });
}

function zeroCrossings(samples: Float64Array): number {
  let crossings = 0;
  for (let i = 1; i < samples.length; i++) if (samples[i] >= 0 !== samples[i - 1] >= 0) crossings++;
  return crossings / Math.max(1, samples.length);
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / Math.max(1, values.length);
}
