import { describe, expect, it } from "vitest";
import type { Action } from "../../../../../src/agents/tree/policies/policy.ts";
import { nodesOf, type Sketch } from "../nodes.ts";
import { choose, drafts } from "./choosing.ts";

describe("the parts of our own policy", () => {
  it("has the baseline first, once, and never improves it", () => {
    const settings = { "parts.baseline": true, "agent.search.num_drafts": 1 };
    expect(choose([], { settings })).toMatchObject({ operator: "baseline" });
    const only: Sketch[] = [[null, 1, { operator: "baseline" }]];
    expect(choose(only, { settings })).toMatchObject({ operator: "draft" });
    expect(choose([...only, [null, 2]], { settings })).toMatchObject({ parent: { id: "n1" } });
  });

  it("refines a block of what was improved twice", () => {
    const settings = { "parts.refine": true };
    expect(choose([...drafts, [1, 2], [1, 3]], { settings })).toMatchObject({ operator: "refine" });
    expect(choose([...drafts, [1, 2]], { settings })).toMatchObject({ operator: "improve" });
  });

  it("joins the best of another branch where nothing moves", () => {
    const settings = { "parts.crossover": true, "search.stagnation": 3, "search.fuse_prob": 0.3 };
    const given = { settings, draws: [0.9, 0.2] };
    expect(choose(drafts, given)).toMatchObject({
      operator: "crossover",
      parent: { id: "n1" },
      sources: [{ id: "n2" }],
    });
    expect(choose(drafts, { settings, draws: [0.9, 0.5] })).toMatchObject({ operator: "improve" });
    expect(choose([...drafts, [1, 0.5]], given)).toMatchObject({ operator: "improve" });
  });

  it("counts what others are trying when it chooses between a whole and a block", () => {
    const settings = { "parts.refine": true };
    const node = nodesOf(drafts)[1];
    const busy = { operator: "improve", parent: node, sources: [] } as const;
    // Everybody else is taken, so that the best is worked on although somebody is busy with it.
    const others: Action[] = nodesOf(drafts).map((parent) => ({ operator: "improve", parent, sources: [] }));
    expect(choose(drafts, { settings, pending: [...others, busy] })).toMatchObject({
      operator: "refine",
      parent: { id: "n1" },
    });
    // Only who is busy with the same one counts.
    expect(choose(drafts, { settings, pending: others })).toMatchObject({
      operator: "improve",
      parent: { id: "n1" },
    });
  });

  it("joins no earlier than it is told to, and as often", () => {
    const settings = {
      ...{ "parts.crossover": true, "search.stagnation": 3 },
      ...{ "search.fuse_prob": 0.3, "search.fuse_from": 0.5 },
    };
    const at = (progress: number, draw: number) => choose(drafts, { settings, progress, draws: [0.9, draw] });
    expect(at(0.5, 0.29).operator).toBe("crossover");
    expect(at(0.5, 0.3).operator).toBe("improve");
    expect(at(0.49, 0.29).operator).toBe("improve");
  });

  it("has nothing to join where the other branch is the baseline's, or there is none", () => {
    const settings = {
      "parts.crossover": true,
      "search.stagnation": 1,
      "search.fuse_prob": 1,
      "agent.search.num_drafts": 1,
    };
    const alone: Sketch[] = [
      [null, 1, { operator: "baseline" }],
      [null, 2],
      [1, 3],
    ];
    expect(choose(alone, { settings })).toMatchObject({ operator: "improve", parent: { id: "n1" } });
  });

  it("joins the highest where more is better", () => {
    const settings = { "parts.crossover": true, "search.stagnation": 1, "search.fuse_prob": 1 };
    const stuck: Sketch[] = [...drafts, [4, 1]];
    expect(choose(stuck, { settings, direction: "maximize" })).toMatchObject({
      operator: "crossover",
      parent: { id: "n4" },
      sources: [{ id: "n3" }],
    });
  });

  it("drafts where the baseline alone works", () => {
    for (const policy of ["greedy", "uct", "mixed", "evolution"])
      for (const progress of [0, 1])
        expect(
          choose([[null, 1, { operator: "baseline" }], ...drafts.map(() => [null, null] as const)], {
            progress,
            settings: {
              "parts.baseline": true,
              "search.policy": policy,
              "agent.search.max_debug_depth": 0,
              "search.explore_to": 0.5,
              "search.explore_from": 0.1,
              "search.explore_end": 0,
            },
          }).operator,
        ).toBe("draft");
  });

  it("gives several workers different things to do", () => {
    const settings = { "agent.search.num_drafts": 2 };
    const first = choose(drafts.slice(0, 2), { settings });
    const second = choose(drafts.slice(0, 2), { settings, pending: [first] });
    expect([first.parent?.id, second.parent?.id]).toEqual(["n1", "n0"]);
    const faulty: Sketch[] = [...drafts, [1, null]];
    const repair = choose(faulty);
    expect(choose(faulty, { pending: [repair] }).operator).toBe("improve");
  });
});

describe("a branch that stands still", () => {
  /** The best has two children, both worse; the other branch has nothing but its draft. */
  const still: Sketch[] = [
    [null, 5],
    [null, 1],
    [1, 1.5],
    [1, 1.6],
  ];
  const settings = {
    ...{ "parts.evolve": true, "search.branch_stagnation": 2 },
    ...{ "agent.search.num_drafts": 2 },
  };

  it("is led on, by its own steps alone", () => {
    expect(choose(still, { settings })).toMatchObject({
      ...{ operator: "evolve", parent: { id: "n1" }, sources: [] },
    });
    expect(choose(still.slice(0, 3), { settings }).operator).toBe("improve");
    expect(choose([...still.slice(0, 3), [0, 4]], { settings }).operator).toBe("improve");
  });

  it("is improved as ever where nobody is to be led on, or branches never stand still", () => {
    expect(choose(still, { settings: { ...settings, "parts.evolve": false } }).operator).toBe("improve");
    expect(choose(still, { settings: { ...settings, "search.branch_stagnation": 0 } }).operator).toBe(
      "improve",
    );
  });

  it("stands still, too, where its gains are smaller than what counts", () => {
    const slow: Sketch[] = [
      [null, 5],
      [null, 1],
      [1, 0.9],
      [2, 0.8],
    ];
    expect(choose(slow, { settings }).operator).toBe("improve");
    expect(choose(slow, { settings: { ...settings, "search.threshold": 0.3 } }).operator).toBe("evolve");
  });

  it("is joined with another before it is led on", () => {
    const both = { ...settings, "parts.crossover": true, "search.fuse_prob": 0.5 };
    expect(choose(still, { settings: both, draws: [0, 0.4] })).toMatchObject({
      ...{ operator: "crossover", parent: { id: "n1" }, sources: [{ id: "n0" }] },
    });
    expect(choose(still, { settings: both, draws: [0, 0.6] }).operator).toBe("evolve");
  });
});

describe("all branches together", () => {
  /** Two branches of two good steps each, and nothing new for two steps. */
  const branches: Sketch[] = [
    [null, 3],
    [null, 1],
    [0, 2.5],
    [1, 1.5],
  ];
  const settings = {
    ...{ "agent.search.num_drafts": 2, "search.stagnation": 2, "search.aggregate_most": 1 },
    ...{ "search.aggregate_from": 0.5, "search.aggregate_to": 0.8 },
  };
  const operator = (given: Parameters<typeof choose>[1] = {}, sketches = branches) =>
    choose(sketches, { progress: 0.5, ...given, settings: { ...settings, ...given.settings } }).operator;

  it("are joined in a new root from the best of each, the best first", () => {
    expect(choose(branches, { settings, progress: 0.5 })).toMatchObject({
      operator: "aggregate",
      parent: null,
      sources: [{ id: "n1" }, { id: "n2" }],
    });
  });

  it("are joined between two shares of the budget", () => {
    const at = [0.49, 0.5, 0.8, 0.81].map((progress) => operator({ progress }));
    expect(at).toEqual(["improve", "aggregate", "aggregate", "improve"]);
  });

  it("are joined where the search stands still, and not where it moves", () => {
    expect(operator({ settings: { "search.stagnation": 3 } })).toBe("improve");
    expect(operator({}, [...branches, [1, 0.5]])).toBe("improve");
  });

  it("are joined as often as the settings say, once at a time", () => {
    expect(operator({ settings: { "search.aggregate_most": 0 } })).toBe("improve");
    const joined: Sketch[] = [...branches, [null, 2.2, { operator: "aggregate" }]];
    expect(operator({}, joined)).toBe("improve");
    expect(operator({ settings: { "search.aggregate_most": 2 } }, joined)).toBe("aggregate");
    const [first, second] = nodesOf(branches);
    const joining: Action = { operator: "aggregate", parent: null, sources: [second, first] };
    expect(operator({ pending: [joining] })).toBe("improve");
    expect(operator({ pending: [{ operator: "improve", parent: second, sources: [] }] })).toBe("aggregate");
  });

  it("are two at least, of two good steps each", () => {
    const [a, b, c] = branches;
    expect(operator({ settings: { "search.stagnation": 1 } }, [a, b, c])).toBe("improve");
    expect(operator({}, [a, b, [0, 2.8], [0, 2.9]])).toBe("improve");
    expect(operator({}, [...branches, [null, 4]])).toBe("aggregate");
    expect(choose([...branches, [null, 4]], { settings, progress: 0.5 }).sources).toHaveLength(2);
  });
});
