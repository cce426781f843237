import { seededRandom } from "../../../learning/seeded-random.ts";
import { withTree } from "../operators/workshop.ts";
import { chooseAction } from "../policies/choose.ts";
import type { Action } from "../policies/policy.ts";
import { checkWanted, endOf, type SearchEnd, type SearchOptions, settle, waitForModel } from "./loop.ts";
import { performStep, type StepOutcome } from "./step.ts";
import { nextStep, searchNodes } from "./tree.ts";

interface Running {
  action: Action;
  outcome: Promise<{ slot: number; outcome: StepOutcome }>;
}

/**
 * A worker that ends takes the next action at once. What it is chosen from depends on who was quicker, so that two runs of
 * one seed differ; a killed search goes on from its journal, without what was under way.
 */
export async function steadily(options: SearchOptions): Promise<SearchEnd> {
  const { place, journal, clock } = options;
  const { settings, seed, workers } = place.shop;
  const steps = settings["agent.steps"];
  const running = new Map<number, Running>();
  let stopped: SearchEnd | null = null;
  let next = nextStep(journal.tree());
  const begin = (slot: number) => {
    const tree = journal.tree();
    const done = searchNodes(tree).length;
    const action = chooseAction({
      tree,
      settings,
      random: seededRandom(seed * 1_000_003 + next),
      progress: Math.max(done / steps, clock.progress()),
      pending: [...running.values()].map((one) => one.action),
    });
    const then = { ...place, shop: withTree(place.shop, tree) };
    const made = performStep(then, action, next, slot);
    running.set(slot, { action, outcome: made.then((outcome) => ({ slot, outcome })) });
    next += 1;
  };
  for (;;) {
    const done = searchNodes(journal.tree()).length;
    stopped ??= endOf(options);
    if (stopped === null) await waitForModel(options);
    for (let slot = 0; slot < workers && stopped === null && done + running.size < steps; slot++)
      if (!running.has(slot)) begin(slot);
    if (running.size === 0) return stopped ?? { why: "steps" };
    const { slot, outcome } = await Promise.race([...running.values()].map((one) => one.outcome));
    running.delete(slot);
    await checkWanted(options, [outcome]);
    stopped = settle(options, outcome) ?? stopped;
  }
}
