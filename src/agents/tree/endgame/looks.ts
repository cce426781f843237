import fs from "node:fs";
import path from "node:path";
import { childrenOf, type TreeNode } from "../engine/tree.ts";
import { type Carved, carve } from "../evaluation/carve.ts";
import type { Workshop } from "../operators/workshop.ts";
import { choiceOf, reevaluate } from "./reevaluate.ts";
import type { EndgameOptions } from "./submit.ts";

/** A candidate as the end sees it. */
export interface Judged {
  node: TreeNode;
  /** The mean over all rows that did not guide the search; its own value in the search where there are none. */
  value: number;
  heldBack: boolean;
  /** Its further looks, one for each of those that all candidates had. */
  again: TreeNode[];
}

/** Hidden rows of a further look: what was predicted of them can still be scored when their folder is gone. */
export type Look = Carved | null;

export interface Judgement {
  judged: Judged[];
  looks: Look[];
}

/**
 * Measures the best few again, each on the same other rows, as often as the settings say and the time allows. Only what all
 * of them had counts, weighted by its rows: means over different rows cannot be compared.
 */
export async function judgeAgain(
  options: EndgameOptions,
  candidates: readonly TreeNode[],
): Promise<Judgement> {
  const { shop, journal } = options;
  const looks: Look[] = [];
  let left = inOrderOfChoice(shop, candidates);
  const again = new Map<TreeNode, TreeNode[]>(left.map((node) => [node, []]));
  for (let look = 1; look <= shop.settings["parts.endgame_looks"]; look++) {
    const known = (node: TreeNode) =>
      childrenOf(journal.tree(), node.id).filter(({ operator }) => operator === "reevaluate")[look - 1];
    const unknown = left.filter((node) => !known(node));
    const able = unknown.slice(0, affordable(unknown, shop.clock.secondsLeft()));
    const going = left.filter((node) => known(node) || able.includes(node));
    // One alone has nobody to be compared with.
    if (going.length < Math.min(2, left.length) || (look > 1 && going.length < left.length)) break;
    const carved = openLook(options, look);
    if (carved === undefined) break;
    for (const node of going) {
      const found = known(node) ?? (await reevaluate({ ...options, other: carved, look }, node));
      if (!found.buggy) again.get(node)!.push(found);
    }
    closeLook(shop, carved);
    const kept = going.filter((node) => again.get(node)!.length === look);
    if (kept.length === 0) break;
    left = kept;
    looks.push(carved);
  }
  return { judged: left.map((node) => judgedBy(shop, node, again.get(node)!, looks)), looks };
}

/** How many of them, from the first on, still fit before what is chosen learns once more from all rows. */
function affordable(nodes: readonly TreeNode[], secondsLeft: number): number {
  let needed = 2;
  let longest = 0;
  for (const [at, { executionSeconds }] of nodes.entries()) {
    needed += 1.2 * executionSeconds;
    longest = Math.max(longest, executionSeconds);
    if (needed + 1.5 * longest > secondsLeft) return at;
  }
  return nodes.length;
}

/** From the best on rows that did not guide the search; where there are none, as they come. */
function inOrderOfChoice(shop: Workshop, candidates: readonly TreeNode[]): TreeNode[] {
  const values = new Map(candidates.map((node) => [node, choiceOf(shop, node)?.value]));
  if ([...values.values()].includes(undefined)) return [...candidates];
  const sign = candidates[0].metric!.direction === "maximize" ? -1 : 1;
  return [...candidates].sort((a, b) => sign * (values.get(a)! - values.get(b)!) || a.step - b.step);
}

/** Null: programs report themselves. Undefined: no other rows can be hidden. */
function openLook({ shop, allData }: EndgameOptions, look: number): Look | undefined {
  if (shop.carved === null) return null;
  const folder = path.join(shop.place.scratch, `view-${look + 1}`);
  const outcome = carve(allData, shop.task, { seed: shop.seed, look }, folder);
  if (outcome.status !== "carved") return undefined;
  shop.place.guarded.push(outcome.carved);
  return outcome.carved;
}

function closeLook({ place }: Workshop, look: Look): void {
  if (look === null) return;
  place.guarded.splice(place.guarded.indexOf(look), 1);
  fs.rmSync(look.folder, { recursive: true, force: true });
}

function judgedBy(
  shop: Workshop,
  node: TreeNode,
  again: readonly TreeNode[],
  looks: readonly Look[],
): Judged {
  const choice = choiceOf(shop, node);
  const parts = [
    ...(choice === null ? [] : [{ value: choice.value, rows: shop.carved!.hidden.choice.size }]),
    ...looks.map((look, at) => ({ value: again[at].metric!.value, rows: look === null ? 1 : rowsOf(look) })),
  ];
  if (parts.length === 0) return { node, value: node.metric!.value, heldBack: false, again: [] };
  return { node, value: meanOf(parts), heldBack: true, again: again.slice(0, looks.length) };
}

export const rowsOf = ({ hidden }: Carved) => hidden.search.size + hidden.choice.size;

export function meanOf(parts: readonly { value: number; rows: number }[]): number {
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  return parts.reduce((sum, part) => sum + part.value * part.rows, 0) / rows;
}
