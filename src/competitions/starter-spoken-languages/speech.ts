export const RATE = 6000;
const CLIP_SAMPLES = 5100;
const STEPS: number[] = [];
for (let step = 7; STEPS.length < 89; step *= 1.1) STEPS.push(Math.floor(step));
const MOVES = [-1, -1, -1, -1, 2, 4, 6, 8];

/** Samples from 4 bits each, as src/starter/data/adpcm.mjs writes them. */
export function readAdpcm(bytes: Uint8Array): Int16Array {
  let [level, index] = [0, 0];
  return Int16Array.from({ length: 2 * bytes.length }, (_, i) => {
    const code = (bytes[i >> 1] >> (i & 1 ? 4 : 0)) & 15;
    const move = Math.floor(((2 * (code & 7) + 1) * STEPS[index]) / 8);
    level = Math.max(-32768, Math.min(32767, level + (code & 8 ? -move : move)));
    index = Math.max(0, Math.min(STEPS.length - 1, index + MOVES[code & 7]));
    return level;
  });
}

/**
 * One call over a bad line: the voice higher or lower with its speed, dull or thin, with an echo, and
 * noise that may be half as loud as the voice. Only sums and products, so that every machine computes the same samples.
 */
export function overTheLine(samples: Int16Array, random: () => number): Int16Array {
  const between = (low: number, high: number) => low + (high - low) * random();
  const speed = between(0.84, 1.17);
  const gain = between(0.2, 0.8);
  const start = between(0, Math.max(0, samples.length - CLIP_SAMPLES * speed));
  const dull = between(0, 0.5);
  const thin = between(0, 0.5);
  const delay = Math.floor(between(0.01, 0.05) * RATE);
  const echo = between(0, 0.4);
  const noise = between(300, 5000);
  const clip = new Float64Array(CLIP_SAMPLES);
  let [soft, before] = [0, 0];
  for (let i = 0; i < CLIP_SAMPLES; i++) {
    const raw = sampleAt(samples, start + i * speed);
    soft = dull * soft + (1 - dull) * raw;
    clip[i] = soft - thin * before + (i >= delay ? echo * clip[i - delay] : 0);
    before = soft;
  }
  return Int16Array.from(clip, (value) => {
    const sum = gain * value + (random() + random() - 1) * noise;
    return Math.max(-32768, Math.min(32767, Math.round(sum)));
  });
}

/** Between two samples, the straight line; silence outside. */
function sampleAt(samples: Int16Array, position: number): number {
  if (position < 0 || position >= samples.length - 1) return 0;
  const before = Math.floor(position);
  return samples[before] + (position - before) * (samples[before + 1] - samples[before]);
}
