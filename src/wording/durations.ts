const SECONDS = new Map<string, number>([
  ["", 1],
  ["s", 1],
  ["sec", 1],
  ["m", 60],
  ["min", 60],
  ["h", 3600],
  ["d", 86_400],
]);

/** What to write instead of a time that could not be read. */
export const DURATION_HINT = "Write a time such as 24h, 90min or 30s, up to ten years.";

/** Ten years. A deadline beyond what a date can hold would be a failure of ours. */
export const LONGEST_SECONDS = 10 * 365 * 86_400;

/**
 * The one reader of durations, in seconds: `24h`, `90min`, `1.5h`, `2d`; a bare number is seconds. Null if it is not one
 * above 0, or longer than anybody waits.
 */
export function parseDuration(text: string): number | null {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]*)$/i.exec(text.trim());
  const unit = match && SECONDS.get(match[2].toLowerCase());
  const seconds = match && unit ? Number(match[1]) * unit : 0;
  return seconds > 0 && seconds <= LONGEST_SECONDS ? seconds : null;
}

/** The one printer of durations, to three digits: "850 ms", "90 s", "45 min", "24 h". */
export function durationText(seconds: number): string {
  if (seconds > 0 && seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (seconds < 120) return `${Number(seconds.toPrecision(3))} s`;
  if (seconds < 7200) return `${Number((seconds / 60).toPrecision(3))} min`;
  return `${Number((seconds / 3600).toPrecision(3))} h`;
}
