import fs from "node:fs";
import path from "node:path";
import { plural } from "../../../wording/counts.ts";
import type { AgentContract } from "../../kit/contract.ts";
import type { Ending } from "../endgame/submit.ts";
import type { SearchEnd } from "../engine/loop.ts";
import { ancestors, bestNode, goodNodes, searchNodes, type Tree, type TreeNode } from "../engine/tree.ts";
import type { JournalHead } from "../journal/schema.ts";

export interface Finished {
  head: JournalHead;
  tree: Tree;
  end: SearchEnd;
  ending: Ending | null;
  elapsedSeconds: number;
}

/** The value that is told: on rows that did not guide the search where there is one. */
export function toldMetric({ tree, ending }: Finished) {
  const best = bestNode(goodNodes(tree));
  const metric = ending?.node.choice ?? best?.metric ?? null;
  return metric === null ? null : { name: metric.name, value: metric.value, direction: metric.direction };
}

/** `metrics.json` and `report.md` beside the submission. Whoever reads them learns that a model had a part in it. */
export function writeReport(contract: AgentContract, done: Finished): void {
  const { head, tree, ending } = done;
  const told = toldMetric(done);
  const best = bestNode(goodNodes(tree));
  fs.writeFileSync(
    path.join(contract.submission, "metrics.json"),
    `${JSON.stringify(
      {
        schema: "mlebench/tree-metrics",
        version: 1,
        metric: told?.name ?? head.metric ?? "not recognised",
        ...(told === null ? {} : { value: told.value, direction: told.direction }),
        validation:
          head.measuredBy !== "hold-out"
            ? "what the programs printed about themselves"
            : ending?.node.choice == null
              ? "hidden rows of the training table: 10 % guided the search; nothing was held back for the choice"
              : "hidden rows of the training table: 10 % guided the search, 10 % chose the end",
        ...(best?.metric?.folds.length ? { per_fold: best.metric.folds } : {}),
        seed: contract.seed,
        model: Object.values(head.models).join(", "),
        preset: head.preset,
        steps: searchNodes(tree).length,
        endgame_steps: tree.nodes.length - searchNodes(tree).length,
        node: ending?.node.id ?? best?.id ?? null,
        submitted: submittedText(done),
      },
      null,
      2,
    )}\n`,
  );
  fs.writeFileSync(path.join(contract.submission, "report.md"), reportText(done));
}

function submittedText({ tree, ending }: Finished): string {
  if (ending !== null) return ending.node.plan;
  return bestNode(goodNodes(tree)) === null
    ? "The sample submission stands submitted."
    : "The best of the search stands submitted as it was.";
}

/** A figure of the choice is only told where rows, or at least a run, other than the search's gave one. */
function choiceText({ head, ending }: Finished): string {
  const value = ending?.node.choice?.value.toPrecision(6);
  if (head.measuredBy !== "hold-out")
    return value === undefined ? "" : ` Run again with another seed it reported ${value}.`;
  return value === undefined
    ? " Nothing was held back for the choice: the rows that guided the search made it."
    : ` Rows that did not guide the search give ${value}.`;
}

/** All steps, as the table of operators counts them. */
function stepsText({ tree }: Finished): string {
  const all = tree.nodes.length;
  const search = searchNodes(tree).length;
  const parts = search === all ? "" : ` (${search} of the search, ${all - search} of the endgame)`;
  return `${plural(all, "step")}${parts}`;
}

function reportText(done: Finished): string {
  const { head, tree, end, ending, elapsedSeconds } = done;
  const { nodes } = tree;
  const best = bestNode(goodNodes(tree));
  const tokens = nodes.reduce((sum, node) => sum + node.tokens.input + node.tokens.output, 0);
  const failed = nodes.filter(({ buggy }) => buggy);
  const kinds = countBy(failed.map(({ why }) => why?.kind ?? "unknown"));
  const path = best === null ? [] : ancestors(tree, best).toReversed();
  const value = (node: TreeNode) => node.metric?.value.toPrecision(6) ?? "–";
  return [
    `# What ${head.preset} did`,
    "",
    `${stepsText(done)} on ${head.competition} with ${[...new Set(Object.values(head.models))].join(", ") || "no model"}, in ${elapsedSeconds.toFixed(0)} s; ended: ${end.why}${"message" in end ? ` (${end.message.slice(0, 200)})` : ""}. ${plural(tokens, "token")}.`,
    ...(Object.values(head.models).some((name) => name.startsWith("simulated"))
      ? ["", "**The model was simulated: this is a test of the machinery, not a language model's result.**"]
      : []),
    "",
    "## Model",
    "",
    best === null
      ? "Nothing worked: what stands submitted is the sample submission."
      : `The best step is ${best.step} (${best.operator}): ${best.plan.slice(0, 500)}`,
    "",
    "The way to it:",
    "",
    "| step | operator | metric | |",
    "|---|---|---|---|",
    ...path.map(
      (node) =>
        `| ${node.step} | ${node.operator} | ${value(node)} | ${node.buggy ? (node.why?.kind ?? "") : ""} |`,
    ),
    "",
    "## Features and settings",
    "",
    `Programs in ${head.language}; each has its own preprocessing, see \`code/\` and \`logs/attempts/\`. Settings: ${Object.entries(
      head.settings,
    )
      .map(([name, one]) => `\`${name}=${one}\``)
      .join(", ")}.`,
    "",
    "## Validation",
    "",
    head.measuredBy === "hold-out"
      ? `Measured by ${head.metric} on training rows that no program saw. Search: ${best === null ? "–" : value(best)}${best?.metric?.spread == null ? "" : ` (spread over folds ${best.metric.spread.toPrecision(3)})`}.`
      : "Measured by what the programs printed about held-out rows of their own.",
    `${ending === null ? "" : "In the end: "}${submittedText(done)}${best === null ? "" : choiceText(done)}`,
    "",
    "## Operators",
    "",
    "| operator | steps | good | new best | seconds |",
    "|---|---|---|---|---|",
    ...operatorRows(nodes),
    "",
    "## Limitations",
    "",
    `${plural(failed.length, "step")} failed${kinds === "" ? "" : `: ${kinds}`}. The value that the search was guided by is a little too good, for the best of many was chosen by it.`,
    "",
  ].join("\n");
}

function operatorRows(nodes: readonly TreeNode[]): string[] {
  return [...new Set(nodes.map(({ operator }) => operator))].map((operator) => {
    const own = nodes.filter((node) => node.operator === operator);
    const seconds = own.reduce((sum, node) => sum + node.executionSeconds + node.modelSeconds, 0);
    return `| ${operator} | ${own.length} | ${own.filter(({ buggy }) => !buggy).length} | ${own.filter(({ isBest }) => isBest).length} | ${seconds.toFixed(1)} |`;
  });
}

function countBy(words: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return [...counts].map(([word, count]) => `${count} ${word}`).join(", ");
}
