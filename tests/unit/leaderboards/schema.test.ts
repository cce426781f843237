import { describe, expect, it } from "vitest";
import { Leaderboard } from "../../../src/leaderboards/leaderboard-schema.ts";
import { summarise } from "./boards.ts";

const good = summarise(Array.from({ length: 300 }, (_, i) => i / 10));

function complaints(value: unknown): string[] {
  return Leaderboard.safeParse(value).error?.issues.map(({ path }) => path.join(".")) ?? [];
}

describe("a leaderboard.json", () => {
  it("of the documented shape is accepted", () => {
    expect(complaints(good)).toEqual([]);
  });

  it.each<[string, unknown]>([
    ["quantiles", { ...good, quantiles: good.quantiles.slice(1) }],
    ["quantiles", { ...good, quantiles: good.quantiles.toReversed() }],
    ["gold", { ...good, gold: 99 }],
    ["median", { ...good, median: Number.NaN }],
    ["bronze", { ...good, bronze: Number.POSITIVE_INFINITY }],
    ["teams", { ...good, teams: 0 }],
    ["schema", { ...good, schema: "something else" }],
    ["version", { ...good, version: 2 }],
    ["source", { ...good, source: "" }],
  ])("with a bad field is refused naming it: %s", (field, value) => {
    expect(complaints(value)).toEqual([field]);
  });
});
