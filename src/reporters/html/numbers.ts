/** A score as people write it: up to six significant digits, no trailing zeros. */
export function scoreText(score: number | null | undefined): string {
  if (score === null || score === undefined) return "–";
  return String(Number(score.toPrecision(6)));
}

export function percent(value: number, digits = 1): string {
  return `${value.toFixed(digits)} %`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** At most so many of them, evenly over the order they are in; the first and the last are kept. */
export function thinned<T>(values: readonly T[], most: number): T[] {
  if (values.length <= most) return [...values];
  return Array.from({ length: most }, (_, i) => values[Math.round((i * (values.length - 1)) / (most - 1))]);
}

/** One decimal is finer than any screen, and keeps a page of ten thousand marks small. */
export function pixel(value: number): number {
  return Math.round(value * 10) / 10;
}
