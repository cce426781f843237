/**
 * Fingerprints as Dolos (dolos.ugent.be) makes them, so that similarities are the same figures: hashes of 23 tokens in a
 * row, of which every window of 17 keeps the least (Schleimer, Wilkerson and Aiken, 2003). Which one is least depends on
 * the hash, so modulus and bases are those of Dolos.
 */
export const TOKENS_IN_A_HASH = 23;
const HASHES_IN_A_WINDOW = 17;
const MODULUS = 33_554_393;
const LETTER_BASE = 747_287;
const TOKEN_BASE = 4_194_301;

/** A token as a number below 2^25: products of two stay exact. */
export function tokenHash(token: string): number {
  let hash = 0;
  for (let i = 0; i < token.length; i++) hash = ((hash + token.charCodeAt(i)) * LETTER_BASE) % MODULUS;
  return hash;
}

export interface Fingerprints {
  hashes: Int32Array;
  /** The first of the 23 tokens of each. */
  starts: Int32Array;
}

/** The fingerprints of a row of token hashes, in order. */
export function winnow(tokens: Int32Array): Fingerprints {
  const rolled = rollingHashes(tokens);
  const hashes: number[] = [];
  const starts: number[] = [];
  let least = -1;
  for (let i = 0; i < rolled.length; i++) {
    const before = least;
    if (least === -1 || i - least === HASHES_IN_A_WINDOW) least = leastOfWindow(rolled, i);
    else if (rolled[i] <= rolled[least]) least = i;
    if (least === before) continue;
    hashes.push(rolled[least]);
    starts.push(least);
  }
  return { hashes: Int32Array.from(hashes), starts: Int32Array.from(starts) };
}

/** Of equal ones the rightmost, but the newest only when it is less than all before: so does the tool we follow. */
function leastOfWindow(rolled: Int32Array, last: number): number {
  let least = last;
  for (let i = Math.max(0, last - HASHES_IN_A_WINDOW + 1); i < last; i++)
    if (rolled[i] <= rolled[least]) least = i;
  return least;
}

function rollingHashes(tokens: Int32Array): Int32Array {
  const count = Math.max(0, tokens.length - TOKENS_IN_A_HASH + 1);
  const hashes = new Int32Array(count);
  const outgoing = MODULUS - power(TOKEN_BASE, TOKENS_IN_A_HASH);
  let hash = 0;
  for (let i = 0; i < tokens.length; i++) {
    const leaving = i >= TOKENS_IN_A_HASH ? tokens[i - TOKENS_IN_A_HASH] : 0;
    hash = (TOKEN_BASE * hash + tokens[i] + outgoing * leaving) % MODULUS;
    if (i >= TOKENS_IN_A_HASH - 1) hashes[i - TOKENS_IN_A_HASH + 1] = hash;
  }
  return hashes;
}

function power(base: number, exponent: number): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product = (product * base) % MODULUS;
  return product;
}
