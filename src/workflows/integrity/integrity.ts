import path from "node:path";
import { readRecords } from "../../analysis/trial-records.ts";
import {
  contaminationFindings,
  type Graded,
  type MedalSplit,
  splitMedals,
} from "../../integrity/contamination/contamination.ts";
import { type IntegrityOverview, readIntegrityOverview } from "../../integrity/findings/overview.ts";
import { writeFindings } from "../../integrity/findings/write.ts";
import type { PlagiarismResult } from "../../integrity/plagiarism/check.ts";
import { DAY_HINT, isDay } from "../../wording/days.ts";
import type { Problem } from "../../wording/problem.ts";
import { orRefusal } from "../or-refusal.ts";
import { missingFolder } from "./named-folders.ts";
import { findPlagiarism } from "./plagiarism.ts";
import { checkRules, type RulesRequest } from "./rules.ts";

export interface IntegrityRequest extends RulesRequest {
  kernels?: string | undefined;
  /** As for `findPlagiarism`. */
  solutions?: string | undefined;
  threshold?: number | undefined;
  /** Where a model's training data end, as 2025-03-31; without it nothing is said of contamination. */
  cutoff?: string | undefined;
}

export interface IntegrityResult {
  overview: IntegrityOverview;
  plagiarism: PlagiarismResult;
  medals: MedalSplit;
}

export type IntegrityOutcome =
  | { status: "checked"; result: IntegrityResult }
  | { status: "interrupted" }
  | { status: "refused"; problem: Problem };

/** Runs everything that can be run here on a group, and writes down what it finds. */
export function checkIntegrity(request: IntegrityRequest): Promise<IntegrityOutcome> {
  return orRefusal<IntegrityOutcome>(
    () => runAllChecks(request),
    (problem) => ({ status: "refused", problem }),
  );
}

async function runAllChecks(request: IntegrityRequest): Promise<IntegrityOutcome> {
  const { group, cutoff } = request;
  if (cutoff !== undefined && !isDay(cutoff))
    return {
      status: "refused",
      problem: { code: "BAD_DATE", message: `"${cutoff}" is not a day.`, nextStep: DAY_HINT },
    };
  const missing = missingFolder({ kernels: request.kernels, solutions: request.solutions });
  if (missing !== null) return { status: "refused", problem: missing };
  const rules = await checkRules(request);
  if (rules.status !== "checked") return rules;
  const { dataDir, kernels, solutions, threshold, signal } = request;
  const plagiarism = await findPlagiarism({
    group,
    dataDir,
    kernels,
    solutions,
    threshold,
    ...(signal ? { signal } : {}),
  });
  if (plagiarism.status !== "compared") return plagiarism;
  const graded = gradedTrials(group);
  if (cutoff !== undefined) writeFindings(group, [contaminationFindings(graded, cutoff)]);
  const medals = splitMedals(graded, cutoff ?? null);
  return {
    status: "checked",
    result: { overview: readIntegrityOverview(group), plagiarism: plagiarism.result, medals },
  };
}

function gradedTrials(group: string): Graded[] {
  const read = readRecords([path.resolve(group)]);
  if (!read.ok) return [];
  return read.agents.flatMap(({ records }) =>
    records.flatMap(({ id, competitionId, grade }) =>
      grade === null
        ? []
        : [{ trial: id, competitionId, medal: grade.gold_medal || grade.silver_medal || grade.bronze_medal }],
    ),
  );
}
