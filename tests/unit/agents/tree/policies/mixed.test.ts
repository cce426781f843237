import { describe, expect, it } from "vitest";
import type { Sketch } from "../nodes.ts";
import { choose, drafts } from "./choosing.ts";

describe("the mixed policy", () => {
  const settings = {
    "search.policy": "mixed",
    "search.explore_from": 0.2,
    "search.explore_to": 0.5,
    "search.explore_end": 0,
    "search.top_k": 2,
    "search.per_branch": 1,
  };
  it("picks among the best by rank in the end, with at most a few of one branch", () => {
    const family: Sketch[] = [...drafts, [1, 0.5], [1, 0.6]];
    const pick = (draw: number) =>
      choose(family, { settings, progress: 0.9, draws: [0.99, 0.99, draw] }).parent?.id;
    expect(pick(0.1)).toBe("n5");
    expect(pick(0.9)).toBe("n2");
  });
  it("rewards repairs and new bests while it explores", () => {
    const given = { ...settings, "search.backup": "reward", "search.uct_c": 0 };
    const repaired: Sketch[] = [...drafts, [null, null], [5, 9]];
    expect(choose(repaired, { settings: given }).operator).toBe("improve");
  });
});

describe("the way from exploring to picking", () => {
  const settings = {
    ...{ "search.policy": "mixed", "search.children": 2, "search.uct_c": 0 },
    ...{ "search.explore_from": 0.25, "search.explore_to": 0.75, "search.explore_end": 0 },
    ...{ "search.top_k": 3, "search.per_branch": 2, "search.late_top_k": 2, "search.late_per_branch": 1 },
  };
  /** By rank: n5 and n6 of the branch of n1, n1 itself, n2. The walk of UCT always ends at n5. */
  const family: Sketch[] = [...drafts, [1, 0.5], [1, 0.6]];
  const pick = (progress: number, ...draws: number[]) =>
    choose(family, { settings, progress, draws: [0.99, ...draws] }).parent?.id;

  it("is a straight line between the two shares", () => {
    expect([pick(0.25, 0.999, 0.999), pick(0.5, 0.49, 0.999)]).toEqual(["n5", "n5"]);
    expect([pick(0.5, 0.5, 0.999), pick(0.75, 0, 0.999)]).toEqual(["n2", "n2"]);
  });

  it("leads to fewer places, and fewer of one branch", () => {
    expect([0.5, 0.6, 0.999].map((draw) => pick(0.5, 0.9, draw))).toEqual(["n5", "n6", "n2"]);
    expect([0.6, 0.7, 0.999].map((draw) => pick(0.75, 0.9, draw))).toEqual(["n5", "n2", "n2"]);
  });
});
