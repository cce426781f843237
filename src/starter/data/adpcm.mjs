// ADPCM as IMA's, without headers: 4 bits a sample, each the difference to what the samples before it foretell, in steps that
// grow where the wave moves fast. Every recording begins anew from silence. Its reader is in the competition's preparer.
const STEPS = [];
for (let step = 7; STEPS.length < 89; step *= 1.1) STEPS.push(Math.floor(step));
const MOVES = [-1, -1, -1, -1, 2, 4, 6, 8];

/** Two samples a byte, the first in the low half. */
export function adpcm(samples) {
  const bytes = Buffer.alloc(Math.ceil(samples.length / 2));
  let [level, index] = [0, 0];
  for (const [i, sample] of samples.entries()) {
    const step = STEPS[index];
    const wanted = Math.min(7, Math.floor((4 * Math.abs(sample - level)) / step));
    const move = Math.floor(((2 * wanted + 1) * step) / 8);
    const down = sample < level;
    level = Math.max(-32768, Math.min(32767, level + (down ? -move : move)));
    index = Math.max(0, Math.min(88, index + MOVES[wanted]));
    bytes[i >> 1] |= (wanted | (down ? 8 : 0)) << (i & 1 ? 4 : 0);
  }
  return bytes;
}
