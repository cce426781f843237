/** A score as people write it: up to six significant digits, no trailing zeros. */
export function scoreText(score: number | null | undefined): string {
  if (score === null || score === undefined) return "–";
  return String(Number(score.toPrecision(6)));
}

export function percent(value: number, digits = 1): string {
  return `${value.toFixed(digits)} %`;
}

export function spanText(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 120) return `${Number(seconds.toPrecision(3))} s`;
  if (seconds < 7200) return `${Number((seconds / 60).toPrecision(3))} min`;
  return `${Number((seconds / 3600).toPrecision(3))} h`;
}

export function sizeText(bytes: number): string {
  const units = ["B", "KB", "MB", "GB", "TB"];
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${Number(value.toPrecision(3))} ${units[unit]}`;
}

export function countText(count: number): string {
  return count.toLocaleString("en-US");
}

export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
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
