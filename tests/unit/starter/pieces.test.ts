import { describe, expect, test } from "vitest";
import { blends, searchWeights } from "../../../src/starter/learners/blends.ts";
import { classShares, likeliestClasses } from "../../../src/starter/learners/class-decisions.ts";
import { categoryColumn, numberColumn, tableView } from "../../../src/starter/learners/table-view.ts";
import { drawDifferent, drawFrom } from "../../../src/starter/making/draw.ts";
import { asNumbers, eachLabel, methodOf, targetOf } from "../../../src/starter/making/method.ts";
import { outOfFold, type Problem } from "../../../src/starter/making/problem.ts";
import { byGroup, commonest, mean, median } from "../../../src/starter/making/rules.ts";

const numbers = (...values: number[]) => Float64Array.from(values);
const rows = (...values: number[]) => Int32Array.from(values);

describe("what is drawn", () => {
  test("follows from the seed alone and stays in its range", () => {
    const [a, b] = [drawFrom(3), drawFrom(3)];
    for (let i = 0; i < 50; i++) {
      expect(a.seed()).toBe(b.seed());
      const value = a.scale(0.1, 10);
      expect(value).toBe(b.scale(0.1, 10));
      expect(value).toBeGreaterThanOrEqual(0.1);
      expect(value).toBeLessThanOrEqual(10);
    }
    expect(a.some(["a", "b", "c", "d"], 2)).toHaveLength(2);
  });

  test("is different each time, or the field says that it cannot be", () => {
    const draw = drawFrom(1);
    const named = () => ({ name: String(draw.whole(1, 4)) });
    expect(new Set(drawDifferent(4, named).map(({ name }) => name)).size).toBe(4);
    expect(() => drawDifferent(5, named)).toThrow("only 4 of 5");
  });
});

describe("blends", () => {
  const truth = numbers(1, 2, 3, 4);
  const goodness = (prediction: Float64Array) =>
    -prediction.reduce((sum, value, i) => sum + (value - truth[i]) ** 2, 0);
  const high = { validated: numbers(2, 3, 4, 5), asked: numbers(11) };
  const low = { validated: numbers(0, 1, 2, 3), asked: numbers(9) };
  const wild = { validated: numbers(9, -9, 9, -9), asked: numbers(50) };

  test("weights sum to one and leave out what only harms", () => {
    const weights = searchWeights([high, low, wild], goodness);
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 9);
    expect(weights[2]).toBeLessThan(0.05);
    expect(Math.abs(weights[0] - weights[1])).toBeLessThan(0.15);
  });

  test("every kind averages two errors away that cancel each other", () => {
    for (const blend of [blends["plain mean"], blends["weights by cross-validation"]])
      expect(blend([high, low], goodness).asked[0]).toBeCloseTo(10, 6);
    expect(blends["mean of the better half by cross-validation"]([wild, high], goodness)).toEqual(high);
    expect(blends["stacked by ridge"]([high], goodness, truth).asked[0]).toBeGreaterThan(7);
  });
});

describe("targets", () => {
  const labels = { kind: "labels", values: numbers(1, 0, 1, 0, 0, 1), outputs: 2 } as const;

  test("keep their outputs apart when rows are chosen", () => {
    expect(targetOf(labels, rows(2, 0)).values).toEqual(numbers(1, 1, 1, 0));
    expect(asNumbers({ kind: "classes", values: numbers(1, 0, 1), outputs: 2 })).toEqual(
      numbers(0, 1, 0, 1, 0, 1),
    );
  });

  test("of several labels are learned one by one, those that never hold not at all", () => {
    const rare = { kind: "labels", values: numbers(1, 0, 0, 0), outputs: 2 } as const;
    const asked: number[] = [];
    const result = eachLabel(rare, 1, ({ values }) => {
      asked.push(values.length);
      return numbers(0.7);
    });
    expect([...result]).toEqual([0.7, 0]);
    expect(asked).toEqual([2]);
  });
});

describe("predictions for training rows", () => {
  test("never come from the row itself", () => {
    const problem: Problem = {
      trainRows: 6,
      testRows: 0,
      folds: Uint8Array.of(0, 1, 2, 0, 1, 2),
      goodness: () => 0,
    };
    const method = {
      name: "",
      family: "",
      predict: (train: Int32Array, asked: Int32Array) =>
        Float64Array.from(asked, (row) => Number(train.includes(row))),
    };
    expect([...outOfFold(problem, method)]).toEqual([0, 0, 0, 0, 0, 0]);
  });

  test("do not learn from means that hold their own target", () => {
    // Every category occurs once: its mean would be the answer itself.
    const target = numbers(...Array.from({ length: 40 }, (_, i) => i));
    const column = categoryColumn("id", Array.from(target, String));
    const all = Int32Array.from(target);
    const { train } = tableView([column], 1, "means", target).of(all, all);
    expect(new Set(train.values).size).toBeLessThanOrEqual(5);
  });
});

describe("views of a table", () => {
  const colour = categoryColumn("colour", ["red", "blue", "red", "green"], 2);
  const size = numberColumn("size", numbers(1, Number.NaN, 3, 4));

  test("put rare categories together and spread categories out", () => {
    const view = tableView([colour, size], 2, "indicators", numbers(0, 0, 0, 0));
    expect([...view.of(rows(0, 3), rows(1)).train.values]).toEqual([1, 0, 1, 0, 1, 4]);
  });

  test("are named by what they show, so that methods can be told apart", () => {
    const learner = { name: "guess", family: "rule", predict: () => numbers(0) };
    const view = tableView([size], 2, "codes", numbers());
    expect(methodOf(view, learner, { kind: "number", values: numbers() }).name).toBe(
      "guess on 1 of 2 columns, categories as codes",
    );
  });
});

test("rules of thumb summarise groups, and know a way out for a new one", () => {
  const rule = byGroup(["a", "a", "b", "a", "c"], numbers(1, 3, 10), mean, -1);
  expect([rule(0), rule(1)]).toEqual([2, -1]);
  expect([median([5, 1, 3]), commonest([2, 1, 1, 2, 2])]).toEqual([3, 2]);
});

test("the likeliest class may be weighed against how frequent it is", () => {
  const chances = numbers(0.6, 0.4, 0.4, 0.6);
  expect([...likeliestClasses(chances, 2, null)]).toEqual([0, 1]);
  expect([...likeliestClasses(chances, 2, classShares(numbers(0, 0, 0, 1), 2))]).toEqual([1, 1]);
});
