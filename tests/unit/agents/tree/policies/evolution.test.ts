import { describe, expect, it } from "vitest";
import type { Sketch } from "../nodes.ts";
import { choose, drafts } from "./choosing.ts";

describe("evolution", () => {
  const settings = {
    "search.policy": "evolution",
    "search.generation": 2,
    "search.crossover_from": 2,
    "search.crossover_prob": 0.5,
    "parts.crossover": true,
  };
  it("crosses two parents from the second generation on", () => {
    expect(choose(drafts, { settings, draws: [0.9, 0.1, 0.4, 0.5] })).toMatchObject({
      operator: "crossover",
    });
    expect(choose(drafts, { settings, draws: [0.9, 0.1, 0.6] })).toMatchObject({ operator: "improve" });
    const early = { ...settings, "search.generation": 5 };
    expect(choose(drafts, { settings: early, draws: [0.9, 0.1, 0.1] })).toMatchObject({
      operator: "improve",
    });
  });
  it("improves where there is nobody to cross with", () => {
    const one = { ...settings, "agent.search.num_drafts": 1, "search.crossover_from": 0 };
    expect(choose([[null, 1]], { settings: one, draws: [0.9, 0, 0] })).toMatchObject({ operator: "improve" });
  });
  it("drafts first, and repairs", () => {
    expect(choose([], { settings }).operator).toBe("draft");
    expect(choose([...drafts, [0, null]], { settings }).operator).toBe("debug");
  });
});

describe("parents", () => {
  const settings = {
    ...{ "search.policy": "evolution", "search.generation": 2, "agent.search.num_drafts": 3 },
    ...{ "agent.search.max_debug_depth": 0 },
  };
  const parentOf = (sketches: readonly Sketch[], draw: number, own: object = {}) =>
    choose(sketches, { settings: { ...settings, ...own }, draws: [0.9, draw] }).parent?.id;
  const three: Sketch[] = [
    [null, 3],
    [null, 1],
    [null, 2],
  ];

  it("come from generations that have ended, or from all that there is where it is steady", () => {
    expect(parentOf(three, 0.999)).toBe("n1");
    expect(parentOf(three, 0.999, { "search.steady": true })).toBe("n2");
  });

  it("come from the youngest where nothing before them works", () => {
    const late: Sketch[] = [
      [null, null],
      [null, null],
      [null, null],
      [null, 1],
      [null, 2],
    ];
    expect(parentOf(late, 0.999, { "search.generation": 3 })).toBe("n4");
  });

  it("are of the generation of what they repaired", () => {
    const repaired: Sketch[] = [
      [null, 3],
      [null, null],
      [1, 1],
      [null, 2],
    ];
    expect(parentOf(repaired, 0.999)).toBe("n2");
  });

  it("are drawn by the softmax of their fitness, equal ones evenly", () => {
    const two: Sketch[] = [
      [null, 1],
      [null, 3],
    ];
    const from = (draw: number, own: object = {}) =>
      parentOf(two, draw, { "agent.search.num_drafts": 2, ...own });
    // e to e + 1: 0.731.
    expect([from(0.72), from(0.74)]).toEqual(["n0", "n1"]);
    expect(from(0.9, { "search.softmax": 0.1 })).toBe("n0");
    const equal: Sketch[] = [
      [null, 1],
      [null, 1],
    ];
    const evenly = [0.1, 0.49, 0.5].map((draw) => parentOf(equal, draw, { "agent.search.num_drafts": 2 }));
    expect(evenly).toEqual(["n0", "n0", "n1"]);
  });

  it("are only so many of the best", () => {
    expect([0.01, 0.999].map((draw) => parentOf(three, draw, { "search.population": 1 }))).toEqual([
      "n1",
      "n1",
    ]);
  });

  it("are crossed as often as the setting says, and not once more", () => {
    const crossing = { ...settings, "parts.crossover": true, "search.crossover_prob": 0.5 };
    const at = (draw: number, from: number) =>
      choose(three, { settings: { ...crossing, "search.crossover_from": from }, draws: [0.9, 0.1, draw] })
        .operator;
    expect([at(0.49, 1), at(0.5, 1), at(0.49, 2)]).toEqual(["crossover", "improve", "improve"]);
  });
});
