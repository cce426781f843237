/**
 * The probability that at least one of k attempts succeeds, estimated without bias from `successes` among `attempts`:
 * 1 − C(n − c, k) / C(n, k). Null when there are fewer than k attempts.
 */
export function passAtK(attempts: number, successes: number, k: number): number | null {
  if (k > attempts || k < 1) return null;
  let allFail = 1;
  // The quotient of the binomials, factor by factor: the binomials themselves overflow.
  for (let i = 0; i < k; i++) allFail *= (attempts - successes - i) / (attempts - i);
  return 1 - Math.max(0, allFail);
}

/** The mean of pass@k over competitions, for every k that all of them have attempts for. */
export function passCurve(
  competitions: readonly { attempts: number; successes: number }[],
): { k: number; rate: number }[] {
  const most = Math.min(...competitions.map(({ attempts }) => attempts));
  return Array.from({ length: Number.isFinite(most) ? most : 0 }, (_, i) => {
    const rates = competitions.map(({ attempts, successes }) => passAtK(attempts, successes, i + 1)!);
    return { k: i + 1, rate: rates.reduce((sum, rate) => sum + rate, 0) / rates.length };
  });
}
