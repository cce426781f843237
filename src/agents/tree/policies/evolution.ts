import { goodNodes, ranked, searchNodes, type Tree, type TreeNode } from "../engine/tree.ts";
import { weighted } from "./mixed.ts";
import { type Action, canBeImproved, normalised, type Situation } from "./policy.ts";

/**
 * Generations of a few each: parents come from those that have ended, or, where it is steady, from all that there is. They
 * are drawn by the softmax of their normalised fitness; from the second generation on, two of them are crossed as often as
 * the setting says. Null: another draft.
 */
export function evolutionAction(situation: Situation): Action | null {
  const { tree, settings, random } = situation;
  const size = settings["search.generation"];
  const born = generations(tree, size);
  const generation = Math.floor(searchNodes(tree).filter(isIndividual).length / size);
  const able = goodNodes(tree).filter(canBeImproved);
  const elders = able.filter(({ id }) => born.get(id)! < generation);
  // Where nothing of the earlier generations works, the youngest have to do.
  const from = settings["search.steady"] || elders.length === 0 ? able : elders;
  const living = new Set(ranked(from).slice(0, settings["search.population"]));
  const parents = from.filter((node) => living.has(node));
  const fitness = normalised(tree);
  const draw = (among: readonly TreeNode[]) =>
    weighted(
      among,
      among.map(({ id }) => Math.exp((fitness.get(id) ?? 0) / settings["search.softmax"])),
      random,
    );
  const parent = draw(parents);
  if (parent === null) return null;
  const crosses =
    settings["parts.crossover"] &&
    generation >= settings["search.crossover_from"] &&
    random() < settings["search.crossover_prob"];
  const other = crosses ? draw(parents.filter(({ id }) => id !== parent.id)) : null;
  return other === null
    ? { operator: "improve", parent, sources: [] }
    : { operator: "crossover", parent, sources: [other] };
}

/** Repairs belong to what they repair. */
const isIndividual = ({ stage }: TreeNode) => stage !== "debug";

/** The generation of each step: the first few are one, then the next. */
function generations(tree: Tree, size: number): Map<string, number> {
  const born = new Map<string, number>();
  let count = 0;
  for (const node of searchNodes(tree)) {
    const own = isIndividual(node) ? Math.floor(count++ / size) : undefined;
    born.set(node.id, own ?? born.get(node.parent ?? "") ?? 0);
  }
  return born;
}
