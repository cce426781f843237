import { isBetter, type TreeNode } from "../engine/tree.ts";
import { measureHidden } from "../evaluation/predictions.ts";
import type { Workshop } from "../operators/workshop.ts";
import { type CellsById, chooseWeights, mixOf } from "./blend.ts";
import { cellsOf, topCandidates } from "./candidates.ts";
import { type Judged, type Judgement, judgeAgain, meanOf, rowsOf } from "./looks.ts";
import { type Chosen, type EndgameOptions, type Ending, endingOf, submitMembers } from "./submit.ts";

/**
 * The end of a search: the best few are measured again on rows that did not guide it, mixed where the mix is better
 * there, learned again from all rows, and validated. No model is asked. Each part is left out when its time is over.
 */
export async function finish(options: EndgameOptions): Promise<Ending | null> {
  const { shop, journal } = options;
  const { settings, carved } = shop;
  if (settings.compat) return null;
  const candidates = settings["parts.endgame"] ? topCandidates(shop) : topCandidates(shop).slice(0, 1);
  if (candidates.length === 0) return null;
  const done = journal
    .tree()
    .nodes.find(({ operator, phase }) => phase === "endgame" && operator !== "reevaluate");
  if (done !== undefined) return done.buggy ? null : endingOf(shop, done);
  const judgement = settings["parts.endgame"]
    ? await judgeAgain(options, candidates)
    : { judged: candidates.map(asSearched), looks: [] };
  const direction = candidates[0].metric!.direction;
  const best = judgement.judged.reduce((one, next) =>
    isBetter(next.value, one.value, direction) ? next : one,
  );
  const chosen = chooseMembers(shop, judgement, best);
  if (carved === null && chosen.members.length === 1 && best.node.id === candidates[0].id) return null;
  return submitMembers(options, chosen);
}

const asSearched = (node: TreeNode): Judged => ({
  node,
  value: node.metric!.value,
  heldBack: false,
  again: [],
});

/** A mix whose weights were chosen on the rows that guided, if it is better on those that did not. */
function chooseMembers(shop: Workshop, { judged, looks }: Judgement, best: Judged): Chosen {
  const alone = { members: [{ node: best.node, weight: 1 }], choice: best.heldBack ? best.value : null };
  const { carved, settings } = shop;
  const direction = best.node.metric!.direction;
  if (!settings["parts.ensemble"] || carved === null || judged.length < 2) return alone;
  const known = judged.flatMap((one) => {
    const cells = cellsOf(shop, one.node);
    const again = one.again.flatMap((node, at) => cellsOf(shop, node, looks[at]) ?? []);
    return cells === null || again.length < looks.length ? [] : [{ ...one, cells, again }];
  });
  const { kind } = carved.scoring;
  const predicted = known.map(({ cells }) => cells);
  const score = (cells: CellsById, part: "search" | "choice") =>
    measureHidden(carved, part, cells, direction)?.value ?? null;
  const better = (value: number, than: number) => isBetter(value, than, direction);
  const weights = chooseWeights(kind, predicted, (cells) => score(cells, "search"), better);
  if (weights === null || weights.filter((weight) => weight > 0).length < 2) return alone;
  const parts = [
    { value: score(mixOf(kind, predicted, weights), "choice"), rows: carved.hidden.choice.size },
    ...looks.map((look, at) => {
      const members = known.map(({ again }) => again[at]);
      const value = measureHidden(look!, "both", mixOf(kind, members, weights), direction)?.value ?? null;
      return { value, rows: rowsOf(look!) };
    }),
  ].flatMap(({ value, rows }) => (value === null ? [] : [{ value, rows }]));
  if (parts.length <= looks.length) return alone;
  const mean = meanOf(parts);
  if (!better(mean, best.value)) return alone;
  const members = known
    .map(({ node }, at) => ({ node, weight: weights[at] }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight || a.node.step - b.node.step);
  return { members, choice: mean };
}
