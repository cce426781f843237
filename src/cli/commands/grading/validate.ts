import type { Command } from "commander";
import { checkSubmission, type FormatCheck } from "../../../grading/grade-submission.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import {
  addDataOptions,
  addLimitOptions,
  addVersionOption,
  csvLimits,
  type DataOptions,
  type LimitOptions,
  type VersionOptions,
} from "../../options.ts";
import { paint, print, printError, printJson } from "../../print.ts";

type Options = DataOptions & LimitOptions & VersionOptions & { json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addVersionOption(addLimitOptions(addDataOptions(command)))
      .argument("<submission.csv>", "the file to check")
      .argument("<competition-id>", "what it was made for")
      .option("--json", "print the result as JSON")
      .addHelpText(
        "after",
        `
Says whether the file is well-formed: columns, ids, types, ranges. It never
tells a score.

Example:
  $ mlebench validate submission.csv leaf-classification`,
      )
      .action(action(run));
  },
};

async function run(submissionPath: string, competitionId: string, options: Options): Promise<ExitCode> {
  const check = await checkSubmission({
    submissionPath,
    competitionId,
    competitionVersion: options.competitionVersion,
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    limits: csvLimits(options),
  });
  if (options.json) printJson(jsonCheck(check));
  else printCheck(check);
  return exitCode(check);
}

function jsonCheck(check: FormatCheck) {
  const { competitionId, competitionVersion, submissionPath, status } = check;
  const reasons = check.status === "invalid" ? check.reasons : [];
  const reasonCount = check.status === "invalid" ? check.reasonCount : 0;
  const message = "message" in check ? check.message : null;
  return {
    competitionId,
    competitionVersion,
    submissionPath,
    status,
    valid: status === "well-formed",
    reasons,
    reasonCount,
    message,
  };
}

function printCheck(check: FormatCheck): void {
  if (check.status === "well-formed") print(paint("green", "Submission is valid."));
  else if (check.status === "invalid") {
    print(paint("red", "Submission invalid!"));
    for (const { code, message } of check.reasons) print(`  ${paint("red", code)}  ${message}`);
    if (check.reasonCount > check.reasons.length)
      print(`  … and ${check.reasonCount - check.reasons.length} more`);
  } else printError("NOT_CHECKED", check.message, check.nextStep);
}

function exitCode({ status }: FormatCheck): ExitCode {
  if (status === "well-formed") return 0;
  if (status === "invalid") return 1;
  return status === "missing" || status === "unknown-competition" ? 2 : 3;
}
