/** Brightness, row by row. */
export interface GrayImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Float32Array | Float64Array;
}

/** Scales a picture to the given size; each new pixel is the mean of the area it covers (or the nearest, enlarged). */
export function resizeImage(image: GrayImage, width: number, height: number): GrayImage {
  const across = new Float32Array(width * image.height);
  for (let y = 0; y < image.height; y++) {
    resizeLine(image.pixels, y * image.width, 1, image.width, across, y * width, 1, width);
  }
  const pixels = new Float32Array(width * height);
  for (let x = 0; x < width; x++) resizeLine(across, x, width, image.height, pixels, x, width, height);
  return { width, height, pixels };
}

function resizeLine(
  from: ArrayLike<number>,
  fromStart: number,
  fromStep: number,
  fromSize: number,
  to: Float32Array,
  toStart: number,
  toStep: number,
  toSize: number,
): void {
  for (let i = 0; i < toSize; i++) {
    const [low, high] = [(i * fromSize) / toSize, ((i + 1) * fromSize) / toSize];
    let sum = 0;
    for (let at = Math.floor(low); at < high && at < fromSize; at++) {
      const covered = Math.min(high, at + 1) - Math.max(low, at);
      sum += covered * from[fromStart + at * fromStep];
    }
    to[toStart + i * toStep] = sum / (high - low);
  }
}
