import type { SealedGrade, SealedRecord } from "./schema.ts";

/** What the signature of a trial's record covers, in words. A field without words does not compile. */
const RECORD = {
  trialId: "the trial's id",
  runGroup: "its group's name",
  plan: "the digest of the group's plan",
  start: "the announcement of this attempt",
  attempt: "which attempt it was",
  competition: "competition, version and the digests of its data",
  agent: "the agent with the digests of its definition, code or image",
  seed: "the seed",
  limits: "the limits",
  network: "the network it was allowed",
  materials: "the digest of mounted materials",
  externalKnowledge: "whether it had external knowledge",
  sandbox: "the sandbox as it was enforced",
  isolation: "what that isolated",
  mlebenchVersion: "the version of mlebench",
  startedAt: "its start",
  deadline: "its deadline",
  endedAt: "its end",
  measurements: "measured use",
  outcome: "how it ended",
  submissions: "hash and time of every submission",
  final: "which one counts, and why",
  validations: "every validation call",
  validationsRefused: "how many calls were turned away",
  connections: "every host asked for",
  connectionsUnlisted: "how many attempts are not listed",
  events: "number and last hash of the events",
  files: "size and hash of every file",
  models: "the models that were asked and answered",
  calls: "how many model calls",
  tokens: "how many tokens",
  cost: "what they cost",
  programStarts: "how the agent says it started its program, and digests of the prompts",
  modelAccess: "which models it could ask, at what limits, and which of the providers' tools were refused",
  modelTotals: "calls, tokens and cost by kind, and whether they are complete",
  executor: "who scheduled it",
  continuations: "how often it was continued",
  usedSeconds: "the time used before that",
  elapsedSeconds: "how long it ran before its harness was killed",
  obfuscation: "under which name it saw the competition, and by which rules",
  gpuUse: "GPUs and measured use of them",
  shown: "folders of the host it could read",
} as const satisfies Record<keyof SealedRecord, string>;

const GRADE = {
  record: "the digest of the record it belongs to",
  recordKey: "the key of that record",
  gradedAt: "when it was graded",
  graderVersion: "by which version",
  report: "score, validity, medals, thresholds, rank and percentile",
  timeline: "the grade of every version on the way",
  best: "the best of them",
} as const satisfies Record<keyof SealedGrade, string>;

/** The signature of a record covers what is in it, and nothing else. */
export function recordCoverage(record: SealedRecord): string {
  return `the record: ${named(RECORD, record)}`;
}

export function gradeCoverage(grade: SealedGrade): string {
  return `the grade: ${named(GRADE, grade)}`;
}

export function groupCoverage({
  files,
  plan,
}: {
  files: readonly unknown[];
  plan?: string | undefined;
}): string {
  const digest = plan === undefined ? "" : "the digest of its plan, ";
  return `the group: its name, ${digest}which trials were not finished, size and hash of ${files.length} files (plan, reports, every trial's certificate)`;
}

function named(words: Readonly<Record<string, string>>, content: object): string {
  const present = Object.keys(content);
  const known = Object.keys(words).filter((key) => present.includes(key));
  const others = present.filter((key) => !(key in words));
  return [
    ...known.map((key) => words[key]),
    ...(others.length > 0 ? [`${others.length} things this version does not know`] : []),
  ].join(", ");
}
