import fs from "node:fs";
import path from "node:path";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { dataFolder } from "../../data/place/data-folder.ts";
import { gradeMany } from "../../grading/grade-many.ts";
import { gradeSubmission } from "../../grading/grade-submission.ts";
import { competitionReport } from "../../grading/report.ts";
import type { CompetitionReport } from "../../grading/report-schema.ts";
import { trialPaths } from "../trial/folder.ts";
import { timelineOf } from "../trial/timeline.ts";
import { valueDigest } from "./canonical-json.ts";
import { type DataDigest, dataDigest, dataPlaces } from "./data-digest.ts";
import type { SealedGrade, SealedRecord } from "./schema.ts";
import { broken, type Finding, recomputed, type Standing } from "./verification.ts";

export interface DataAtHand {
  dataDir: string | undefined;
  competitionsDir: string | undefined;
  /** Digests that were worked out already: a group has the same data many times. */
  known: Map<string, Promise<DataDigest | null>>;
}

/** Says whether the data here are the ones the trial saw and is graded on. Other data here are no contradiction. */
export async function verifyData(
  { competition }: SealedRecord,
  options: DataAtHand,
  standing: Standing,
): Promise<Finding[]> {
  const here = await digestHere(competition, options);
  const { public: shown, answers } = competition.data;
  return [
    here?.public === shown
      ? recomputed(`the data the agent saw: ${shown}`)
      : { standing, what: `the data the agent saw: ${shown} (not at hand)`, file: null },
    here?.answers === answers
      ? recomputed(`the answers: ${answers}`)
      : { standing, what: `the answers: ${answers} (not at hand)`, file: null },
  ];
}

/** Grades again where the very answers are at hand, the whole timeline included. */
export async function verifyGrade(
  folder: string,
  record: SealedRecord,
  grade: SealedGrade,
  options: DataAtHand,
  standing: Standing,
): Promise<{ grade: Finding; timeline: Finding[] }> {
  const here = await digestHere(record.competition, options);
  const what = gradeText(grade.report);
  const submission = path.join(trialPaths(folder).submission, "submission.csv");
  const present = record.final.sha256 === null || fs.existsSync(submission);
  if (here?.answers !== record.competition.data.answers || !present)
    return {
      grade: { standing, what: `${what} (the answers are not at hand)`, file: null },
      timeline: [],
    };
  const { dataDir, competitionsDir } = options;
  const { id: competitionId, version: competitionVersion } = record.competition;
  const common = { competitionId, competitionVersion, dataDir, competitionsDir };
  const again = await gradeSubmission({ ...common, submissionPath: submission });
  const same =
    valueDigest(essence(competitionReport(again, new Date()))) === valueDigest(essence(grade.report));
  const hashes = [...new Set(grade.timeline.map(({ sha256 }) => sha256))];
  const grades = await gradeMany(
    hashes.map((sha256) => ({
      ...common,
      submissionPath: path.join(trialPaths(folder).submissions, `${sha256}.csv`),
    })),
  );
  const byHash = new Map(hashes.map((sha256, i) => [sha256, grades[i]]));
  const timeline = timelineOf(record.submissions, (sha256) => byHash.get(sha256) ?? null);
  return {
    grade: same ? recomputed(what) : broken(`${what}: graded again it is otherwise`, "certificate.json"),
    timeline: [
      valueDigest(timeline) === valueDigest(grade.timeline)
        ? recomputed(`the grades of ${grade.timeline.length} versions on the way`)
        : broken("the timeline: graded again it is otherwise", "certificate.json"),
    ],
  };
}

/** What a grade says, without when and where it was worked out. */
function essence(report: CompetitionReport): object {
  const { score, status, any_medal, gold_medal, silver_medal, bronze_medal, above_median } = report;
  const { valid_submission, score_kind, competition_id, competition_version } = report;
  return {
    ...{ score, score_kind, status, any_medal, gold_medal, silver_medal, bronze_medal, above_median },
    ...{ valid_submission, competition_id, competition_version },
  };
}

function gradeText({ status, score, score_kind: kind }: CompetitionReport): string {
  return `the grade: ${status === "scored" ? (score ?? kind) : status}`;
}

type Recorded = SealedRecord["competition"];

function digestHere(competition: Recorded, options: DataAtHand): Promise<DataDigest | null> {
  const key = `${competition.id} ${competition.version}`;
  const known = options.known.get(key) ?? workOut(competition, options);
  options.known.set(key, known);
  return known;
}

async function workOut(
  { id, version }: Recorded,
  { dataDir, competitionsDir }: DataAtHand,
): Promise<DataDigest | null> {
  const loaded = await loadCompetition(id, competitionsDir).catch(() => null);
  if (loaded === null) return null;
  const folder = dataFolder(dataDir);
  const { publicFolder, answers } = dataPlaces(folder, loaded.competition, version);
  if (!fs.existsSync(answers) || !fs.existsSync(publicFolder)) return null;
  return dataDigest(folder, loaded.competition, { version, fresh: true });
}
