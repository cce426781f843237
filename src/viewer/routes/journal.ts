import path from "node:path";
import type { JournalRead } from "../../agents/tree/journal/read.ts";
import type { JournalStep } from "../../agents/tree/journal/schema.ts";
import { agentSearches } from "../../analysis/journal/agent.ts";
import { journalIn, repliesOf, searchIn } from "../../analysis/journal/of-trial.ts";
import { type Search, searchOf } from "../../analysis/journal/search.ts";
import { safeBlock } from "../../wording/safe-text.ts";
import { answer, gone, type Route, wrong } from "./route.ts";

export interface JournalPage {
  search: Search;
  /** Lines that were passed over, and why. */
  doubts: string[];
}

export interface StepPage {
  plan: string;
  code: string | null;
  /** Beside the journal; null where no program was written. */
  codePath: string | null;
  diff: string;
  output: string;
  analysis: string;
  language: string;
  why: string | null;
  validity: string;
  memory: number | null;
  folds: number[];
  /** On rows that only choose the end; null for a step of the search. */
  choice: number | null;
  /** Ids of the steps beside its parent that it took something from. */
  sources: string[];
  calls: number[];
}

const MAX_TEXT = 100_000;
const MAX_TRIALS = 200;

type Read = Extract<JournalRead, { status: "read" }>;
type Replies = ReturnType<typeof repliesOf>;

/** The tree of a trial's search. */
export const journal: Route = async (store, { group = "", trial = "" }) => {
  const folder = store.trialFolder(group, trial);
  const read = folder === null ? null : await journalIn(folder);
  if (folder === null || read === null || read.status === "absent") return gone("The journal");
  if (read.status === "unreadable") return wrong(`The journal cannot be shown: ${read.why}.`);
  return answer(journalPage(read, repliesOf(folder)));
};

export function journalPage({ head, steps, doubts }: Read, replies: Replies): JournalPage {
  return {
    search: searchOf(head, steps, (reply) => replies.get(reply)?.cost ?? null),
    doubts: doubts.slice(0, 5).map(({ line, why }) => `line ${line}: ${why}`),
  };
}

/** One step at length. */
export const journalStep: Route = async (store, { group = "", trial = "", step: id = "" }) => {
  const folder = store.trialFolder(group, trial);
  const read = folder === null ? null : await journalIn(folder);
  const step = read?.status === "read" ? read.steps.find((one) => one.id === id) : undefined;
  if (folder === null || step === undefined) return gone("That step");
  return answer(stepPage(step, repliesOf(folder)));
};

export function stepPage(step: JournalStep, replies: Replies): StepPage {
  const text = (value: string) => safeBlock(value.slice(0, MAX_TEXT));
  return {
    plan: text(step.plan),
    code: step.code === null ? null : text(step.code),
    codePath: step.codePath === null ? null : text(step.codePath),
    diff: text(step.diff),
    output: text(step.output),
    analysis: text(step.analysis),
    language: step.language,
    why: step.why === null ? null : text(`${step.why.kind}: ${step.why.message}`),
    validity: text(validityText(step.validity)),
    memory: step.memory,
    folds: step.metric?.folds ?? [],
    choice: step.choice?.value ?? null,
    sources: step.sources,
    calls: step.modelCalls.flatMap((reply) => replies.get(reply)?.seq ?? []),
  };
}

/** As a part of a sentence; what says no more than the status is left out. */
function validityText({ status, message }: JournalStep["validity"]): string {
  const more = message.trim().replace(/\.$/, "");
  return more === "" || /^submission is valid$/i.test(more) ? status : `${status} (${more})`;
}

/** What a search agent did over all trials of a group. */
export const agent: Route = async (store, { group: id = "" }) => {
  const group = store.group(id);
  if (group === null) return gone(`The run group ${id}`);
  const searches: { trial: string; search: Search }[] = [];
  for (const cell of group.cells) {
    if (searches.length >= MAX_TRIALS) break;
    const search = await searchIn(path.join(store.runsDir, id, cell.id));
    if (search !== null) searches.push({ trial: cell.id, search });
  }
  return answer(agentSearches(searches));
};
