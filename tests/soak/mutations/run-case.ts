import fs from "node:fs";
import path from "node:path";
import { Grade } from "../../../src/grading/grade-schema.ts";
import { checkSubmission, gradeSubmission } from "../../../src/grading/grade-submission.ts";
import { competitionReport } from "../../../src/grading/report.ts";
import { CompetitionReport } from "../../../src/grading/report-schema.ts";
import { mutate } from "./mutate.ts";
import { seededRandom } from "./random.ts";

const SMALL_LIMITS = { fieldBytes: 2_000, fileBytes: 20_000 };

/** The golden submissions to start from, by competition: the valid ones, the damage is ours to do. */
export type Seeds = { competitionId: string; submissions: Buffer[] }[];

export interface CaseResult {
  competitionId: string;
  mutations: string[];
  status: string;
  /** What is wrong with the outcome; null when it is as it should be. */
  defect: string | null;
}

/** Grades case number `index`; the file stays at `<folder>/submission.csv` until the next case. */
export async function runCase(
  index: number,
  seeds: Seeds,
  dataDir: string,
  folder: string,
): Promise<CaseResult> {
  const random = seededRandom(index);
  const { competitionId, submissions } = seeds[index % seeds.length];
  const other = random.pick(random.pick(seeds).submissions);
  const { bytes, names } = mutate(random.pick(submissions), random, other);
  const submissionPath = path.join(folder, "submission.csv");
  fs.writeFileSync(submissionPath, bytes);
  const limits = random.chance(0.05) ? SMALL_LIMITS : undefined;
  const options = { competitionId, submissionPath, dataDir, limits };
  try {
    const grade = await gradeSubmission(options);
    const check = await checkSubmission(options);
    return { competitionId, mutations: names, status: grade.status, defect: defectOf(grade, check.status) };
  } catch (error) {
    const thrown = error instanceof Error ? error.stack : String(error);
    return { competitionId, mutations: names, status: "thrown", defect: `thrown: ${thrown}` };
  }
}

function defectOf(grade: Grade, check: string): string | null {
  const typed = Grade.safeParse(grade);
  if (!typed.success) return `no Grade: ${typed.error.message}`;
  if (grade.status !== "scored" && grade.status !== "invalid")
    return `${grade.status}: ${"message" in grade ? grade.message : ""}`;
  if (check !== "well-formed" && check !== "invalid") return `the format check ends with ${check}`;
  if (check === "invalid" && grade.status === "scored")
    return "scored, but the format check calls it invalid";
  if (grade.status === "invalid" && /\n\s+at /.test(JSON.stringify(grade.reasons))) return "a stack trace";
  const report = JSON.parse(JSON.stringify(competitionReport(grade, new Date(0))));
  const written = CompetitionReport.safeParse(report);
  return written.success ? null : `no CompetitionReport: ${written.error.message}`;
}
