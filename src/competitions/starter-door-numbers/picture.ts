const DIGIT = 28;
/** The darkest ink of a raw digit. */
const INK = 15;
export const WIDTH = 48;
export const HEIGHT = 32;
/** How far ink and wall must differ at least, of 255. */
const CONTRAST = 60;
const GRAIN = 70;

/**
 * Two digits on a wall: each leaning, stretched and somewhere near its place, over a blotchy background with scratches,
 * lighter or darker than it, in grain. Only sums and products, so that every machine computes the same pixels.
 */
export function doorNumber(tens: Uint8Array, ones: Uint8Array, random: () => number): Uint8Array {
  const between = (low: number, high: number) => low + (high - low) * random();
  const wall = between(40, 215);
  const blotches = valueNoise(Math.floor(between(5, 16)), random);
  const unevenness = between(30, 110);
  const light = wall < 128 ? random() < 0.85 : random() < 0.15;
  const ink = light
    ? between(Math.min(235, wall + CONTRAST), 255)
    : between(0, Math.max(20, wall - CONTRAST));
  const picture = blotches.map((value) => wall + unevenness * (value - 0.5));
  for (let scratch = Math.floor(between(1, 6)); scratch > 0; scratch--) drawScratch(picture, ink, random);
  const [left, right] = [between(11, 16), between(31, 37)];
  drawDigit(picture, tens, left, ink, random);
  drawDigit(picture, ones, right, ink, random);
  const grain = between(0.3, 1) * GRAIN;
  return Uint8Array.from(picture, (value) =>
    Math.min(255, Math.max(0, Math.round(value + (random() + random() - 1) * grain))),
  );
}

function drawDigit(
  picture: Float64Array,
  digit: Uint8Array,
  centre: number,
  ink: number,
  random: () => number,
): void {
  const [across, down] = [0.6 + 0.35 * random(), 0.65 + 0.4 * random()];
  const [lean, tilt] = [0.8 * random() - 0.4, 0.5 * random() - 0.25];
  const middle = HEIGHT / 2 + 8 * random() - 4;
  for (let y = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++) {
      const [dx, dy] = [x - centre, y - middle];
      const cover = inkAt(digit, (dx + lean * dy) / across + DIGIT / 2, (dy + tilt * dx) / down + DIGIT / 2);
      if (cover > 0) picture[y * WIDTH + x] += cover * (ink - picture[y * WIDTH + x]);
    }
  }
}

/** From 0 to 1, between pixels by straight lines; none outside. */
function inkAt(digit: Uint8Array, x: number, y: number): number {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left >= DIGIT - 1 || top >= DIGIT - 1) return 0;
  const [fx, fy] = [x - left, y - top];
  const at = top * DIGIT + left;
  const upper = digit[at] * (1 - fx) + digit[at + 1] * fx;
  const lower = digit[at + DIGIT] * (1 - fx) + digit[at + DIGIT + 1] * fx;
  return (upper * (1 - fy) + lower * fy) / INK;
}

/** A thin straight line as dark or light as the digits, which a digit is not. */
function drawScratch(picture: Float64Array, ink: number, random: () => number): void {
  let [x, y] = [WIDTH * random(), HEIGHT * random()];
  const [dx, dy] = [2 * random() - 1, 2 * random() - 1];
  const strength = 0.4 + 0.6 * random();
  for (let steps = Math.floor(8 + 22 * random()); steps > 0; steps--) {
    const [column, row] = [Math.floor(x), Math.floor(y)];
    if (column >= 0 && row >= 0 && column < WIDTH && row < HEIGHT)
      picture[row * WIDTH + column] += strength * (ink - picture[row * WIDTH + column]);
    [x, y] = [x + dx, y + dy];
  }
}

/** Random values on a grid of this width, joined by straight lines. */
function valueNoise(cell: number, random: () => number): Float64Array {
  const side = Math.ceil(WIDTH / cell) + 2;
  const grid = Float64Array.from({ length: side * (Math.ceil(HEIGHT / cell) + 2) }, random);
  return Float64Array.from({ length: WIDTH * HEIGHT }, (_, i) => {
    const [x, y] = [(i % WIDTH) / cell, Math.floor(i / WIDTH) / cell];
    const [gx, gy] = [Math.floor(x), Math.floor(y)];
    const [fx, fy] = [x - gx, y - gy];
    const row = (at: number) => grid[at] * (1 - fx) + grid[at + 1] * fx;
    return row(gy * side + gx) * (1 - fy) + row((gy + 1) * side + gx) * fy;
  });
}
