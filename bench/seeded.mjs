export { seeded } from "../src/starter/data/seeded.mjs";

/** The numbers below `count` in random order. */
export function shuffledOrder(count, random) {
  const order = Uint32Array.from({ length: count }, (_, i) => i);
  for (let i = count - 1; i > 0; i--) {
    const other = Math.floor(random() * (i + 1));
    [order[i], order[other]] = [order[other], order[i]];
  }
  return order;
}
