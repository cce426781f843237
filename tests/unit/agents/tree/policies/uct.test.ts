import { describe, expect, it } from "vitest";
import { treeOf } from "../../../../../src/agents/tree/engine/tree.ts";
import type { Action } from "../../../../../src/agents/tree/policies/policy.ts";
import { explorationAt } from "../../../../../src/agents/tree/policies/uct.ts";
import { nodesOf, type Sketch, settingsWith } from "../nodes.ts";
import { choose, drafts } from "./choosing.ts";

describe("Monte Carlo tree search", () => {
  const settings = { "search.policy": "uct", "search.children": 2, "search.uct_c": 0 };
  it("goes where the mean is best and there is room", () => {
    expect(choose(drafts, { settings })).toMatchObject({ parent: { id: "n1" } });
    const full: Sketch[] = [...drafts, [1, 0.9], [1, 0.8]];
    expect(choose(full, { settings })).toMatchObject({ parent: { id: "n6" } });
  });

  it("looks at what was seldom tried when it explores", () => {
    const tried: Sketch[] = [...drafts, [1, 1.1], [1, 1.2]];
    const exploring = { ...settings, "search.uct_c": 100 };
    expect(choose(tried, { settings: exploring }).parent?.id).not.toBe("n1");
  });

  it("passes over branches that are dead", () => {
    const dead: Sketch[] = [...drafts.slice(0, 4), [null, null]];
    const given = { settings: { ...settings, "agent.search.max_debug_depth": 0, "search.uct_c": 100 } };
    expect(choose(dead, given).parent?.id).not.toBe("n4");
  });

  it("adds to the last good node on the way where everything is full", () => {
    const full: Sketch[] = [
      [null, 1],
      [0, 0.5],
      [0, 5],
      [1, null],
      [1, null],
    ];
    const given = { ...settings, "agent.search.max_debug_depth": 0, "agent.search.num_drafts": 1 };
    expect(choose(full, { settings: given })).toMatchObject({ operator: "improve", parent: { id: "n1" } });
  });

  it("goes through a fault that was repaired, and takes a busy worker for a child", () => {
    const one = { ...settings, "agent.search.num_drafts": 1 };
    const repaired: Sketch[] = [
      [null, null],
      [0, 1],
    ];
    expect(choose(repaired, { settings: one })).toMatchObject({ parent: { id: "n1" } });
    const [, parent] = nodesOf(repaired);
    const busy: Action[] = [0, 1].map(() => ({ operator: "improve", parent, sources: [] }));
    const more: Sketch[] = [...repaired, [1, 0.9]];
    expect(choose(more, { settings: one, pending: busy.slice(1) })).toMatchObject({ parent: { id: "n2" } });
  });

  it("counts quick scripts more with a negative power of time", () => {
    const timed: Sketch[] = [
      [null, 1, { executionSeconds: 3600 }],
      [null, 1.05, { executionSeconds: 1 }],
      [null, 3],
    ];
    const given = { ...settings, "agent.search.num_drafts": 3, "exec.timeout": 3600 };
    expect(choose(timed, { settings: given })).toMatchObject({ parent: { id: "n0" } });
    expect(choose(timed, { settings: { ...given, "search.time_penalty": -0.07 } })).toMatchObject({
      parent: { id: "n1" },
    });
  });

  it("explores less and less between the two shares of the budget", () => {
    const own = settingsWith({
      "search.uct_c": 1.4,
      "search.uct_c_end": 0.4,
      "search.uct_from": 0.3,
      "search.uct_to": 0.7,
      "agent.steps": 100,
    });
    const exploring = (steps: number, settings = own) =>
      explorationAt({ settings, tree: treeOf(nodesOf(Array.from({ length: steps }, () => [null, 1]))) });
    expect([exploring(0), exploring(30), exploring(50), exploring(90)]).toEqual([
      1.4,
      1.4,
      expect.closeTo(0.9),
      0.4,
    ]);
    // By so much a step, from when all drafts could have all children, or at the latest from the share that is given.
    const byStep = { ...own, "search.uct_decay": 0.01, "search.children": 2 };
    expect([exploring(20, byStep), exploring(30, byStep)]).toEqual([1.4, expect.closeTo(1.3)]);
    const late = { ...byStep, "search.children": 9 };
    expect([exploring(30, late), exploring(40, late), exploring(70, late)]).toEqual([
      1.4,
      expect.closeTo(1.3),
      0.4,
    ]);
    // Where nobody bounds the children there is room for five, here as in the walk.
    const free = { ...late, "search.children": 0, "agent.search.num_drafts": 1 };
    expect([exploring(25, free), exploring(30, free)]).toEqual([1.4, expect.closeTo(1.35)]);
    // Never, where both shares are all of the budget.
    const always = { ...own, "search.uct_from": 1, "search.uct_to": 1 };
    expect([exploring(99, always), exploring(100, always)]).toEqual([1.4, 1.4]);
  });
});

describe("what a node is worth", () => {
  const settings = {
    ...{ "search.policy": "uct", "search.children": 2, "search.uct_c": 0 },
    ...{ "agent.search.num_drafts": 2, "agent.search.max_debug_depth": 0 },
  };
  const parentOf = (sketches: readonly Sketch[], own: object = {}) =>
    choose(sketches, { settings: { ...settings, ...own } }).parent?.id;

  it("is its mean and the constant times the root of ln(visits above) / visits", () => {
    // The first branch is worth 1 after three visits, the other 0 after one: equal where c is 2.0098.
    const two: Sketch[] = [
      [null, 1],
      [null, 2],
      [0, 1],
      [0, 1],
    ];
    expect(parentOf(two, { "search.uct_c": 2 })).toBe("n2");
    expect(parentOf(two, { "search.uct_c": 2.02 })).toBe("n1");
    // Full limits change nothing, also where time counts: the power is of a share of the limit.
    const slow = two.map(([parent, value]): Sketch => [parent, value, { executionSeconds: 3600 }]);
    const timed = { "search.time_penalty": -0.07, "exec.timeout": 3600 };
    expect(parentOf(slow, { ...timed, "search.uct_c": 2 })).toBe("n2");
    expect(parentOf(slow, { ...timed, "search.uct_c": 2.02 })).toBe("n1");
  });

  it("of equal ones the first is taken", () => {
    expect(
      parentOf([
        [null, 1],
        [null, 1],
      ]),
    ).toBe("n0");
  });

  it("counts what has children as itself and its children", () => {
    const below: Sketch[] = [
      [null, 3],
      [null, 1.8],
      [0, 1],
    ];
    expect(parentOf(below)).toBe("n1");
  });

  it("counts a fault that was repaired as its repair alone, one that was not as nothing", () => {
    const repaired: Sketch[] = [
      [null, null],
      [null, 1.2],
      [0, 1],
      [1, 3],
    ];
    expect(parentOf(repaired.slice(0, 3))).toBe("n2");
    expect(parentOf(repaired)).toBe("n2");
    const faulty: Sketch[] = [
      [null, 3],
      [null, 1],
      [1, null],
    ];
    expect(parentOf(faulty)).toBe("n1");
  });

  it("is nothing where nothing good is below, however seldom it was looked at", () => {
    const dead: Sketch[] = [
      [null, 1],
      [null, null],
      [0, 1.1],
      [0, 1.2],
    ];
    expect(parentOf(dead, { "search.uct_c": 100 })).toBe("n2");
  });

  it("leaves room for as many children as the settings say, for the best few perhaps more", () => {
    const family: Sketch[] = [...drafts, [1, 0.5]];
    expect(parentOf(family)).toBe("n1");
    const deep: Sketch[] = [...family, [5, 0.6]];
    const own = { "search.children": 1, "search.top_k": 1 };
    expect(parentOf(deep, { ...own, "search.children_top": 3 })).toBe("n5");
    expect(parentOf(deep, own)).toBe("n6");
    expect(parentOf(deep, { ...own, "search.top_k": 3, "search.children_top": 3 })).toBe("n1");
  });
});

describe("rewards", () => {
  const settings = {
    ...{ "search.policy": "uct", "search.children": 2, "search.uct_c": 0, "search.backup": "reward" },
    ...{ "agent.search.num_drafts": 2, "agent.search.max_debug_depth": 0 },
  };
  const parentOf = (sketches: readonly Sketch[]) => choose(sketches, { settings }).parent?.id;

  it("count each fault against its branch, how ever good the best of it is", () => {
    const faulty: Sketch[] = [
      [null, 1],
      [null, 2],
      [0, null],
      [0, null],
    ];
    expect(parentOf(faulty)).toBe("n1");
    expect(choose(faulty, { settings: { ...settings, "search.backup": "value" } }).parent?.id).toBe("n0");
  });

  it("are one and a half for a repair, the fault before it not forgotten", () => {
    const repaired: Sketch[] = [
      [null, 1],
      [null, null],
      [1, 5],
      [0, null],
    ];
    expect(parentOf(repaired)).toBe("n2");
    expect(parentOf(repaired.slice(0, 3))).toBe("n0");
  });

  it("are one and a half for a new best, the very first step left out", () => {
    const better: Sketch[] = [
      [null, 3],
      [null, 1],
      [0, null],
      [1, null],
    ];
    expect(parentOf(better)).toBe("n1");
    expect(parentOf([[null, 1], [null, 3], ...better.slice(2)])).toBe("n0");
  });
});
