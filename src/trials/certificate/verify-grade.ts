import fs from "node:fs";
import path from "node:path";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { dataFolder } from "../../data/place/data-folder.ts";
import { fileDigest } from "../../files/folder-digest.ts";
import { gradeMany } from "../../grading/grade-many.ts";
import { sharedJudge } from "../../grading/judge.ts";
import { competitionReport } from "../../grading/report.ts";
import type { CompetitionReport } from "../../grading/report-schema.ts";
import { VERSION } from "../../grading/version.ts";
import type { NamedBoard } from "../../leaderboards/board-files.ts";
import { trialPaths } from "../trial/folder.ts";
import { bestPoint, timelineOf } from "../trial/timeline.ts";
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

/** Says whether the data here are the ones the trial saw and is graded on. Other data here do not contradict the trial. */
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
  const unread = (why: string) => ({
    grade: { standing, what: `${what} (${why})`, file: null },
    timeline: [],
  });
  if (here?.answers !== record.competition.data.answers) return unread("the answers are not at hand");
  const submission = path.join(trialPaths(folder).submission, "submission.csv");
  const versions = grade.timeline.map(({ sha256 }) => sha256);
  const files = [
    { file: submission, sha256: record.final.sha256 },
    ...versions.map((sha256) => ({ file: versionFile(folder, sha256), sha256 })),
  ];
  // Nothing is graded before it has shown to be the file that the record names.
  for (const { file, sha256 } of files) {
    const found = await hashOf(file);
    if (found === null && sha256 !== null) return unread("its submissions are not here");
    if (found !== sha256)
      return {
        grade: broken(`${what}: it is not the file that the record names`, path.relative(folder, file)),
        timeline: [],
      };
  }
  const { dataDir, competitionsDir } = options;
  const { id: competitionId, version: competitionVersion } = record.competition;
  const namedBoard = boardOf(grade.report);
  const common = { competitionId, competitionVersion, dataDir, competitionsDir, namedBoard };
  const again = competitionReport(
    await sharedJudge().grade({ ...common, submissionPath: submission }),
    new Date(),
  );
  const hashes = [...new Set(versions)];
  const grades = await gradeMany(
    hashes.map((sha256) => ({ ...common, submissionPath: versionFile(folder, sha256) })),
  );
  const byHash = new Map(hashes.map((sha256, i) => [sha256, grades[i]]));
  const timeline = timelineOf(record.submissions, (sha256) => byHash.get(sha256) ?? null);
  const direction = (await loadCompetition(competitionId, competitionsDir))?.competition.metric.direction;
  const best = bestPoint(timeline, direction ?? "maximize");
  return {
    grade:
      differing(EARNED, again, grade.report).length === 0
        ? recomputed(what)
        : broken(`${what}: graded again it is otherwise`, "certificate.json"),
    timeline: [
      ...comparePlace(again, grade, standing),
      valueDigest(timeline) === valueDigest(grade.timeline)
        ? recomputed(`the grades of ${grade.timeline.length} versions on the way`)
        : broken("the timeline: graded again it is otherwise", "certificate.json"),
      valueDigest(best) === valueDigest(grade.best)
        ? recomputed("the best version on the way")
        : broken("the best version on the way: graded again it is another", "certificate.json"),
    ],
  };
}

/** A board may have been replaced since; the one that the grade names is looked for among those we shipped. */
function boardOf({ teams, ...report }: CompetitionReport): NamedBoard | undefined {
  const [gold, silver, bronze, median] = [
    report.gold_threshold,
    report.silver_threshold,
    report.bronze_threshold,
    report.median_threshold,
  ];
  if (teams == null || gold == null || silver == null || bronze == null || median == null) return undefined;
  return { teams, gold, silver, bronze, median };
}

/** What a submission earned: the same wherever it is graded. */
const EARNED = [
  ...["score", "score_kind", "status", "any_medal", "gold_medal", "silver_medal", "bronze_medal"],
  ...["above_median", "valid_submission", "submission_exists", "competition_id", "competition_version"],
] as readonly (keyof CompetitionReport)[];

/** Where it stands, which depends on the board that was at hand. */
const PLACE = [
  ...["gold_threshold", "silver_threshold", "bronze_threshold", "median_threshold", "is_lower_better"],
  ...["rank", "percentile", "distance_to_medals", "normalised_score", "crowded_board", "fragile_medal"],
  ...["near_miss", "noise"],
] as readonly (keyof CompetitionReport)[];
const BOARD = ["leaderboard", "teams", "exact_rank"] as const;

function comparePlace(again: CompetitionReport, grade: SealedGrade, standing: Standing): Finding[] {
  const { report } = grade;
  if (report.status !== "scored") return [];
  const what = "rank, percentile and thresholds";
  const otherwise = differing([...PLACE, ...BOARD], again, report);
  if (otherwise.length === 0) return [recomputed(what)];
  if (differing(BOARD, again, report).length > 0)
    return [{ standing, what: `${what}: by another leaderboard than the one here`, file: null }];
  if (grade.graderVersion !== VERSION)
    return [
      {
        standing,
        what: `${what}: by mlebench ${grade.graderVersion}, otherwise than by this one`,
        file: null,
      },
    ];
  return [broken(`${otherwise.join(", ")}: graded again it is otherwise`, "certificate.json")];
}

/** Fields that an earlier report does not have are nothing to compare. */
function differing(
  fields: readonly (keyof CompetitionReport)[],
  a: CompetitionReport,
  b: CompetitionReport,
): string[] {
  return fields.filter((field) => field in b && valueDigest(a[field]) !== valueDigest(b[field]));
}

function versionFile(folder: string, sha256: string): string {
  return path.join(trialPaths(folder).submissions, `${path.basename(sha256)}.csv`);
}

/** Null when there is no such file; links are not followed. */
async function hashOf(file: string): Promise<string | null> {
  if (!fs.lstatSync(file, { throwIfNoEntry: false })?.isFile()) return null;
  return (await fileDigest(file)).sha256;
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
