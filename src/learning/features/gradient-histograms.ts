import type { GrayImage } from "./gray-image.ts";

export interface GradientOptions {
  /** The picture is cut into cells × cells. */
  readonly cells?: number;
  readonly directions?: number;
}

/** Keeps a flat block from being blown up to noise. */
const FLAT = 1e-3;

/**
 * How strong the edges of each direction are in each cell (histograms of oriented gradients). Each block of 2 × 2
 * cells is scaled to length 1, so that brightness and contrast hardly matter; opposite directions count as one.
 */
export function gradientHistograms(image: GrayImage, options: GradientOptions = {}): Float64Array {
  const { cells = 7, directions = 9 } = options;
  const histograms = countEdges(image, cells, directions);
  const blocks = Math.max(1, cells - 1);
  const size = Math.min(2, cells);
  const result = new Float64Array(blocks * blocks * size * size * directions);
  let to = 0;
  for (let y = 0; y < blocks; y++) {
    for (let x = 0; x < blocks; x++) {
      const start = to;
      let square = FLAT;
      for (let cell = 0; cell < size * size; cell++) {
        const from = ((y + Math.floor(cell / size)) * cells + x + (cell % size)) * directions;
        for (let d = 0; d < directions; d++) {
          const value = histograms[from + d];
          result[to++] = value;
          square += value * value;
        }
      }
      const length = Math.sqrt(square);
      for (let i = start; i < to; i++) result[i] /= length;
    }
  }
  return result;
}

function countEdges({ width, height, pixels }: GrayImage, cells: number, directions: number): Float64Array {
  const histograms = new Float64Array(cells * cells * directions);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const dx = pixels[x + 1 < width ? at + 1 : at] - pixels[x > 0 ? at - 1 : at];
      const dy = pixels[y + 1 < height ? at + width : at] - pixels[y > 0 ? at - width : at];
      const strength = Math.sqrt(dx * dx + dy * dy);
      if (strength === 0) continue;
      // Shared between the two nearest directions, in proportion.
      const turn = ((Math.atan2(dy, dx) / Math.PI + 1) % 1) * directions;
      const low = Math.floor(turn) % directions;
      const share = turn - Math.floor(turn);
      const cell = Math.floor((y * cells) / height) * cells + Math.floor((x * cells) / width);
      histograms[cell * directions + low] += strength * (1 - share);
      histograms[cell * directions + ((low + 1) % directions)] += strength * share;
    }
  }
  return histograms;
}
