import { studentDistribution } from "../../analysis/statistics/student-t.ts";
import { randomInteger, seededRandom } from "../../learning/seeded-random.ts";

export interface Correlation {
  pairs: number;
  pearson: number;
  /** Two-sided, by Student's t, as scipy gives it. */
  pearsonP: number;
  spearman: number;
  spearmanP: number;
  /** Percentile bootstrap of Pearson's r over pairs, 95 %. */
  bootstrap: { low: number; high: number; resamples: number };
  /** Two-sided: how often a random pairing correlates at least as strongly. */
  permutationP: number;
}

const RESAMPLES = 10_000;

/** Null with fewer than three pairs, or where one side never varies: nothing can be said then. */
export function correlate(x: readonly number[], y: readonly number[], seed = 0): Correlation | null {
  const pearson = pearsonR(x, y);
  if (x.length < 3 || Number.isNaN(pearson)) return null;
  const spearman = pearsonR(ranks(x), ranks(y));
  return {
    pairs: x.length,
    pearson,
    pearsonP: tTest(pearson, x.length),
    spearman,
    spearmanP: tTest(spearman, x.length),
    bootstrap: { ...bootstrap(x, y, seed), resamples: RESAMPLES },
    permutationP: permutation(x, y, pearson, seed),
  };
}

/** NaN where one side does not vary. */
function pearsonR(x: readonly number[], y: readonly number[]): number {
  const n = x.length;
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / n;
  const [mx, my] = [mean(x), mean(y)];
  let [xy, xx, yy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [dx, dy] = [x[i] - mx, y[i] - my];
    xy += dx * dy;
    xx += dx * dx;
    yy += dy * dy;
  }
  return Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy)));
}

/** Equal values share the mean of their places. */
function ranks(values: readonly number[]): number[] {
  const order = values.map((_, i) => i).sort((a, b) => values[a] - values[b]);
  const result = new Array<number>(values.length);
  for (let from = 0; from < order.length; ) {
    let to = from;
    while (to + 1 < order.length && values[order[to + 1]] === values[order[from]]) to++;
    for (let i = from; i <= to; i++) result[order[i]] = (from + to) / 2 + 1;
    from = to + 1;
  }
  return result;
}

function tTest(r: number, n: number): number {
  const degrees = n - 2;
  if (Math.abs(r) === 1) return 0;
  const t = Math.abs(r) * Math.sqrt(degrees / (1 - r * r));
  return 2 * (1 - studentDistribution(t, degrees));
}

function bootstrap(x: readonly number[], y: readonly number[], seed: number): { low: number; high: number } {
  const random = seededRandom(seed);
  const drawn: number[] = [];
  while (drawn.length < RESAMPLES) {
    const chosen = x.map(() => randomInteger(random, x.length));
    const r = pearsonR(
      chosen.map((i) => x[i]),
      chosen.map((i) => y[i]),
    );
    // A resample of one pair alone has no correlation.
    drawn.push(Number.isNaN(r) ? 0 : r);
  }
  drawn.sort((a, b) => a - b);
  return { low: quantile(drawn, 0.025), high: quantile(drawn, 0.975) };
}

function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const below = Math.floor(place);
  return sorted[below] + (place - below) * ((sorted[below + 1] ?? sorted[below]) - sorted[below]);
}

/** The observed pairing is one of them, so that the share is never 0. */
function permutation(x: readonly number[], y: readonly number[], observed: number, seed: number): number {
  const random = seededRandom(seed + 1);
  const shuffled = [...y];
  let extreme = 0;
  for (let run = 0; run < RESAMPLES; run++) {
    for (let i = shuffled.length - 1; i > 0; i--) {
      const j = randomInteger(random, i + 1);
      [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
    }
    if (Math.abs(pearsonR(x, shuffled)) >= Math.abs(observed) - 1e-12) extreme++;
  }
  return (extreme + 1) / (RESAMPLES + 1);
}
