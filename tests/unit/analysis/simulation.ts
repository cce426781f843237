import { differenceOf } from "../../../src/analysis/compare/difference.ts";
import { type Effect, powerOf, seedsToSeparate } from "../../../src/analysis/compare/planner.ts";
import {
  type Interval,
  overSeedsInterval,
  rateInterval,
} from "../../../src/analysis/statistics/intervals.ts";
import { nextDouble, seededByInteger } from "../../../src/random/mt19937.ts";

export interface Campaign {
  competitions: number;
  seeds: number;
}

interface Simulation extends Campaign {
  repetitions: number;
}

/** How many of the printed intervals hold the truth, when the truth is known. */
export interface Coverage {
  rateOverSeeds: number;
  rateOverCompetitions: number;
  differenceOverSeeds: number;
  differenceOverCompetitions: number;
  percentilesOverSeeds: number;
  percentilesOverCompetitions: number;
}

type Random = () => number;

/** Competitions have their own medal probability, from a mixture of hard, open and easy ones; a run is a coin with it. */
function chance(random: Random): number {
  const kind = random();
  if (kind < 0.4) return 0.05 + 0.1 * random();
  return kind < 0.7 ? random() : 0.7 + 0.3 * random();
}
const POPULATION = 0.4 * 0.1 + 0.3 * 0.5 + 0.3 * 0.85;

/** Two agents that are equal on average only: on every competition one of them is better by up to `reach`. */
function unlike(random: Random, reach = 0.6): [number, number] {
  const middle = 0.3 + 0.4 * random();
  const lead = (random() - 0.5) * reach;
  return [middle + lead / 2, middle - lead / 2];
}

/** What chance does to a percentile: mostly little, now and then very much, on the average nothing. */
const slip = (random: Random) => 60 * (random() ** 3 - 0.25);

function generatorOf(seed: number): Random {
  const generator = seededByInteger(seed);
  return () => nextDouble(generator);
}

const filled = <T>(count: number, make: () => T): T[] => Array.from({ length: count }, make);

export function coverage({ competitions, seeds, repetitions }: Simulation): Coverage {
  const random = generatorOf(7);
  const coin = (probability: number) => (random() < probability ? 100 : 0);
  const counted = { rateOverSeeds: [0, 0], rateOverCompetitions: [0, 0] };
  const paired = { differenceOverSeeds: [0, 0], differenceOverCompetitions: [0, 0] };
  const percentiles = { percentilesOverSeeds: [0, 0], percentilesOverCompetitions: [0, 0] };
  for (let i = 0; i < repetitions; i++) {
    const chances = filled(competitions, () => chance(random));
    const runs = chances.map((probability) => filled(seeds, () => coin(probability)));
    count(counted.rateOverSeeds, overSeedsInterval(runs), 100 * mean(chances));
    count(counted.rateOverCompetitions, rateInterval(runs.map(mean)), 100 * POPULATION);
    const pairs = filled(competitions, () => unlike(random));
    const differences = pairs.map(([a, b]) => filled(seeds, () => coin(a) - coin(b)));
    const found = differenceOf(differences)!;
    count(paired.differenceOverSeeds, found.overSeeds, 100 * mean(pairs.map(([a, b]) => a - b)));
    count(paired.differenceOverCompetitions, found.overBoth, 0);
    const leads = filled(competitions, () => 50 * (random() - 0.5));
    const ranks = differenceOf(leads.map((lead) => filled(seeds, () => lead + slip(random) - slip(random))))!;
    count(percentiles.percentilesOverSeeds, ranks.overSeeds, mean(leads));
    count(percentiles.percentilesOverCompetitions, ranks.overBoth, 0);
  }
  const shares = Object.entries({ ...counted, ...paired, ...percentiles }).map(([name, [held, printed]]) => [
    name,
    held / printed,
  ]);
  return Object.fromEntries(shares) as Coverage;
}

/** How often `compare` calls two agents different that are not: the same agent twice, and agents equal on average only. */
export function falsePositives({ competitions, seeds, repetitions }: Simulation) {
  const random = generatorOf(8);
  const coin = (probability: number) => (random() < probability ? 100 : 0);
  let identical = 0;
  let onAverage = 0;
  let percentiles = 0;
  for (let i = 0; i < repetitions; i++) {
    const same = filled(competitions, () => {
      const probability = chance(random);
      return filled(seeds, () => coin(probability) - coin(probability));
    });
    const other = filled(competitions, () => {
      const [a, b] = unlike(random, 1);
      return filled(seeds, () => coin(a) - coin(b));
    });
    if (!differenceOf(same)!.withinNoise) identical++;
    if (!differenceOf(other)!.withinNoise) onAverage++;
    const ranks = filled(competitions, () => {
      const lead = 50 * (random() - 0.5);
      return filled(seeds, () => lead + slip(random) - slip(random));
    });
    if (!differenceOf(ranks)!.withinNoise) percentiles++;
  }
  return {
    identical: identical / repetitions,
    onAverage: onAverage / repetitions,
    percentiles: percentiles / repetitions,
  };
}

/** What the planner promises for a campaign, and how often its difference is found there. */
export function promisedAndFound({ competitions, seeds, repetitions }: Simulation, lead: number) {
  const random = generatorOf(9);
  const coin = (probability: number) => (random() < probability ? 100 : 0);
  const reach = 0.4;
  let found = 0;
  for (let i = 0; i < repetitions; i++) {
    const differences = filled(competitions, () => {
      const [a, b] = unlike(random, reach);
      return filled(seeds, () => coin(a + lead / 2) - coin(b - lead / 2));
    });
    if (!differenceOf(differences)!.withinNoise) found++;
  }
  return { promised: powerOf(trueEffect(lead, reach), competitions, seeds), found: found / repetitions };
}

/** Of `unlike`, worked out: the lead is uniform, and the two coins vary around it. */
function trueEffect(lead: number, reach: number): Effect {
  const between = (100 * reach) ** 2 / 12;
  const middle = 0.25 - 0.4 ** 2 / 12;
  const within = 100 ** 2 * 2 * (middle - (lead ** 2 + reach ** 2 / 12) / 4);
  return { mean: 100 * lead, between, within };
}

/** How often the interval over seeds leaves out zero with as many seeds as the planner asks for. */
export function separatedHere({ competitions, repetitions }: Omit<Simulation, "seeds">, lead: number) {
  const random = generatorOf(10);
  const [a, b] = [0.5 + lead / 2, 0.5 - lead / 2];
  const within = 100 ** 2 * (a * (1 - a) + b * (1 - b));
  const seeds = seedsToSeparate({ mean: 100 * lead, within }, competitions)!;
  const coin = (probability: number) => (random() < probability ? 100 : 0);
  let found = 0;
  for (let i = 0; i < repetitions; i++) {
    const differences = filled(competitions, () => filled(seeds, () => coin(a) - coin(b)));
    const { overSeeds } = differenceOf(differences)!;
    if (overSeeds !== null && (overSeeds.low > 0 || overSeeds.high < 0)) found++;
  }
  return { seeds, found: found / repetitions };
}

/** Only intervals that are printed count. */
function count(tally: number[], interval: Interval | null, truth: number): void {
  if (interval === null) return;
  tally[1]++;
  if (interval.low <= truth && truth <= interval.high) tally[0]++;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
