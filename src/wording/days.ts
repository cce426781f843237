/** What to write instead of a day that could not be read. */
export const DAY_HINT = "Write a date as 2025-03-31.";

/** Whether this is a day that was or will be, as 2025-03-31. */
export function isDay(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`);
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  );
}
