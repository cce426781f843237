import fs from "node:fs";
import path from "node:path";
import { readAgentSummary, turnsOf } from "../../agents/kit/agent-summary.ts";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { fileDigest } from "../../files/folder-digest.ts";
import { waitForLock } from "../../files/lock-file.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import { type GradeManyOptions, gradeMany } from "../../grading/grade-many.ts";
import type { Grade } from "../../grading/grade-schema.ts";
import type { GradeOptions } from "../../grading/grade-submission.ts";
import { competitionReport, gradingReport, newReportFile } from "../../grading/report.ts";
import type { CompetitionReport, GradingReport } from "../../grading/report-schema.ts";
import { VERSION } from "../../grading/version.ts";
import type { Problem } from "../../wording/problem.ts";
import { readCertificate, sealGrade } from "../certificate/certificate.ts";
import { dataPlaces } from "../certificate/data-digest.ts";
import type { Certificate, TimelinePoint } from "../certificate/schema.ts";
import { noKeyText, readSigningKey } from "../certificate/signing.ts";
import { readTrial, trialPaths } from "../trial/folder.ts";
import { isolationText, networkText } from "../trial/isolation.ts";
import type { Trial } from "../trial/schema.ts";
import { bestPoint, timelineOf, versionAt } from "../trial/timeline.ts";
import { groupPaths } from "./folder.ts";
import { placedGroup } from "./places.ts";
import { planDigest } from "./plan-digest.ts";
import { sealGroup } from "./record.ts";
import type { RunGroup } from "./schema.ts";

export interface GroupGradeOptions extends Pick<GradeOptions, "limits">, GradeManyOptions {
  /** In place of the folder that the group was run with. */
  dataDir?: string | undefined;
  competitionsDir?: string | undefined;
  /** In place of the key that the group was run with; null signs nothing. */
  signingKey?: string | null | undefined;
}

/** The original's report, with a group's own facts behind its keys. */
type GroupReport = GradingReport & {
  run_group: string;
  external_knowledge: boolean;
  unfinished_trials: string[];
  competition_reports: (CompetitionReport & {
    run_id: string;
    seed: number;
    external_knowledge: boolean;
    /** In words, as every place that shows a medal says it. */
    isolation: string;
    network: string;
    /** Only there where a model was simulated, scripted or an echo. */
    language_model?: false;
    /** Null where nothing was measured. */
    wall_seconds: number | null;
    /** By the ledger of its gateway; only there where the run named models. */
    /** By the agent's own word: replies of the model, and how often it was started again after an early stop. */
    turns?: number;
    continuations?: number;
    model_usage?: { calls: number; tokens: number; cost: number | null; complete: boolean };
    best: TimelinePoint | null;
  })[];
};

export type GroupGradeOutcome =
  | { status: "graded"; report: GroupReport; file: string; grades: Grade[]; hourly: number }
  | { status: "refused"; problem: Problem };

interface Entry {
  folder: string;
  trial: Trial;
  certificate: Certificate;
}

/** Why a submission of the record must not be graded any more: the certificate would then say what is not so. */
const FILE_CHANGED = "The file is no longer what the record says; see mlebench verify.";
const ANSWERS_CHANGED = "The answers here are not those the trial was run with.";

/**
 * Grades every finished trial of a group and every version it left on the way, in one go: a report, one for each hour,
 * and the grade in each certificate. Unfinished trials are named, never counted.
 */
export async function gradeGroup(folder: string, options: GroupGradeOptions): Promise<GroupGradeOutcome> {
  const { dataDir, competitionsDir, signingKey, signal } = options;
  const placed = placedGroup(folder, { dataDir, competitionsDir, signingKey }, "grade");
  if ("problem" in placed) return { status: "refused", problem: placed.problem };
  const { group } = placed;
  const lock = await waitForLock(groupPaths(folder).lock, "group-lock", { beats: true, signal });
  if (lock.status === "busy")
    return refused(
      "GROUP_BUSY",
      `The group is being worked on by ${lock.owner}.`,
      "wait for it: mlebench status",
    );
  try {
    return await gradeFinished(folder, group, options);
  } finally {
    lock.release();
  }
}

async function gradeFinished(
  folder: string,
  group: RunGroup,
  options: GroupGradeOptions,
): Promise<GroupGradeOutcome> {
  const entries = finishedTrials(folder, group);
  if (entries.length === 0)
    return refused(
      "NOTHING_FINISHED",
      "No trial of this group is finished.",
      `mlebench resume ${group.name}`,
    );
  const contradiction = planProblem(group, entries);
  if (contradiction !== null) return { status: "refused", problem: contradiction };
  const { signingKey } = group.settings;
  const key = signingKey === null ? null : readSigningKey(signingKey);
  if (signingKey !== null && key === null)
    return refused("NO_KEY", noKeyText(signingKey), "name it: --sign <key>, or --no-sign");
  const gradeOf = await gradeVersions(entries, group, options);
  // It covers files that are about to change.
  fs.rmSync(groupPaths(folder).certificate, { force: true });
  const now = new Date();
  const finals: Grade[] = [];
  const best: (TimelinePoint | null)[] = [];
  for (const entry of entries) {
    const grade = finalGrade(entry, gradeOf(entry, entry.trial.final?.sha256 ?? null));
    const timeline = timelineOf(entry.trial.submissions, (sha256) => gradeOf(entry, sha256));
    const direction = await directionOf(entry.trial.competition.id, group);
    finals.push(grade);
    best.push(bestPoint(timeline, direction));
    const report = competitionReport(grade, now);
    sealGrade(
      entry.folder,
      entry.certificate,
      { gradedAt: now.toISOString(), graderVersion: VERSION, report, timeline, best: best.at(-1)! },
      key,
    );
  }
  const report = groupReport(group, entries, finals, best, now);
  setOldReportsAside(folder);
  const file = newReportFile(folder, now);
  writeFileAtomically(file, `${JSON.stringify(report, null, 2)}\n`);
  const hourly = writeHourly(folder, group, entries, gradeOf, now);
  await sealGroup(folder, group, key);
  return { status: "graded", report, file, grades: finals, hourly };
}

function finishedTrials(folder: string, group: RunGroup): Entry[] {
  return group.trials.flatMap(({ id }) => {
    const trialFolder = groupPaths(folder).trial(id);
    const trial = readTrial(trialFolder);
    const certificate = readCertificate(trialPaths(trialFolder).certificate);
    return trial !== null && certificate !== null ? { folder: trialFolder, trial, certificate } : [];
  });
}

/** A grade is only put to records that are the plan's own: one that was copied or left out would be vouched for. */
function planProblem(group: RunGroup, entries: readonly Entry[]): Problem | null {
  const digest = planDigest(group);
  for (const { folder, trial, certificate } of entries) {
    const planned = group.trials.find(({ id }) => id === path.basename(folder))!;
    const { plan, trialId } = certificate.record.content;
    const same =
      trial.id === planned.id &&
      trialId === planned.id &&
      trial.seed === planned.seed &&
      trial.competition.id === planned.competitionId &&
      (plan === undefined || plan === digest);
    if (!same)
      return {
        code: "PLAN_CONTRADICTED",
        message: `The record in ${planned.id} is not the one that the plan of ${group.name} asks for.`,
        nextStep: `see what does not fit: mlebench verify ${group.name}`,
      };
  }
  return null;
}

type GradeOf = (entry: Entry, sha256: string | null) => Grade | null;

/** Grades each kept version of each trial once. Null for a version of which only the hash is known, or none. */
async function gradeVersions(
  entries: readonly Entry[],
  { settings }: RunGroup,
  options: GroupGradeOptions,
): Promise<GradeOf> {
  const tasks = new Map<string, GradeOptions>();
  const ungradable = new Map<string, string>();
  const { dataDir } = settings;
  const competitionsDir = settings.competitionsDir ?? undefined;
  for (const { folder, trial } of entries) {
    const sameAnswers = await hasSameAnswers(trial, dataDir, competitionsDir);
    for (const { sha256, kept } of trial.submissions) {
      const submissionPath = path.join(trialPaths(folder).submissions, `${sha256}.csv`);
      if (!kept || tasks.has(submissionPath) || ungradable.has(submissionPath)) continue;
      const found = fs.existsSync(submissionPath) ? (await fileDigest(submissionPath)).sha256 : null;
      if (found !== sha256) ungradable.set(submissionPath, FILE_CHANGED);
      else if (!sameAnswers) ungradable.set(submissionPath, ANSWERS_CHANGED);
      else {
        const { id: competitionId, version: competitionVersion } = trial.competition;
        const { limits } = options;
        const task = { competitionId, competitionVersion, submissionPath, dataDir, competitionsDir, limits };
        tasks.set(submissionPath, task);
      }
    }
  }
  const { workers, onGrade, signal } = options;
  const grades = await gradeMany([...tasks.values()], { workers, onGrade, signal });
  const byPath = new Map([...tasks.keys()].map((submissionPath, i) => [submissionPath, grades[i]]));
  return ({ folder, trial }, sha256) => {
    const submissionPath = path.join(trialPaths(folder).submissions, `${sha256}.csv`);
    const reason = ungradable.get(submissionPath);
    if (reason !== undefined) return failedGrade(trial, submissionPath, reason);
    return byPath.get(submissionPath) ?? null;
  };
}

/** The grade of the version that counts, under the path where people look for it. */
function finalGrade({ folder, trial }: Entry, grade: Grade | null): Grade {
  const submissionPath = path.join(trialPaths(folder).submission, "submission.csv");
  if (grade !== null) return { ...grade, submissionPath };
  return {
    status: "missing",
    competitionId: trial.competition.id,
    competitionVersion: trial.competition.version,
    submissionPath,
    board: null,
    message: `There is no submission: ${trial.final?.why ?? "the trial never ended"}.`,
    nextStep: null,
    blame: "agent",
    retryable: false,
  };
}

/** Answers that are not there at all are another matter, which grading itself reports. */
async function hasSameAnswers(
  { competition }: Trial,
  dataDir: string,
  competitionsDir: string | undefined,
): Promise<boolean> {
  const loaded = await loadCompetition(competition.id, competitionsDir);
  if (loaded === null) return true;
  const { answers } = dataPlaces(dataDir, loaded.competition, competition.version);
  return !fs.existsSync(answers) || (await fileDigest(answers)).sha256 === competition.data.answers;
}

function failedGrade({ competition }: Trial, submissionPath: string, message: string): Grade {
  return {
    status: "failed",
    competitionId: competition.id,
    competitionVersion: competition.version,
    submissionPath,
    board: null,
    message,
    nextStep: null,
    blame: "user",
    retryable: false,
  };
}

async function directionOf(id: string, { settings }: RunGroup) {
  const loaded = await loadCompetition(id, settings.competitionsDir ?? undefined);
  return loaded?.competition.metric.direction ?? "maximize";
}

function groupReport(
  group: RunGroup,
  entries: readonly Entry[],
  grades: readonly Grade[],
  best: readonly (TimelinePoint | null)[],
  now: Date,
): GroupReport {
  const report = gradingReport(grades, [], now);
  const finished = new Set(entries.map(({ trial }) => trial.id));
  return {
    ...report,
    run_group: group.name,
    external_knowledge: group.settings.materials !== null,
    unfinished_trials: group.trials.map(({ id }) => id).filter((id) => !finished.has(id)),
    competition_reports: report.competition_reports.map((one, i) => ({
      ...one,
      run_id: entries[i].trial.id,
      seed: entries[i].trial.seed,
      external_knowledge: entries[i].trial.externalKnowledge,
      isolation: isolationText(entries[i].trial),
      network: networkText(entries[i].trial),
      ...(usedLanguageModels(entries[i].trial) ? {} : { language_model: false as const }),
      wall_seconds: entries[i].trial.measurements?.wallSeconds ?? null,
      ...usageOf(entries[i].trial),
      ...ownWords(entries[i]),
      best: best[i],
    })),
  };
}

/** True without any model, too: nothing then claims to be one. */
const usedLanguageModels = ({ modelAccess }: Trial) =>
  (modelAccess?.roles ?? []).every(({ languageModel }) => languageModel);

function usageOf({ modelTotals }: Trial): Pick<GroupReport["competition_reports"][0], "model_usage"> {
  if (modelTotals === undefined) return {};
  const { calls, refused, tokens, cost, complete } = modelTotals;
  return { model_usage: { calls: calls - refused, tokens: tokens.total, cost, complete } };
}

function ownWords({
  folder,
  trial,
}: Entry): Pick<GroupReport["competition_reports"][0], "turns" | "continuations"> {
  const summary = readAgentSummary(folder);
  if (summary === null) return {};
  return { turns: turnsOf(summary, trial.modelTotals), continuations: summary.continuations };
}

/** The original's tools want exactly one report in a group's folder. */
function setOldReportsAside(folder: string): void {
  for (const name of fs.readdirSync(folder).filter((file) => file.endsWith("_grading_report.json"))) {
    makeFolder(path.join(folder, "earlier-reports"));
    fs.renameSync(path.join(folder, name), path.join(folder, "earlier-reports", name));
  }
}

/** `hourly/grading_report_<h>.json`: what stood there h snapshots after the start. Returns how many there are. */
function writeHourly(
  folder: string,
  group: RunGroup,
  entries: readonly Entry[],
  gradeOf: GradeOf,
  now: Date,
): number {
  const { hourly } = groupPaths(folder);
  const interval = group.settings.snapshotMinutes * 60;
  const longest = Math.max(...entries.map(({ trial }) => trial.measurements?.wallSeconds ?? 0));
  const last = Math.max(1, Math.ceil(longest / interval));
  fs.rmSync(hourly, { recursive: true, force: true });
  for (let h = 0; h <= last; h++) {
    const grades = entries.map((entry) =>
      finalGrade(entry, gradeOf(entry, versionAt(entry.trial, h * interval))),
    );
    const report = groupReport(
      group,
      entries,
      grades,
      entries.map(() => null),
      now,
    );
    writeFileAtomically(
      path.join(hourly, `grading_report_${h}.json`),
      `${JSON.stringify(report, null, 2)}\n`,
    );
  }
  return last + 1;
}

function refused(code: string, message: string, nextStep: string): GroupGradeOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
