import { loadCompetition } from "../../competitions/catalogue.ts";
import { auditInThread } from "../../data/audit/audit-in-thread.ts";
import { type AuditReport, type Finding, isGrave } from "../../data/audit/audit-schema.ts";
import { competitionFile } from "../../data/place/data-folder.ts";
import { gradeSubmission } from "../../grading/grade-submission.ts";
import { runBaseline } from "./baseline.ts";
import { hopelessProblem, leadOverSample } from "./lead.ts";
import type { MadeCompetition, Proposal, Score } from "./schema.ts";

export interface TrialOptions {
  proposal: Proposal;
  competitionsDir: string;
  dataDir: string;
  runsDir: string;
  baselineSeconds: number;
  signal: AbortSignal;
  onStep: (step: string) => void;
}

export type TriedCompetition =
  | {
      status: "tried";
      scores: MadeCompetition["scores"];
      audit: AuditReport;
      /** Why it cannot be called ready; empty when it can. */
      reasons: string[];
      warnings: string[];
    }
  | { status: "interrupted" };

/** What a competition has to stand before anybody uses it: sample, perfect answers, leak scanner, baseline. */
export async function tryCompetition(options: TrialOptions): Promise<TriedCompetition> {
  const { proposal, competitionsDir, dataDir, signal, onStep } = options;
  const { competitionId: id, metric } = proposal;
  const loaded = (await loadCompetition(id, competitionsDir))!;
  const score = (submissionPath: string) => scoreOf({ id, submissionPath, competitionsDir, dataDir });
  onStep("grading the sample submission and the perfect answers");
  const { files } = loaded.competition;
  const samplePath = competitionFile(dataDir, id, files.sampleSubmission);
  const answersPath = competitionFile(dataDir, id, files.answers);
  const sample = await score(samplePath);
  // The answers have the columns of a submission: graded against themselves they must score the best there is.
  const perfect = await score(answersPath);
  if (signal.aborted) return { status: "interrupted" };
  const audit = await auditInThread(
    { competitionId: id, competitionsDir, dataDir, competitionVersion: "v1" },
    { signal, onProgress: (step) => onStep(`looking for leaks: ${step}`) },
  );
  if (audit === null || signal.aborted) return { status: "interrupted" };
  onStep("running the baseline");
  const run = await runBaseline({
    ...options,
    competitionId: id,
    timeSeconds: options.baselineSeconds,
    onSecond: (seconds) =>
      onStep(`running the baseline, ${Math.round(seconds)} of ${options.baselineSeconds} s`),
  });
  if (run.status === "interrupted") return run;
  const baseline: Score =
    run.status === "ran" ? await score(run.submission) : { status: "none", message: run.message };
  const scores = { sample, baseline, perfect };
  onStep("holding the baseline against the constant guess");
  const submissions = { sample: samplePath, baseline: run.status === "ran" ? run.submission : null };
  const lead = leadOverSample(loaded.competition, submissions, answersPath);
  const reasons = [
    ...(sample.status === "none" ? [`The sample submission has no score: ${sample.message}`] : []),
    ...perfectProblem(perfect, metric.best),
    ...auditProblem(audit),
    ...hopelessProblem(scores, metric.direction, lead),
  ];
  return {
    status: "tried",
    scores,
    audit,
    reasons,
    warnings: [...(run.status === "ran" ? run.notes : []), ...orderWarnings(scores, metric.direction)],
  };
}

async function scoreOf(options: {
  id: string;
  submissionPath: string;
  competitionsDir: string;
  dataDir: string;
}): Promise<Score> {
  const { id: competitionId, ...rest } = options;
  const grade = await gradeSubmission({ competitionId, ...rest });
  if (grade.status === "scored" && grade.scoreKind === "finite")
    return { status: "scored", score: grade.score };
  if (grade.status === "scored") return { status: "none", message: `The score is ${grade.scoreKind}.` };
  if (grade.status === "invalid") return { status: "none", message: grade.reasons[0].message };
  return { status: "none", message: grade.message };
}

function auditProblem({ verdict, findings }: AuditReport): string[] {
  if (verdict !== "findings") return [];
  const grave = findings.filter(isGrave).length;
  return [`The leak scanner found ${grave} ${grave === 1 ? "leak or defect" : "leaks or defects"}.`];
}

function perfectProblem(perfect: Score, best: number): string[] {
  if (perfect.status === "none") return [`Perfect answers have no score: ${perfect.message}`];
  return perfect.score === best ? [] : [`Perfect answers score ${perfect.score}, not ${best}.`];
}

/** A task that a learner solves completely is trivial; how hard one without a baseline is, nobody knows. */
export function orderWarnings(
  { baseline, perfect }: MadeCompetition["scores"],
  direction: "maximize" | "minimize",
): string[] {
  if (baseline.status === "none")
    return [`The baseline has no score, so nobody knows how hard the task is: ${baseline.message}`];
  const better = (a: number, b: number) => (direction === "maximize" ? a > b : a < b);
  if (perfect.status === "scored" && !better(perfect.score, baseline.score))
    return ["The baseline's answers are perfect: the task may be trivial, or a column may give it away."];
  return [];
}

/** The option that mends a finding, where there is one. Groups cannot decide a split that time decides. */
export function mendingOption(
  { check, evidence }: Finding,
  { time }: { time: string | null },
): string | null {
  if (evidence.column === undefined) return null;
  const column = shellWord(evidence.column);
  if (check === "shared-groups") return time === null ? `--group ${column}` : `--drop ${column}`;
  return check === "single-column" || check === "answers-in-tables" ? `--drop ${column}` : null;
}

/** A word that a shell takes as it is. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
