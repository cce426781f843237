/** A day and what a calendar knows of it. Weekdays count from Sunday, 0. */
export interface Day {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly weekday: number;
  /** From 0; the 29th of February has the number of the 1st of March in other years, and all after it are one less. */
  readonly season: number;
  /** Days since 1970. */
  readonly index: number;
}

const MILLISECONDS = 86_400_000;
const LEAP_DAY = 59;

export function dayOf(date: string): Day {
  const [year, month, day] = date.split("-").map(Number);
  const index = Math.round(Date.UTC(year, month - 1, day) / MILLISECONDS);
  const inYear = index - Math.round(Date.UTC(year, 0, 1) / MILLISECONDS);
  const isLeap = new Date(Date.UTC(year, 1, 29)).getUTCMonth() === 1;
  const season = isLeap && inYear > LEAP_DAY ? inYear - 1 : inYear;
  return { year, month, day, weekday: (((index + 4) % 7) + 7) % 7, season, index };
}

/** The holidays of the United States that move births, with the two days around each: "christmas -1". */
export function holidayOf({ month, day, weekday }: Day): string | null {
  const fixed = FIXED.find((holiday) => holiday.month === month && holiday.days.includes(day));
  if (fixed) return `${fixed.name} ${day}`;
  const monday = (weekday + 6) % 7;
  const lastMonday = day - monday;
  if (month === 5 && lastMonday >= 25 && monday <= 1) return `memorial ${monday}`;
  if (month === 9 && lastMonday >= 1 && lastMonday <= 7 && monday <= 1) return `labor ${monday}`;
  const thursday = (weekday + 3) % 7;
  const thanksgiving = day - thursday;
  if (month === 11 && thanksgiving >= 22 && thanksgiving <= 28 && thursday <= 2) return `thanks ${thursday}`;
  return null;
}

const FIXED = [
  { name: "new year", month: 1, days: [1, 2, 3] },
  { name: "valentine", month: 2, days: [14] },
  { name: "leap", month: 2, days: [29] },
  { name: "april", month: 4, days: [1] },
  { name: "independence", month: 7, days: [3, 4, 5] },
  { name: "halloween", month: 10, days: [31] },
  { name: "christmas", month: 12, days: [23, 24, 25, 26, 27, 28] },
  { name: "year's end", month: 12, days: [29, 30, 31] },
];

/** All that `holidayOf` can say, in a fixed order. */
export const HOLIDAYS: readonly string[] = [
  ...FIXED.flatMap(({ name, days }) => days.map((day) => `${name} ${day}`)),
  ...["memorial 0", "memorial 1", "labor 0", "labor 1", "thanks 0", "thanks 1", "thanks 2"],
];
