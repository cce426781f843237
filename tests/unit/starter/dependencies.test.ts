import { describe, expect, test } from "vitest";
import { byTraits, popularity, together } from "../../../src/starter/fields/dependencies/counting.ts";
import { alternatingFactors, linearItems } from "../../../src/starter/fields/dependencies/factors.ts";
import { tuned } from "../../../src/starter/fields/dependencies/mixtures.ts";
import { nearestPackages } from "../../../src/starter/fields/dependencies/neighbours.ts";
import { bestItems, type Package, rehearse } from "../../../src/starter/fields/dependencies/packages.ts";

/** Items 0 to 3 go together in section a, 4 to 7 in section b; 8 is everywhere. */
const known = Array.from({ length: 40 }, (_, i): Package => {
  const first = i % 2 === 0 ? 0 : 4;
  const needs = [0, 1, 2, 3].filter((item) => item !== Math.floor(i / 2) % 4).map((item) => first + item);
  return {
    name: `${i % 2 === 0 ? "alpha" : "beta"}-${i}`,
    section: i % 2 === 0 ? "a" : "b",
    needs: [...needs, 8],
  };
});
const shop = { known, cases: [], items: 9 };
const incomplete: Package = { name: "beta-99", section: "b", needs: [5, 6, 8] };

describe("recommenders", () => {
  const options = { similarity: "cosine", shrink: 1, power: 1, rarity: 0, withCases: false } as const;
  const alike = { k: 10, section: 0, letters: 0, width: 3, rarity: 1, power: 1, items: true };
  test.each([
    ["section", byTraits(["section"], 1)],
    ["items together", together(options)],
    ["nearest packages", nearestPackages(alike)],
    ["nearest names", nearestPackages({ ...alike, items: false, letters: 1 })],
    ["items from items", linearItems({ items: 9, l2: 1, withCases: false })],
    ["factors", alternatingFactors({ factors: 3, rounds: 6, l2: 0.1, confidence: 10, seed: 1 })],
    ["tuned sum", tuned([popularity, together(options)], 1)],
  ])("%s: what is missing is of the same kind", (_, recommender) => {
    expect(bestItems(recommender(shop)(incomplete), incomplete.needs, 2).sort()).toEqual([4, 7]);
  });
});

describe("lists", () => {
  test.each([
    [[1, 5, 3, 4], [], 2, [1, 3]],
    [[1, 5, 3, 4], [1], 2, [3, 2]],
    [[2, 2, 2], [], 2, [0, 1]],
    [[7], [0], 3, []],
  ])("of the scores %j without %j the best %i are %j", (scores, shown, count, expected) => {
    expect(bestItems(Float64Array.from(scores), shown, count)).toEqual(expected);
  });

  test("a rehearsal hides a third of each list, shows the rest and learns from none of it", () => {
    const { shop: rest, hidden } = rehearse(shop, 10, 1);
    expect(rest.known).toHaveLength(30);
    for (const [row, { name, needs }] of rest.cases.entries()) {
      const whole = known.find((one) => one.name === name)!;
      expect(hidden[row].size).toBe(1);
      expect([...needs, ...[...hidden[row]].map(Number)].sort()).toEqual([...whole.needs].sort());
      expect(rest.known).not.toContain(whole);
    }
  });
});
