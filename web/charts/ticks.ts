const STEPS = [
  ...[0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800],
  ...[3600, 7200, 10_800, 21_600, 43_200, 86_400],
];

/** Round moments of an axis of time, from 0 on: at most six, and none so near to the end that two labels touch. */
export function timeTicks(end: number): number[] {
  const step = STEPS.find((one) => end / one <= 6) ?? 86_400 * Math.ceil(end / 86_400 / 6);
  const ticks = Array.from({ length: Math.floor(end / step) + 1 }, (_, i) => Number((i * step).toFixed(1)));
  return ticks.filter((tick) => tick === 0 || end - tick > 0.06 * end);
}
