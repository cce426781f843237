import fc from "fast-check";
import { describe, it } from "vitest";
import {
  bestNode,
  branchOf,
  debugDepth,
  goodNodes,
  ranked,
  stepsWithoutBest,
  treeOf,
} from "../../../../../src/agents/tree/engine/tree.ts";
import { chooseAction } from "../../../../../src/agents/tree/policies/choose.ts";
import type { Action } from "../../../../../src/agents/tree/policies/policy.ts";
import { seededRandom } from "../../../../../src/learning/seeded-random.ts";
import { nodesOf, type Sketch, settingsWith } from "../nodes.ts";

describe("any search", () => {
  const policies = ["greedy", "uct", "mixed", "evolution"] as const;
  it("has one parent a node, bounded repairs, and never loses the best", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...policies),
        fc.nat(1000),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 0, max: 4 }),
        fc.array(fc.option(fc.integer({ min: 0, max: 50 }), { freq: 2 }), { minLength: 1, maxLength: 60 }),
        (policy, seed, workers, depth, results) => {
          const settings = settingsWith({
            "search.policy": policy,
            "agent.search.max_debug_depth": depth,
            "search.children": 2,
            "search.stagnation": 3,
            "search.fuse_prob": 0.5,
            "search.crossover_prob": 0.5,
            "parts.crossover": true,
            "parts.refine": true,
            "parts.evolve": true,
            "parts.baseline": true,
            "search.branch_stagnation": 2,
            "search.aggregate_most": 2,
          });
          const sketches: Sketch[] = [];
          let best: number | null = null;
          while (sketches.length < results.length) {
            const tree = treeOf(nodesOf(sketches));
            const actions: Action[] = [];
            for (let slot = 0; slot < Math.min(workers, results.length - sketches.length); slot++)
              actions.push(
                chooseAction({
                  tree,
                  settings,
                  random: seededRandom(seed + sketches.length + slot),
                  progress: sketches.length / results.length,
                  pending: [...actions],
                }),
              );
            for (const action of actions) {
              const value = results[sketches.length];
              if (value !== null) best = best === null ? value : Math.min(best, value);
              sketches.push([action.parent?.step ?? null, value, { operator: action.operator }]);
              if (action.operator === "debug" && !action.parent.buggy) return false;
              if (action.operator !== "debug" && action.parent?.buggy) return false;
              if ([action.parent, ...action.sources].some((one) => one?.operator === "baseline"))
                return false;
              if (action.sources.some(({ buggy }) => buggy)) return false;
            }
          }
          const tree = treeOf(nodesOf(sketches));
          const found = bestNode(goodNodes(tree))?.metric?.value ?? null;
          return (
            found === best &&
            tree.nodes.every((node) => debugDepth(tree, node) <= depth) &&
            ranked(goodNodes(tree))[0]?.id === bestNode(goodNodes(tree))?.id &&
            tree.nodes.every((node) => tree.byId.get(branchOf(tree, node))?.parent === null) &&
            stepsWithoutBest(goodNodes(tree)) < Math.max(1, goodNodes(tree).length)
          );
        },
      ),
      { numRuns: 200 },
    );
  });
});
