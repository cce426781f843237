import fs from "node:fs";
import path from "node:path";
import type { TreeNode } from "../engine/tree.ts";
import { sampleView } from "../evaluation/sample-view.ts";
import { runAttempt } from "../execution/attempt.ts";
import { askForCode, type Spent } from "./ask.ts";
import { ablationPrompt, type PromptFacts } from "./prompt.ts";
import { directionOf, type Workshop } from "./workshop.ts";

const LINE = /^[ \t]{0,40}ABLATION[ \t]{1,9}([^=\n]{1,80}?)[ \t]{0,9}=[ \t]{0,9}([-+\w.]{1,60})/gim;

/**
 * Which block of a program matters most: the model writes a program that leaves each out in turn, it runs on a part of
 * the rows, and the block whose absence hurts most is the one to refine. Null where that cannot be found out.
 */
export async function findBlock(
  shop: Workshop,
  parent: TreeNode,
  facts: PromptFacts,
  spent: Spent,
): Promise<string | null> {
  const messages = ablationPrompt(parent, shop, facts);
  const written = await askForCode(shop.askCode, messages, spent, shop.clock.searchSeconds);
  if (written.status !== "written") return null;
  const name = `ablation-${facts.step}`;
  const { output } = await runAttempt(shop.place, {
    name,
    code: written.code,
    data: sampleView(shop) ?? shop.data,
    timeoutSeconds: Math.max(5, shop.clock.executionSeconds() / 4),
    memoryBytes: shop.clock.memoryBytes,
  });
  fs.rmSync(path.join(shop.place.kept, name), { recursive: true, force: true });
  return hurtsMost(output, directionOf(shop));
}

/** The block without which the metric is worst. */
export function hurtsMost(output: string, direction: "maximize" | "minimize" | null): string | null {
  const found = [...output.matchAll(LINE)]
    .map(([, block, value]) => ({ block, value: Number(value) }))
    .filter(({ value }) => Number.isFinite(value));
  if (found.length === 0) return null;
  const worse = (a: number, b: number) => (direction === "maximize" ? a < b : a > b);
  return found.reduce((worst, one) => (worse(one.value, worst.value) ? one : worst)).block;
}
