import fs from "node:fs";
import path from "node:path";
import { validateSubmission } from "../../kit/validate-client.ts";
import { within } from "../engine/clock.ts";
import { record } from "../engine/loop.ts";
import { attemptName, codeOf, executionOf, frame, keepCode, type MadeStep } from "../engine/step.ts";
import { nextStep, type TreeNode } from "../engine/tree.ts";
import { UNANSWERED } from "../evaluation/judge.ts";
import { writeSubmission } from "../evaluation/table.ts";
import { fileDigest, keptFolder } from "../execution/attempt.ts";
import type { Journal } from "../journal/append.ts";
import { nothingSpent } from "../operators/ask.ts";
import type { Workshop } from "../operators/workshop.ts";
import { type CellsById, mixOf } from "./blend.ts";
import { cellsOf } from "./candidates.ts";
import { endingPlan, learnAgain, type Refit } from "./refit.ts";

export interface EndgameOptions {
  shop: Workshop;
  journal: Journal;
  /** All of the public data. */
  allData: string;
  validateUrl: string;
  baselineProgram: string | null;
}

export interface Member {
  node: TreeNode;
  weight: number;
}

/** What is submitted, and its mean over the rows that did not guide the search; null where none were scored. */
export interface Chosen {
  members: Member[];
  choice: number | null;
}

/** What stands submitted in the end, and on what it was measured; null where the best of the search stays as it is. */
export interface Ending {
  file: string;
  node: TreeNode;
}

/** The members once more, on all rows; whoever fails now stays with what it predicted before. */
export async function submitMembers(
  options: EndgameOptions,
  { members, choice }: Chosen,
): Promise<Ending | null> {
  const { shop, journal, validateUrl } = options;
  const { sample, carved } = shop;
  if (sample === null) return null;
  const step = nextStep(journal.tree());
  const startedAt = new Date().toISOString();
  const name = attemptName(step);
  let seconds = 0;
  const parts: CellsById[] = [];
  const refits: Refit[] = [];
  for (const { node } of members) {
    const again = await learnAgain(options, node, `${name}-${attemptName(node.step)}`);
    refits.push(again.refit);
    seconds += again.seconds;
    const cells = again.cells ?? cellsOf(shop, node);
    if (cells === null) return null;
    parts.push(new Map(sample.rows.map(([id]) => [id, cells.get(id) ?? []])));
  }
  const kind = carved?.scoring.kind ?? "label";
  const weights = members.map(({ weight }) => weight);
  const file = path.join(keptFolder(shop.place, name), "submission.csv");
  writeSubmission(file, sample, mixOf(kind, parts, weights));
  const reply = await within(validateSubmission(validateUrl, file), shop.clock.secondsLeft(), UNANSWERED);
  const valid = reply.status !== "answered" || reply.isValid;
  const [lead, ...others] = members;
  const recipe = JSON.stringify(
    members.map(({ node, weight }) => ({ step: node.step, weight, code: node.codePath ?? node.operator })),
    null,
    2,
  );
  const isMix = others.length > 0;
  const code = isMix ? `${recipe}\n` : codeOf(shop, lead.node);
  const made = {
    ...frame(shop, step, startedAt, nothingSpent()),
    phase: "endgame",
    parent: lead.node.id,
    sources: others.map(({ node }) => node.id),
    operator: isMix ? "ensemble" : "final",
    stage: "improve",
    plan: endingPlan(refits),
    promptSha256: null,
    ...(isMix
      ? { codePath: null, codeSha256: null, code: recipe, diff: "" }
      : keepCode(shop, step, lead.node.codePath === null ? null : code, "")),
    ...executionOf(null),
    executionSeconds: Number(seconds.toFixed(3)),
    analysis: reply.status === "answered" ? reply.result.slice(0, 500) : reply.message.slice(0, 500),
    metric: lead.node.metric,
    choice:
      choice === null
        ? null
        : lead.node.metric && { ...lead.node.metric, value: choice, folds: [], spread: null },
    validity: {
      status: reply.status !== "answered" ? "unchecked" : reply.isValid ? "valid" : "invalid",
      message: reply.status === "answered" ? reply.result.slice(0, 500) : reply.message.slice(0, 500),
    },
    buggy: !valid,
    why: valid ? null : { kind: "invalid submission", message: "the harness refuses it" },
    submissionSha256: fileDigest(file),
  } satisfies MadeStep;
  const node = record(journal, made);
  return valid ? endingOf(shop, node) : null;
}

/** Null where the file is no longer what was written. */
export function endingOf({ place }: Workshop, node: TreeNode): Ending | null {
  const file = path.join(place.kept, attemptName(node.step), "submission.csv");
  return fs.existsSync(file) && fileDigest(file) === node.submissionSha256 ? { file, node } : null;
}
