import fs from "node:fs";
import path from "node:path";
import { loadCompetition } from "../../../competitions/catalogue.ts";
import { canGrade, dataFolder } from "../../../data/place/data-folder.ts";
import { fileDigest } from "../../../files/folder-digest.ts";
import { makeFolder } from "../../../files/make-folder.ts";
import type { SystemRefusal } from "../../../files/system-error.ts";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { gradeMany } from "../../../grading/grade-many.ts";
import { competitionReport, fileTimestamp } from "../../../grading/report.ts";
import type { CompetitionReport } from "../../../grading/report-schema.ts";
import { momentOf } from "../../../wording/moments.ts";
import type { Problem } from "../../../wording/problem.ts";
import { orRefusal } from "../../or-refusal.ts";
import { isTooLong, keepTrajectory } from "../atif/read.ts";
import type { ImportedTrial } from "./job-schema.ts";
import { type FoundTrial, readJob } from "./read-job.ts";

export interface HarborImportRequest {
  /** `jobs/<job name>` of Harbor. */
  folder: string;
  runsDir: string;
  dataDir?: string | undefined;
  competitionsDir?: string | undefined;
}

export interface ImportedGroup {
  folder: string;
  agent: string;
  trials: { id: string; competitionId: string; grade: ImportedTrial["grade"]; notes: string[] }[];
}

export type HarborImportOutcome =
  | { status: "imported"; groups: ImportedGroup[]; skipped: { folder: string; reason: string }[] }
  | { status: "refused"; problem: Problem | SystemRefusal };

/**
 * Turns a finished job of Harbor into run groups, one for each agent and model. Where the submission came along and the
 * answers are here, the grade is recomputed; else it is Harbor's word, and every place that shows it can tell.
 */
export function importHarborJob(request: HarborImportRequest): Promise<HarborImportOutcome> {
  return orRefusal<HarborImportOutcome>(
    () => importJob(request),
    (problem) => ({ status: "refused", problem }),
  );
}

async function importJob(request: HarborImportRequest): Promise<HarborImportOutcome> {
  const job = readJob(request.folder);
  if (job === null)
    return refused(
      "NO_JOB",
      `${request.folder} is not a Harbor job: no folder in it has a result.json.`,
      "name the job's own folder: mlebench import harbor-job jobs/<name>",
    );
  const skipped = [...job.skipped];
  const byAgent = new Map<string, FoundTrial[]>();
  for (const trial of job.trials) {
    const reason = await unusable(trial, request);
    if (reason !== null) skipped.push({ folder: path.basename(trial.folder), reason });
    else byAgent.set(agentName(trial), [...(byAgent.get(agentName(trial)) ?? []), trial]);
  }
  const targets = groupFolders(request.runsDir, job.name, [...byAgent.keys()]);
  const existing = [...targets.values()].find((folder) => fs.existsSync(folder));
  if (existing !== undefined)
    return refused(
      "IMPORTED_ALREADY",
      `${existing} is there already.`,
      "move it away to import the job again",
    );
  if (byAgent.size === 0)
    return refused(
      "NOTHING_TO_IMPORT",
      `None of the job's trials can be taken over: ${skipped[0]?.reason ?? "there are none"}.`,
      "see mlebench import harbor-job --help",
    );
  const groups: ImportedGroup[] = [];
  for (const [agent, trials] of byAgent)
    groups.push(await writeGroupOf(targets.get(agent)!, agent, job.name, trials, request));
  return { status: "imported", groups, skipped };
}

async function unusable(trial: FoundTrial, request: HarborImportRequest): Promise<string | null> {
  const loaded = await loadCompetition(trial.competitionId, request.competitionsDir).catch(() => null);
  return loaded === null ? `"${trial.competitionId}" is not a competition that is known here` : null;
}

function agentName({ result }: FoundTrial): string {
  const model = result.agent_info?.model_info;
  const name = result.agent_info?.name ?? "unknown";
  return model == null ? name : `${name}+${model.name}`;
}

/** Each agent's group: names that differ only in what a folder's name cannot say are told apart by a number. */
function groupFolders(runsDir: string, job: string, agents: readonly string[]): Map<string, string> {
  const folders = new Map<string, string>();
  const taken = new Set<string>();
  for (const agent of agents) {
    const name = `harbor-${plain(job)}_run-group_${plain(agent)}`;
    let free = name;
    // File systems that do not tell "A" from "a" exist.
    for (let i = 2; taken.has(free.toLowerCase()); i++) free = `${name}-${i}`;
    taken.add(free.toLowerCase());
    folders.set(agent, path.resolve(runsDir, free));
  }
  return folders;
}

const MAX_NAME = 100;

/** Names of others become names of folders, and two of them fit into one. */
function plain(name: string): string {
  return (
    name
      .replaceAll(/[^A-Za-z0-9._+-]+/g, "-")
      .replace(/^[.-]+/, "")
      .slice(0, MAX_NAME) || "unnamed"
  );
}

async function writeGroupOf(
  folder: string,
  agent: string,
  job: string,
  trials: readonly FoundTrial[],
  request: HarborImportRequest,
): Promise<ImportedGroup> {
  const partial = `${folder}.partial`;
  fs.rmSync(partial, { recursive: true, force: true });
  const now = new Date();
  const graded = await gradeTrials(trials, request);
  const imported: ImportedGroup["trials"] = [];
  const reports: (CompetitionReport & { run_id: string; declared: boolean })[] = [];
  for (const [i, trial] of trials.entries()) {
    // As the original names runs; the number keeps two of a name apart.
    const id = `${trial.competitionId}_${plain(trial.result.trial_name.split("__").at(-1) ?? "").replaceAll("_", "-")}-${i}`;
    const place = path.join(partial, id);
    const own = graded.get(trial) ?? null;
    const row = own ?? trial.report;
    const grade = own !== null ? "recomputed" : trial.report !== null ? "declared" : "none";
    const notes = [...trial.notes];
    if (grade === "declared") notes.push("the grade is Harbor's word: it was not recomputed here");
    if (grade === "none")
      notes.push("there is no grade: neither a submission nor a grading report came along");
    makeFolder(path.join(place, "submission"));
    if (trial.submission !== null)
      fs.copyFileSync(trial.submission, path.join(place, "submission", "submission.csv"));
    if (trial.trajectory !== null && isTooLong(trial.trajectory))
      notes.push(
        `agent/trajectory.json has ${trial.trajectory.steps.length} steps, too many to be taken over`,
      );
    else if (trial.trajectory !== null) keepTrajectory(path.join(place, "model"), trial.trajectory);
    const record = await recordOf(trial, job, grade, notes);
    writeFileAtomically(path.join(place, "harbor.json"), `${JSON.stringify(record, null, 2)}\n`);
    if (row !== null)
      reports.push({
        ...row,
        submission_path: path.join(folder, id, "submission", "submission.csv"),
        run_id: id,
        declared: grade === "declared",
      });
    imported.push({ id, competitionId: trial.competitionId, grade, notes });
  }
  const runs = Object.fromEntries(
    imported.map(({ id }, i) => [id, { success: trials[i].result.exception_info == null }]),
  );
  const name = path.basename(folder);
  const startedAt = Math.min(
    ...trials.map(({ result }) => momentOf(result.started_at) ?? Number.POSITIVE_INFINITY),
  );
  const createdAt = Number.isFinite(startedAt) ? new Date(startedAt) : now;
  const metadata = { run_group: name, created_at: createdAt.toISOString(), runs };
  writeFileAtomically(path.join(partial, "metadata.json"), `${JSON.stringify(metadata, null, 2)}\n`);
  if (reports.length > 0)
    writeFileAtomically(
      path.join(partial, `${fileTimestamp(now)}_grading_report.json`),
      `${JSON.stringify(
        {
          schema: "mlebench/grading-report",
          version: 1,
          run_group: name,
          imported_from: "harbor",
          competition_reports: reports,
        },
        null,
        2,
      )}\n`,
    );
  fs.renameSync(partial, folder);
  return { folder, agent, trials: imported };
}

/** Grades what came along with its submission, where the answers are here. */
async function gradeTrials(
  trials: readonly FoundTrial[],
  request: HarborImportRequest,
): Promise<Map<FoundTrial, CompetitionReport>> {
  const dataDir = dataFolder(request.dataDir);
  const { competitionsDir } = request;
  const possible: FoundTrial[] = [];
  for (const trial of trials) {
    const loaded = await loadCompetition(trial.competitionId, competitionsDir);
    const version = trial.report?.competition_version ?? "v1";
    if (trial.submission !== null && loaded !== null && canGrade(dataDir, loaded.competition, version))
      possible.push(trial);
  }
  const grades = await gradeMany(
    possible.map(({ competitionId, submission, report }) => ({
      competitionId,
      competitionVersion: report?.competition_version ?? "v1",
      submissionPath: submission!,
      dataDir,
      competitionsDir,
    })),
  );
  const now = new Date();
  return new Map(
    possible.flatMap((trial, i) => {
      const { status } = grades[i];
      return status === "scored" || status === "invalid" ? [[trial, competitionReport(grades[i], now)]] : [];
    }),
  );
}

async function recordOf(
  { result, submission }: FoundTrial,
  job: string,
  grade: ImportedTrial["grade"],
  notes: string[],
): Promise<ImportedTrial> {
  const { agent_info: agent, agent_result: spent, exception_info: exception } = result;
  return {
    schema: "mlebench/imported-harbor-trial",
    version: 1,
    job,
    trialName: result.trial_name,
    taskChecksum: result.task_checksum ?? null,
    agent: {
      name: agent?.name ?? "unknown",
      version: agent?.version ?? null,
      model: agent?.model_info?.name ?? null,
    },
    declared: {
      rewards: result.verifier_result?.rewards ?? null,
      verifierMode: result.verifier_environment_mode ?? null,
      inputTokens: spent?.n_input_tokens ?? null,
      cachedTokens: spent?.n_cache_tokens ?? null,
      outputTokens: spent?.n_output_tokens ?? null,
      cost: spent?.cost_usd ?? null,
      startedAt: result.started_at ?? null,
      finishedAt: result.finished_at ?? null,
      exception: exception == null ? null : `${exception.exception_type}: ${exception.exception_message}`,
    },
    submission: submission === null ? null : await fileDigest(submission),
    grade,
    notes,
  };
}

function refused(code: string, message: string, nextStep: string): HarborImportOutcome {
  return { status: "refused", problem: { code, message, nextStep } };
}
