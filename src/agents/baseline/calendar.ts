import type { DenseMatrix } from "../../learning/matrix.ts";

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

/** A date as numbers for trees; NaN where there is none. */
export function calendarNumbers(cells: readonly string[]): DenseMatrix {
  const columns = 6;
  const values = new Float64Array(cells.length * columns).fill(Number.NaN);
  for (const [row, cell] of cells.entries()) {
    const day = dayNumber(cell);
    if (Number.isNaN(day)) continue;
    const { year, month, dayOfMonth, weekday, dayOfYear } = calendarDay(day);
    values.set([day, year, month, dayOfMonth, weekday, dayOfYear], row * columns);
  }
  return { rows: cells.length, columns, values };
}
