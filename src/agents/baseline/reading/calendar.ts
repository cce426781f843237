/** A day as ISO 8601 writes it, with or without a time. */
export const DATE = /^(\d{4})-(\d{2})-(\d{2})/;
const DAY = 86_400_000;

/** Days since 1970, or NaN. */
export function dayNumber(text: string): number {
  const parts = DATE.exec(text);
  return parts === null
    ? Number.NaN
    : Date.UTC(Number(parts[1]), Number(parts[2]) - 1, Number(parts[3])) / DAY;
}

export interface CalendarDay {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly dayOfMonth: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly dayOfYear: number;
}

/** Never the local time zone: the same day is the same everywhere. */
export function calendarDay(day: number): CalendarDay {
  const date = new Date(day * DAY);
  const year = date.getUTCFullYear();
  return {
    year,
    month: date.getUTCMonth() + 1,
    dayOfMonth: date.getUTCDate(),
    weekday: date.getUTCDay(),
    dayOfYear: day - Date.UTC(year, 0, 1) / DAY,
  };
}
