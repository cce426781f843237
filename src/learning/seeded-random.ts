/** Draws a number in [0, 1). Own state, so that two learners never disturb each other. */
export type Random = () => number;

/** The same seed gives the same numbers on every machine. Not numpy's generator: nothing here has to match Python. */
export function seededRandom(seed: number): Random {
  let [a, b, c, counter] = [seed | 0, Math.floor(seed / 2 ** 32) | 0, 0x9e3779b9, 1];
  const next = () => {
    const sum = (a + b + counter) | 0;
    counter = (counter + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  // Neighbouring seeds start alike; after these draws they no longer do.
  for (let i = 0; i < 16; i++) next();
  return next;
}

/** A whole number from 0 up to, not including, `limit`. */
export function randomInteger(random: Random, limit: number): number {
  return Math.floor(random() * limit);
}

/** A draw from the standard normal distribution; consumes two numbers. */
export function randomNormal(random: Random): number {
  const radius = Math.sqrt(-2 * Math.log(1 - random()));
  return radius * Math.cos(2 * Math.PI * random());
}

/** The numbers below `count` in random order. */
export function shuffledOrder(count: number, random: Random): Int32Array {
  const order = Int32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = randomInteger(random, i + 1);
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}

/** `size` different numbers below `count`, in ascending order. */
export function randomSubset(count: number, size: number, random: Random): Int32Array {
  return shuffledOrder(count, random).slice(0, size).sort();
}
