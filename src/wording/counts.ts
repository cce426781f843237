/** A count as people write it: 12,345. */
export function countText(count: number): string {
  return count.toLocaleString("en-US");
}

/** "1 trial", "2 trials"; a noun with another plural brings it. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1 ? one : many}`;
}
