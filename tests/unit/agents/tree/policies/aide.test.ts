import { describe, expect, it } from "vitest";
import type { Action } from "../../../../../src/agents/tree/policies/policy.ts";
import { nodesOf, type Sketch } from "../nodes.ts";
import { choose, drafts } from "./choosing.ts";

describe("the policy of AIDE", () => {
  it("drafts until there are enough roots", () => {
    expect(choose([])).toMatchObject({ operator: "draft" });
    expect(choose(drafts.slice(0, 4))).toMatchObject({ operator: "draft" });
    expect(choose(drafts.slice(0, 3), { settings: { "agent.search.num_drafts": 3 } }).operator).toBe(
      "improve",
    );
  });

  it("improves the best, by the direction of the metric; of equal ones the first", () => {
    expect(choose(drafts)).toMatchObject({ operator: "improve", parent: { id: "n1" } });
    expect(choose(drafts, { direction: "maximize" })).toMatchObject({ parent: { id: "n4" } });
    expect(choose([...drafts, [0, 1]])).toMatchObject({ parent: { id: "n1" } });
  });

  it("repairs a faulty leaf with the probability it was given", () => {
    const faulty: Sketch[] = [...drafts, [1, null]];
    expect(choose(faulty)).toMatchObject({ operator: "debug", parent: { id: "n5" } });
    const half = { settings: { "agent.search.debug_prob": 0.5 } };
    expect(choose(faulty, { ...half, draws: [0.6] })).toMatchObject({ operator: "improve" });
    expect(choose(faulty, { ...half, draws: [0.4] })).toMatchObject({ operator: "debug" });
    const never = { settings: { "agent.search.debug_prob": 0 } };
    expect(choose(faulty, { ...never, draws: [0] })).toMatchObject({ operator: "improve" });
  });

  it("leaves a fault alone that was tried already or is too deep", () => {
    expect(choose([...drafts, [1, null], [5, 2]])).toMatchObject({ operator: "improve" });
    const deep: Sketch[] = [...drafts, [1, null], [5, null], [6, null]];
    expect(choose(deep, { settings: { "agent.search.max_debug_depth": 2 } }).operator).toBe("improve");
    expect(choose(deep, { settings: { "agent.search.max_debug_depth": 2, compat: true } })).toMatchObject({
      operator: "debug",
      parent: { id: "n7" },
    });
  });

  it("drafts again where nothing works and nothing can be repaired", () => {
    const hopeless: Sketch[] = [0, 1, 2, 3, 4].map(() => [null, null] as const);
    const given = { settings: { "agent.search.max_debug_depth": 0 } };
    expect(choose(hopeless, given)).toMatchObject({ operator: "draft" });
  });

  it("repairs as long as repairs are half of the steps and three, those of other workers counted", () => {
    const repaired = (repairs: number): Sketch[] => [
      ...drafts,
      [1, null],
      ...Array.from({ length: repairs }, (_, at) => [5 + at, null] as const),
    ];
    const busy: Action = { operator: "improve", parent: nodesOf(drafts)[0], sources: [] };
    expect(choose(repaired(11)).operator).toBe("debug");
    expect(choose(repaired(11), { pending: [busy] }).operator).toBe("improve");
    expect(choose(repaired(12)).operator).toBe("improve");
  });

  it("gives a fault up whose repairs took as long as they may, models and programs together", () => {
    const took = { modelSeconds: 40, executionSeconds: 60 };
    const faulty: Sketch[] = [...drafts, [1, null, { executionSeconds: 999 }], [5, null, took]];
    const within = (seconds: number) => choose(faulty, { settings: { "search.debug_seconds": seconds } });
    expect(within(0).operator).toBe("debug");
    expect(within(101)).toMatchObject({ operator: "debug", parent: { id: "n6" } });
    expect(within(100).operator).toBe("improve");
  });

  it("does not spend the whole budget on one bad branch, unless it is to be as the original", () => {
    const chain: Sketch[] = [...drafts, [1, null]];
    for (let step = 6; step < 24; step++) chain.push([step - 1, null]);
    expect(choose(chain).operator).toBe("improve");
    expect(choose(chain, { settings: { compat: true } }).operator).toBe("debug");
  });
});

describe("a reply without a program", () => {
  const silent: Sketch[] = (["model", "no code"] as const).map(
    (kind) => [null, null, { why: { kind, message: "" } }] as const,
  );
  it("is no draft, and nothing to repair, unless it is to be as the original", () => {
    const given = { settings: { "agent.search.num_drafts": 2 } };
    expect(choose(silent, given)).toMatchObject({ operator: "draft", parent: null });
    expect(choose([...silent, [null, 1], [null, 2]], given)).toMatchObject({ operator: "improve" });
    expect(choose(silent, { settings: { ...given.settings, compat: true } }).operator).toBe("debug");
  });
});

describe("what AIDE's policy draws", () => {
  it("is uniform among the faulty leaves, and drawn even where there is none", () => {
    const faulty: Sketch[] = [...drafts, [0, null], [1, null], [2, null]];
    const repaired = [0.1, 0.5, 0.9].map((draw) => choose(faulty, { draws: [0, draw] }).parent?.id);
    expect(repaired).toEqual(["n5", "n6", "n7"]);
    // Nothing is faulty: the second draw is the next one's, here whether two branches are joined.
    const settings = { "parts.crossover": true, "search.stagnation": 1, "search.fuse_prob": 0.5 };
    expect(choose(drafts, { settings, draws: [0, 0.4] }).operator).toBe("crossover");
    expect(choose(drafts, { settings, draws: [0.4, 0.9] }).operator).toBe("improve");
  });

  it("never counts repairs against a search in which nothing works yet", () => {
    const chain: Sketch[] = [0, 1, 2, 3, 4].map(() => [null, null] as const);
    for (let step = 5; step < 20; step++) chain.push([step === 5 ? 0 : step - 1, null]);
    expect(choose(chain).operator).toBe("debug");
  });

  it("counts the drafts and repairs of the others", () => {
    const draft = { operator: "draft", parent: null, sources: [] } as const;
    expect(choose(drafts.slice(0, 4), { pending: [draft] }).operator).toBe("improve");
    const settings = { "parts.baseline": true };
    const baseline = { operator: "baseline", parent: null, sources: [] } as const;
    expect(choose([], { settings, pending: [baseline] }).operator).toBe("draft");
  });
});
