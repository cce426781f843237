/** Fast Fourier transform in place, for a length that is a power of two. */
export function transformFourier(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  reorder(real, imaginary);
  for (let half = 1; half < size; half *= 2) {
    for (let k = 0; k < half; k++) {
      const angle = (-Math.PI * k) / half;
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
      for (let even = k; even < size; even += 2 * half) {
        const odd = even + half;
        const re = cos * real[odd] - sin * imaginary[odd];
        const im = cos * imaginary[odd] + sin * real[odd];
        real[odd] = real[even] - re;
        imaginary[odd] = imaginary[even] - im;
        real[even] += re;
        imaginary[even] += im;
      }
    }
  }
}

/** Swaps each position with the one whose bits are reversed. */
function reorder(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let i = 1, reversed = 0; i < size; i++) {
    let bit = size >> 1;
    for (; reversed & bit; bit >>= 1) reversed ^= bit;
    reversed ^= bit;
    if (i >= reversed) continue;
    [real[i], real[reversed]] = [real[reversed], real[i]];
    [imaginary[i], imaginary[reversed]] = [imaginary[reversed], imaginary[i]];
  }
}
