import { setTimeout as wait } from "node:timers/promises";
import { systemRefusal } from "../../../files/system-error.ts";
import type { Journal } from "../journal/append.ts";
import type { SearchClock } from "./clock.ts";
import { inRounds } from "./rounds.ts";
import { steadily } from "./steadily.ts";
import type { MadeStep, StepOutcome, StepPlace } from "./step.ts";
import { bestNode, goodNodes, isBetter, searchNodes, type Tree, type TreeNode } from "./tree.ts";

export type SearchEnd =
  | { why: "steps" | "time" }
  /** `system`: the disk is full, or a folder can no longer be written. */
  | { why: "refused" | "unreachable" | "compat" | "system"; message: string };

export interface SearchOptions {
  place: StepPlace;
  journal: Journal;
  clock: SearchClock;
  /** False once whoever started the search is gone, and its doors with it: what is learned then is not the truth. */
  isWanted(): Promise<boolean>;
  /** After each step that is in the journal. */
  onStep(node: TreeNode): void;
}

/** Steps in a row that got no answer from a model before the search ends, or waits for one that answered before. */
const MAX_SILENT = 3;
/** So long may a model be silent that answered before: a provider's outage must not end what has hours left. */
const PATIENCE_MS = 30 * 60_000;
const PAUSE_SECONDS = 60;

/** Chooses what to do, does it, writes it down, until the steps or the time are used up. */
export async function search(options: SearchOptions): Promise<SearchEnd> {
  try {
    const { "search.asynchronous": asynchronous } = options.place.shop.settings;
    return await (asynchronous ? steadily(options) : inRounds(options));
  } catch (error) {
    const refusal = systemRefusal(error);
    if (refusal === null) throw error;
    return { why: "system", message: refusal.message };
  }
}

/** Why nothing more is begun; null while something may be. */
export function endOf({ place, journal, clock }: SearchOptions, now = Date.now()): SearchEnd | null {
  const tree = journal.tree();
  if (searchNodes(tree).length >= place.shop.settings["agent.steps"]) return { why: "steps" };
  if (clock.isSearchOver()) return { why: "time" };
  const silent = silentSteps(tree);
  if (silent.length < MAX_SILENT) return null;
  const answered = tree.nodes.some(({ modelCalls }) => modelCalls.length > 0);
  // Of a search that is resumed only the silence counts that it heard itself.
  const since = Math.max(performance.timeOrigin, Date.parse(silent[0].startedAt));
  if (answered && now - since < PATIENCE_MS) return null;
  return { why: "unreachable", message: silent.at(-1)?.why?.message ?? "" };
}

/** The last ones, in a row, that got no answer. */
const silentSteps = ({ nodes }: Tree) =>
  nodes.slice(nodes.findLastIndex(({ why }) => why?.kind !== "model") + 1);

/** A model that has been silent for a few steps is given time, and the steps are saved. */
export async function waitForModel({ journal, clock }: SearchOptions): Promise<void> {
  const seconds = Math.min(PAUSE_SECONDS, clock.searchSeconds());
  if (silentSteps(journal.tree()).length >= MAX_SILENT && seconds > 0) await wait(seconds * 1000);
}

/** Writes down what became of an action. Not null: the search cannot go on. */
export function settle({ journal, clock, onStep }: SearchOptions, outcome: StepOutcome): SearchEnd | null {
  if (outcome.status === "ended") return { why: outcome.why, message: outcome.message };
  const node = record(journal, outcome.step);
  if (!node.buggy) clock.noteExecution(node.executionSeconds);
  onStep(node);
  return outcome.fatal === null ? null : { why: "compat", message: outcome.fatal };
}

/** What was learned while nobody was there to ask is not written down: it is learned again when the search is resumed. */
export async function checkWanted(
  { isWanted }: SearchOptions,
  outcomes: readonly StepOutcome[],
): Promise<void> {
  if (outcomes.some(metNobody) && !(await isWanted()))
    throw new Error("Whoever started this search is gone; it goes on when it is resumed.");
}

const metNobody = (outcome: StepOutcome) =>
  outcome.status === "made" &&
  (outcome.step.validity.status === "unchecked" || outcome.step.why?.kind === "model");

/** Writes a step down; whether it is the best of all is decided here, against everything before it. */
export function record(journal: Journal, step: MadeStep): TreeNode {
  const best = bestNode(goodNodes(journal.tree()))?.metric;
  const { metric } = step;
  const isBest =
    step.phase === "search" &&
    !step.buggy &&
    metric !== null &&
    (best == null || isBetter(metric.value, best.value, best.direction));
  return journal.append({ ...step, isBest });
}
