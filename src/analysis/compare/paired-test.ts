import { nextDouble, seededByInteger } from "../../random/mt19937.ts";

const PERMUTATIONS = 10_000;
const SEED = 20_260_102;

/**
 * How often chance alone makes a mean difference at least this large: in each pair the two agents change places at
 * random. Two-sided; never 0, because the observed arrangement is one of the possible ones.
 */
export function signFlipTest(differences: readonly number[], permutations = PERMUTATIONS): number {
  const present = differences.filter((difference) => difference !== 0);
  if (present.length === 0) return 1;
  const observed = Math.abs(present.reduce((sum, difference) => sum + difference, 0));
  // Rounding must not make an equal sum look smaller than the observed one.
  const enough = observed - 1e-9 * Math.max(1, observed);
  const generator = seededByInteger(SEED);
  let extreme = 0;
  for (let i = 0; i < permutations; i++) {
    let sum = 0;
    for (const difference of present) sum += nextDouble(generator) < 0.5 ? difference : -difference;
    if (Math.abs(sum) >= enough) extreme++;
  }
  return (extreme + 1) / (permutations + 1);
}
