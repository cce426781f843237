import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { makeFolder } from "../../../files/make-folder.ts";
import { codeOf } from "../engine/step.ts";
import type { TreeNode } from "../engine/tree.ts";
import type { Workshop } from "../operators/workshop.ts";

interface Part {
  node: TreeNode;
  weight: number;
}

/** What we write here ourselves, and replace whenever something else stands submitted. */
const OWN = /^(best_solution|member-\d{4})\.\w+$/;
const Recipe = z.array(z.object({ step: z.int(), weight: z.number() }));

/**
 * The programs behind the submission that stands: `best_solution.*` and the node it is, as the original's start script links
 * them; for a mix the one that counts most, all of its members beside it, and in `submitted.json` how much each counts.
 */
export function placeSolution(folder: string, shop: Workshop, submitted: TreeNode): void {
  const parts = partsOf(shop, submitted);
  if (parts.length === 0) return;
  const programs = parts.map((part) => ({ ...part, code: codeOf(shop, part.node) }));
  const [lead] = programs;
  // One that is long and whose file some program has spoilt: the program before it is better than none.
  if (lead.code === "" && lead.node.codePath !== null) return;
  makeFolder(folder);
  for (const old of fs.readdirSync(folder))
    if (OWN.test(old)) fs.rmSync(path.join(folder, old), { force: true });
  const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
  const members = programs.map(({ node, weight, code }) => {
    const ending = path.extname(node.codePath ?? "");
    const name = parts.length === 1 ? `best_solution${ending}` : `member-${numberOf(node)}${ending}`;
    if (code !== "") write(name, code);
    const { step, id, operator } = node;
    return { step, id, operator, weight, program: code === "" ? null : name };
  });
  if (parts.length > 1 && lead.code !== "")
    write(`best_solution${path.extname(lead.node.codePath ?? "")}`, lead.code);
  write("node_id.txt", `${lead.node.id}\n`);
  const facts = { schema: "mlebench/tree-submitted", version: 1, how: submitted.plan, members };
  write("submitted.json", `${JSON.stringify(facts, null, 2)}\n`);
}

const numberOf = ({ step }: TreeNode) => String(step).padStart(4, "0");

/** The steps of the search whose predictions are in it, the one that counts most first. */
function partsOf(shop: Workshop, submitted: TreeNode): Part[] {
  if (submitted.phase === "search") return [{ node: submitted, weight: 1 }];
  const { nodes, byId } = shop.tree();
  if (submitted.operator === "ensemble") {
    return recipeIn(shop.texts(submitted.id)?.code ?? "").flatMap(({ step, weight }) => {
      const node = nodes.find((one) => one.step === step);
      return node === undefined ? [] : [{ node, weight }];
    });
  }
  const lead = byId.get(submitted.parent ?? "");
  return lead === undefined ? [] : [{ node: lead, weight: 1 }];
}

/** Empty where a journal that we went on with holds something else. */
function recipeIn(text: string): z.infer<typeof Recipe> {
  try {
    return Recipe.parse(JSON.parse(text));
  } catch {
    return [];
  }
}
