import { describe, expect, it } from "vitest";
import { agentSearches } from "../../../../src/analysis/journal/agent.ts";
import { layOutTree } from "../../../../src/analysis/journal/layout.ts";
import { searchOf } from "../../../../src/analysis/journal/search.ts";
import { syntheticJournal } from "../../../fixtures/journals/synthetic-journal.ts";
import { nodesOf, type Sketch } from "../../agents/tree/nodes.ts";

function searched(sketches: readonly Sketch[]) {
  const steps = nodesOf(sketches).map((node) => ({ ...node, code: null, diff: "", output: "" }));
  return searchOf(null, steps);
}

const SKETCHES: Sketch[] = [
  [null, 5],
  [0, null],
  [0, 6],
  [1, 7],
  [2, 3],
  [4, null],
  [4, 4],
  [4, 3, { phase: "endgame", operator: "final", isBest: false }],
];

describe("where a search got stuck", () => {
  it("is the longest stretch without an improvement, with the step before it and its faults", () => {
    expect(searched(SKETCHES).stuck).toEqual({ longest: 3, after: 0, failed: 1, atEnd: 2 });
    expect(searched([[null, 1]]).stuck).toMatchObject({ longest: 0, atEnd: 0 });
    expect(searched([[null, null]]).stuck).toEqual({ longest: 1, after: null, failed: 1, atEnd: 1 });
  });

  it("is told of every trial, and operators are summed over all", () => {
    const search = searched(SKETCHES);
    const all = agentSearches(["a", "b"].map((trial) => ({ trial, search })));
    expect(all.trials).toHaveLength(2);
    expect(all.trials[0]).toMatchObject({ trial: "a", improvements: 2, best: 3, longest: 3, after: 0 });
    expect(all.operators.find(({ operator }) => operator === "improve")).toMatchObject({
      steps: 10,
      improvements: 2,
    });
    expect(all.faults).toEqual([{ kind: "exception", steps: 4 }]);
  });
});

describe("the picture of a tree", () => {
  it("has the way to the best as its first row, whatever came before it", () => {
    const { steps, bestPath } = searched(SKETCHES);
    const { placed } = layOutTree(steps, bestPath);
    expect(bestPath).toEqual(["n0", "n2", "n4"]);
    expect(new Set(bestPath.map((id) => placed.get(id)?.y)).size).toBe(1);
    expect(placed.get("n1")!.y).toBeGreaterThan(placed.get("n2")!.y);
  });

  it.each([5, 60, 500])("of %i steps has a place of its own for each, and children to the right", (size) => {
    const { head, steps: made } = syntheticJournal(size);
    const { steps, bestPath } = searchOf(head, made);
    const { placed, width, height } = layOutTree(steps, bestPath);
    const places = [...placed.values()];
    expect(new Set(places.map(({ x, y }) => `${x} ${y}`)).size).toBe(size);
    for (const node of places) {
      expect(node.x).toBeLessThan(width);
      expect(node.y).toBeLessThan(height);
      if (node.parent !== null) expect(node.x).toBeGreaterThan(placed.get(node.parent)!.x);
    }
  });
});
