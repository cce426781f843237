import type { Command } from "commander";
import { compileInPlace } from "../../../grading/compile-in-place.ts";
import type { Grade } from "../../../grading/grade-schema.ts";
import { gradeSubmission } from "../../../grading/grade-submission.ts";
import { competitionReport } from "../../../grading/report.ts";
import { gradeLines } from "../../../reporters/text/grade.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import {
  addDataOptions,
  addLimitOptions,
  addVersionOption,
  csvLimits,
  type DataOptions,
  type LimitOptions,
  parseCount,
  type VersionOptions,
} from "../../options.ts";
import { paint, print, printError, printJson } from "../../print.ts";

type Options = DataOptions & LimitOptions & VersionOptions & { json?: boolean; noise?: number | true };

const DEFAULT_RESAMPLES = 200;

export const command: CliCommand = {
  define(command: Command) {
    addVersionOption(addLimitOptions(addDataOptions(command)))
      .argument("<submission.csv>", "the file to grade")
      .argument("<competition-id>", "what it was made for")
      .option(
        "--noise [resamples]",
        `resample the graded rows to see how firmly a medal stands (${DEFAULT_RESAMPLES} times)`,
        parseCount,
      )
      .option("--json", "print the result as JSON")
      .addHelpText(
        "after",
        `
Examples:
  $ mlebench grade-sample submission.csv spooky-author-identification
  $ mlebench grade-sample submission.csv leaf-classification --data-dir ./data --json`,
      )
      .action(action(run));
  },
};

async function run(submissionPath: string, competitionId: string, options: Options): Promise<ExitCode> {
  compileInPlace();
  const grade = await gradeSubmission({
    submissionPath,
    competitionId,
    competitionVersion: options.competitionVersion,
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    limits: csvLimits(options),
    noiseResamples: options.noise === true ? DEFAULT_RESAMPLES : options.noise,
  });
  if (options.json) printJson(competitionReport(grade, new Date()));
  else if (grade.status === "scored" || grade.status === "invalid") {
    for (const line of gradeLines(grade, paint)) print(line);
  } else printError(errorCode(grade), grade.message, grade.nextStep);
  return exitCode(grade);
}

function exitCode(grade: Grade): ExitCode {
  switch (grade.status) {
    case "scored":
      return 0;
    case "invalid":
      return 1;
    case "missing":
    case "unknown-competition":
      return 2;
    default:
      return 3;
  }
}

function errorCode({ status }: Grade): string {
  const codes: Partial<Record<Grade["status"], string>> = {
    missing: "NO_SUBMISSION",
    unprepared: "NOT_PREPARED",
    "unknown-competition": "UNKNOWN_COMPETITION",
  };
  return codes[status] ?? "GRADING_FAILED";
}
