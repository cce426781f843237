import { goodNodes, ranked } from "../engine/tree.ts";
import { evolutionAction } from "./evolution.ts";
import { mixed } from "./mixed.ts";
import { type Action, type ChooseParent, canBeImproved, nextAction, type Situation } from "./policy.ts";
import { uct } from "./uct.ts";

/** The best of all, however often it was improved before; with several workers the best that nobody is busy with. */
const greedy: ChooseParent = ({ tree, pending }) => {
  const busy = new Set(pending.map(({ parent }) => parent?.id));
  const best = ranked(goodNodes(tree)).filter(canBeImproved);
  return best.find(({ id }) => !busy.has(id)) ?? best[0] ?? null;
};

const PARENTS = { greedy, uct, mixed } as const;

/** The next action by the policy that the settings name. */
export function chooseAction(situation: Situation): Action {
  const policy = situation.settings["search.policy"];
  if (policy !== "evolution") return nextAction(situation, PARENTS[policy]);
  // Drafts and repairs come first here too; only what happens to a good node differs.
  const shared = nextAction(situation, greedy);
  const isShared = shared.parent === null || shared.operator === "debug";
  return isShared ? shared : (evolutionAction(situation) ?? shared);
}
