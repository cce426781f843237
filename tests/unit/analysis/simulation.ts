import { signFlipTest } from "../../../src/analysis/compare/paired-test.ts";
import {
  bootstrapInterval,
  type Interval,
  studentInterval,
} from "../../../src/analysis/statistics/intervals.ts";
import { nextDouble, seededByInteger } from "../../../src/random/mt19937.ts";

const COMPETITIONS = 20;
const SEEDS = 5;

/**
 * How often the intervals hold the truth, when the truth is known: competitions have their own medal probability,
 * drawn from a mixture of hard, open and easy ones, and every run is a coin with it.
 */
export function coverage({ repetitions, resamples }: { repetitions: number; resamples: number }) {
  const generator = seededByInteger(7);
  const random = () => nextDouble(generator);
  const draw = () => {
    const kind = random();
    if (kind < 0.4) return 0.05 + 0.1 * random();
    return kind < 0.7 ? random() : 0.7 + 0.3 * random();
  };
  const population = 100 * (0.4 * 0.1 + 0.3 * 0.5 + 0.3 * 0.85);
  let overSeeds = 0;
  let overBoth = 0;
  for (let i = 0; i < repetitions; i++) {
    const chances = Array.from({ length: COMPETITIONS }, draw);
    const runs = chances.map((chance) => Array.from({ length: SEEDS }, () => (random() < chance ? 100 : 0)));
    const perSeed = Array.from({ length: SEEDS }, (_, seed) => mean(runs.map((row) => row[seed])));
    if (holds(studentInterval(perSeed)!, 100 * mean(chances))) overSeeds++;
    if (holds(bootstrapInterval(runs, resamples), population)) overBoth++;
  }
  return { overSeeds: overSeeds / repetitions, overBoth: overBoth / repetitions };
}

/** How often two agents of equal strength come out significantly different at 5 %. */
export function falsePositiveRate({
  repetitions,
  permutations,
}: {
  repetitions: number;
  permutations: number;
}) {
  const generator = seededByInteger(8);
  const medal = () => (nextDouble(generator) < 0.4 ? 1 : 0);
  let found = 0;
  for (let i = 0; i < repetitions; i++) {
    const differences = Array.from({ length: COMPETITIONS * SEEDS }, () => medal() - medal());
    if (signFlipTest(differences, permutations) <= 0.05) found++;
  }
  return found / repetitions;
}

function holds({ low, high }: Interval, truth: number): boolean {
  return low <= truth && truth <= high;
}

function mean(values: number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
