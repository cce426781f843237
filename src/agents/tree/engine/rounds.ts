import { seededRandom } from "../../../learning/seeded-random.ts";
import { withTree } from "../operators/workshop.ts";
import { chooseAction } from "../policies/choose.ts";
import type { Action } from "../policies/policy.ts";
import { checkWanted, endOf, type SearchEnd, type SearchOptions, settle, waitForModel } from "./loop.ts";
import { performStep } from "./step.ts";
import { searchNodes, treeOf } from "./tree.ts";

/**
 * Chooses as many actions as there are workers, carries them out side by side, writes them down in the order in which they
 * were chosen. Everything that is drawn follows from the seed and the step's number, and what is done side by side knows
 * only of what was there before, so that a search that was killed goes on as if nothing had happened.
 */
export async function inRounds(options: SearchOptions): Promise<SearchEnd> {
  const { place, journal, clock } = options;
  const { settings, seed, workers } = place.shop;
  const steps = settings["agent.steps"];
  for (;;) {
    const end = endOf(options);
    if (end !== null) return end;
    await waitForModel(options);
    const tree = journal.tree();
    const done = searchNodes(tree).length;
    // A kill may have left the first few of those that are done side by side: the rest is chosen as it was then.
    const first = done - (done % workers);
    const before = first === done ? tree : treeOf(tree.nodes.slice(0, first));
    const actions: Action[] = [];
    for (let step = first; step < Math.min(first + workers, steps); step++)
      actions.push(
        chooseAction({
          tree: before,
          settings,
          random: seededRandom(seed * 1_000_003 + step),
          progress: Math.max(first / steps, clock.progress()),
          pending: [...actions],
        }),
      );
    const then = { ...place, shop: withTree(place.shop, before) };
    const outcomes = await Promise.all(
      actions
        .slice(done - first)
        .map((action, slot) => performStep(then, action, done + slot, done - first + slot)),
    );
    await checkWanted(options, outcomes);
    for (const outcome of outcomes) {
      const stopped = settle(options, outcome);
      if (stopped !== null) return stopped;
    }
  }
}
