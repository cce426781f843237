const POWERS = ["k", "m", "g", "t", "p"] as const;

/** Bytes by unit, in lower case: `16GB` is 16 · 10⁹, `16GiB` and (as GNU's tools and Docker read it) `16G` are 16 · 2³⁰. */
const UNITS = new Map<string, number>([
  ["", 1],
  ["b", 1],
  ["byte", 1],
  ["bytes", 1],
]);
for (const [i, power] of POWERS.entries()) {
  UNITS.set(`${power}b`, 1000 ** (i + 1));
  UNITS.set(`${power}ib`, 1024 ** (i + 1));
  UNITS.set(power, 1024 ** (i + 1));
}

/** What to write instead of a size that could not be read. */
export const SIZE_HINT = "Write a size such as 16GiB (2^30 bytes each), 16GB (10^9 bytes each) or 512MiB.";

/** The one reader of sizes, for options, YAML and JSON alike; null if it is not a size above 0. */
export function parseSize(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match && UNITS.get(match[2].toLowerCase());
  if (!match || !unit) return null;
  const bytes = Math.floor(Number(match[1]) * unit);
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : null;
}

const DECIMAL = ["bytes", "kB", "MB", "GB", "TB", "PB"];
const BINARY = ["bytes", "KiB", "MiB", "GiB", "TiB", "PiB"];

/**
 * The one printer of sizes. Decimal units where three digits say it exactly, so that what was asked for in GB is
 * said in GB; otherwise binary ones: 16 · 2³⁰ is "16 GiB", 16 · 10⁹ is "16 GB", and `parseSize` reads both back.
 */
export function sizeText(bytes: number): string {
  const [decimal, decimalUnit] = scaled(bytes, 1000, DECIMAL);
  if (decimal === rounded(decimal)) return `${decimal} ${decimalUnit}`;
  const [binary, binaryUnit] = scaled(bytes, 1024, BINARY);
  return `${rounded(binary)} ${binaryUnit}`;
}

function scaled(bytes: number, base: number, units: readonly string[]): [number, string] {
  let power = 0;
  while (Math.abs(bytes) / base ** power >= base && power < units.length - 1) power++;
  return [bytes / base ** power, units[power]];
}

/** Three digits, but never fewer than stand before the point: "1023 GiB". */
function rounded(value: number): number {
  return Math.abs(value) >= 1000 ? Math.round(value) : Number(value.toPrecision(3));
}
