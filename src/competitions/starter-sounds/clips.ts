export const RATE = 11_025;
const CLIP_SAMPLES = 5512;

/**
 * One way of playing a recording: a little faster or slower, louder or softer, after a short pause, with hiss. Only
 * sums and products, so that every machine computes the same samples.
 */
export function distorted(samples: Int16Array, random: () => number): Int16Array {
  const speed = 0.85 + 0.32 * random();
  const gain = 0.25 + 0.7 * random();
  const pause = Math.floor(random() * 0.06 * RATE);
  const hiss = 1500 * random() * random();
  return Int16Array.from({ length: CLIP_SAMPLES }, (_, i) => {
    const noise = (random() + random() - 1) * hiss;
    return Math.round(gain * sampleAt(samples, (i - pause) * speed) + noise);
  });
}

/** Between two samples, the straight line; silence outside. */
function sampleAt(samples: Int16Array, position: number): number {
  if (position < 0 || position >= samples.length - 1) return 0;
  const before = Math.floor(position);
  return samples[before] + (position - before) * (samples[before + 1] - samples[before]);
}
