import type { CompetitionFacts } from "../competition-facts.ts";
import type { AgentRecords, TrialRecord } from "../trial-records.ts";
import { answersCopied } from "./rules/answers-copied.ts";
import { belowConstant } from "./rules/below-constant.ts";
import { crashed } from "./rules/crash.ts";
import { diskFull } from "./rules/disk.ts";
import { harnessFault } from "./rules/harness-fault.ts";
import { invalidFormat } from "./rules/invalid-format.ts";
import { metricMisunderstood } from "./rules/metric-misunderstood.ts";
import { networkDenied } from "./rules/network-denied.ts";
import { noSubmission } from "./rules/no-submission.ts";
import { outOfMemory } from "./rules/out-of-memory.ts";
import { overfit } from "./rules/overfit.ts";
import { ownSums } from "./rules/own-sums.ts";
import { packageError } from "./rules/package-error.ts";
import { sampleCopied } from "./rules/sample-copied.ts";
import { timedOut } from "./rules/timeout.ts";
import { type Evidence, type FailureRule, trialView } from "./view.ts";

/** Causes before what follows from them: a trial's first class is the one to look at. */
const RULES = {
  "answers-copied": answersCopied,
  "harness-fault": harnessFault,
  "out-of-memory": outOfMemory,
  disk: diskFull,
  "network-denied": networkDenied,
  "package-error": packageError,
  timeout: timedOut,
  crash: crashed,
  "metric-misunderstood": metricMisunderstood,
  "sample-copied": sampleCopied,
  overfit,
  "below-constant": belowConstant,
  "invalid-format": invalidFormat,
  "no-submission": noSubmission,
  "own-sums": ownSums,
} as const satisfies Record<string, FailureRule>;

export type FailureClass = keyof typeof RULES;

export const FAILURE_LABELS: Record<FailureClass, string> = {
  "answers-copied": "answers copied, it seems",
  "harness-fault": "harness or host fault",
  "out-of-memory": "out of memory",
  disk: "disk full",
  "network-denied": "network denied",
  "package-error": "package or import error",
  timeout: "time was up",
  crash: "crash",
  "metric-misunderstood": "metric misunderstood",
  "sample-copied": "sample copied unchanged",
  overfit: "overfit to own validation",
  "below-constant": "below the constant baseline",
  "invalid-format": "invalid format",
  "no-submission": "no submission",
  "own-sums": "own count of tokens differs",
};
export const FAILURE_CLASSES = Object.keys(RULES) as FailureClass[];

export interface FailedTrial {
  id: string;
  agent: string;
  competitionId: string;
  seed: number;
  folder: string | null;
  /** Whether it earned a score all the same. */
  scored: boolean;
  /** At least one; the first is the cause. */
  findings: { class: FailureClass; evidence: Evidence[] }[];
}

export interface ClassCount {
  class: FailureClass;
  trials: number;
  byAgent: Record<string, number>;
  byCompetition: Record<string, number>;
}

export interface Failures {
  schema: "mlebench/failures";
  version: 1;
  trials: number;
  /** Without a grade, so that half of the rules have nothing to look at. */
  ungraded: number;
  /** A trial counts in every class it shows; classes without a trial are left out. */
  counts: ClassCount[];
  failed: FailedTrial[];
}

/** Classifies every trial by rules. A trial that earned a score and went well is in no class. */
export function classifyFailures(
  agents: readonly AgentRecords[],
  facts: ReadonlyMap<string, CompetitionFacts>,
): Failures {
  const records = agents.flatMap((agent) => agent.records);
  const failed = records.flatMap((record) => classify(record, facts.get(record.competitionId)) ?? []);
  return {
    schema: "mlebench/failures",
    version: 1,
    trials: records.length,
    ungraded: records.filter(({ grade }) => grade === null).length,
    counts: FAILURE_CLASSES.flatMap((name) => countClass(name, failed) ?? []),
    failed,
  };
}

function classify(record: TrialRecord, facts: CompetitionFacts | undefined): FailedTrial | null {
  const view = trialView(record, facts);
  const findings = FAILURE_CLASSES.flatMap((name) => {
    const evidence = RULES[name](view);
    return evidence.length > 0 ? [{ class: name, evidence }] : [];
  });
  if (findings.length === 0) return null;
  const { id, agent, competitionId, seed, folder } = record;
  return { id, agent, competitionId, seed, folder, scored: view.scored, findings };
}

function countClass(name: FailureClass, failed: readonly FailedTrial[]): ClassCount | null {
  const trials = failed.filter(({ findings }) => findings.some((finding) => finding.class === name));
  if (trials.length === 0) return null;
  return {
    class: name,
    trials: trials.length,
    byAgent: tally(trials.map(({ agent }) => agent)),
    byCompetition: tally(trials.map(({ competitionId }) => competitionId)),
  };
}

function tally(names: readonly string[]): Record<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return Object.fromEntries(counts);
}
