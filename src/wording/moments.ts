const FIRST = 0;
/** The year 10000, which most formats of dates cannot write. */
const LAST = 253_402_300_800_000;

/** Milliseconds since 1970; null for what is no time of our days: records come from elsewhere, and may say anything. */
export function momentOf(text: string | null | undefined): number | null {
  return plausible(Date.parse(text ?? ""));
}

/** The same for a time that was reckoned from such texts and from numbers. */
export function plausible(milliseconds: number): number | null {
  return milliseconds >= FIRST && milliseconds < LAST ? Math.round(milliseconds) : null;
}
