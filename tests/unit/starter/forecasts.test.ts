import { describe, expect, test } from "vitest";
import { dayOf, HOLIDAYS, holidayOf } from "../../../src/starter/fields/births/calendar.ts";
import { decomposition, earlierYears } from "../../../src/starter/fields/births/repeating.ts";
import { levelOf, until } from "../../../src/starter/fields/births/series.ts";

const dates = (from: string, count: number) =>
  Array.from({ length: count }, (_, i) =>
    dayOf(new Date(Date.parse(from) + i * 86_400_000).toISOString().slice(0, 10)),
  );

describe("calendar", () => {
  test.each([
    ["1985-05-27", "memorial 0"],
    ["1985-09-02", "labor 0"],
    ["1985-11-28", "thanks 0"],
    ["1985-11-29", "thanks 1"],
    ["1984-11-22", "thanks 0"],
    ["1984-02-29", "leap 29"],
    ["1985-12-25", "christmas 25"],
    ["1985-06-12", null],
    ["1985-11-21", null],
  ])("%s is %s", (date, holiday) => {
    expect(holidayOf(dayOf(date))).toBe(holiday);
  });

  test("every holiday of twenty years is on the list", () => {
    const met = new Set(dates("1969-01-01", 7305).map(holidayOf));
    met.delete(null);
    expect([...met].sort()).toEqual([...HOLIDAYS].sort());
  });

  test("a leap day moves no date after it", () => {
    expect(dayOf("1984-12-31").season).toBe(dayOf("1985-12-31").season);
    expect(dayOf("1985-06-12").weekday).toBe(3);
  });
});

describe("forecasts", () => {
  const days = dates("1975-01-01", 3653);
  const weekly = {
    days,
    births: Float64Array.from(
      days,
      ({ weekday, index }) => 100 + (weekday === 0 ? -30 : 0) + (index - 1826) / 365.25,
    ),
  };
  const future = dates("1985-01-01", 365);
  const truth = future.map(({ weekday, index }) => 100 + (weekday === 0 ? -30 : 0) + (index - 1826) / 365.25);

  test.each([
    ["the same weekday, raised", earlierYears({ years: 2, decay: 0.5, damping: 1 }), 0.8],
    [
      "level x season x weekday",
      decomposition({ seasonYears: 8, weekYears: 8, window: 7, damping: 1, holidays: false }),
      2,
    ],
  ])("%s follows a week and a trend", (_, forecast, tolerance) => {
    const error = forecast(weekly, future).reduce(
      (worst, value, i) => Math.max(worst, Math.abs(value - truth[i])),
      0,
    );
    expect(error).toBeLessThan(tolerance);
  });

  test("without damping the level stays where it was", () => {
    const level = levelOf(weekly, 0);
    expect(level(future[364])).toBeCloseTo(level(dayOf("1984-07-02")), 1);
  });

  test("a series ends with the year asked for", () => {
    expect(until(weekly, 1980).days.at(-1)).toEqual(dayOf("1980-12-31"));
  });
});
