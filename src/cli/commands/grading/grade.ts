import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { gradeMany } from "../../../grading/grade-many.ts";
import type { Grade } from "../../../grading/grade-schema.ts";
import { fileTimestamp, gradingReport } from "../../../grading/report.ts";
import type { GradingReport } from "../../../grading/report-schema.ts";
import { parseSubmissionList } from "../../../grading/submission-list.ts";
import { gradeTable, totalsLine } from "../../../reporters/text/grades.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import {
  addDataOptions,
  addLimitOptions,
  addVersionOption,
  csvLimits,
  type DataOptions,
  givenKey,
  type LimitOptions,
  parseCount,
  type VersionOptions,
} from "../../options.ts";
import { paint, print, printError, printJson } from "../../print.ts";
import { progressLine } from "../../progress.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

type Options = DataOptions &
  LimitOptions &
  VersionOptions &
  RunsOptions & {
    submission?: string;
    outputDir?: string;
    workers?: number;
    sign?: string | boolean;
    json?: boolean;
  };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addVersionOption(addLimitOptions(addDataOptions(command))))
      .argument("[group]", "a run group: grades its trials and all they submitted on the way")
      .option("--submission <file.jsonl>", "one JSON object a line, with competition_id and submission_path")
      .option("--output-dir <dir>", "where the grading report goes (a run group's goes into its folder)")
      .option(
        "--workers <n>",
        "threads to grade with (default: one per core when files are large)",
        parseCount,
      )
      .option("--sign <key>", "sign a run group's grades (default: as it was run, if you ran it)")
      .option("--no-sign", "leave a run group's grades unsigned")
      .option("--json", "print the report as JSON")
      .addHelpText(
        "after",
        `
Blank lines and lines that start with # or // are skipped; a competition may occur more than once.
Exit code 1: some entries could not be graded, or none has a score (the report says which and why).

Examples:
  $ echo '{"competition_id": "leaf-classification", "submission_path": "submission.csv"}' > submissions.jsonl
  $ mlebench grade --submission submissions.jsonl --output-dir reports
  $ mlebench grade runs/2026-01-31T12-30-00-UTC_run-group_sample`,
      )
      .action(action(run));
  },
};

async function run(group: string | undefined, options: Options): Promise<ExitCode> {
  const { submission, outputDir } = options;
  if (group !== undefined && submission === undefined) return runGroup(group, options);
  if (group !== undefined || submission === undefined || outputDir === undefined) {
    const message = "Give either a run group, or both --submission and --output-dir.";
    printError("WRONG_USAGE", message, "see the examples: mlebench grade --help");
    return 2;
  }
  return runList(submission, outputDir, options);
}

async function runGroup(name: string, options: Options): Promise<ExitCode> {
  // Loaded here, since what reads run groups takes longer to load than a list of submissions takes to grade.
  const [{ gradeGroup }, { groupFolder }] = await Promise.all([
    import("../../../trials/group/grade.ts"),
    import("../../resolve.ts"),
  ]);
  const folder = groupFolder(name, options);
  if (folder === null) return 2;
  const outcome = await gradeGroup(folder, {
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    signingKey: givenKey(options.sign),
    limits: csvLimits(options),
    workers: options.workers,
    reportFile,
  });
  if (outcome.status === "refused") {
    printError(outcome.problem.code, outcome.problem.message, outcome.problem.nextStep);
    return 3;
  }
  const { report, file, grades } = outcome;
  printReport(report, file, options.json === true);
  for (const id of report.unfinished_trials)
    printError("UNFINISHED", `${id} is not in the report: it has not finished.`, `mlebench resume ${folder}`);
  return exitCode(grades, report.unfinished_trials.length);
}

async function runList(submission: string, outputDir: string, options: Options): Promise<ExitCode> {
  const list = readList(submission);
  if (!list.ok) {
    printError("NO_SUBMISSIONS", list.message, "see the format: mlebench grade --help");
    return 2;
  }
  const { submissions, broken } = list;
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  const progress = progressLine(submissions.length);
  let grades: Grade[];
  try {
    grades = await gradeMany(
      submissions.map(({ competitionId, submissionPath }) => ({
        competitionId,
        submissionPath: submissionPath ?? "",
        competitionVersion: options.competitionVersion,
        dataDir: options.dataDir,
        competitionsDir: options.competitions,
        limits: csvLimits(options),
      })),
      {
        workers: options.workers,
        onGrade: (grade, done) => progress.show(done, grade.competitionId),
        signal: interrupted.signal,
      },
    );
  } catch (error) {
    if (!interrupted.signal.aborted) throw error;
    progress.end();
    printError("INTERRUPTED", "Stopped before all submissions were graded; no report was written.");
    return 130;
  }
  progress.end();
  const now = new Date();
  const report = gradingReport(grades, broken, now);
  const file = reportFile(outputDir, now);
  writeFileAtomically(file, `${JSON.stringify(report, null, 2)}\n`);
  printReport(report, file, options.json === true);
  return exitCode(grades, broken.length);
}

function readList(file: string) {
  let text: string;
  try {
    text = fs.readFileSync(file, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const why =
      code === "ENOENT" ? "does not exist" : code === "EISDIR" ? "is a folder" : `cannot be read (${code})`;
    return { ok: false as const, message: `${file} ${why}.` };
  }
  const { submissions, broken } = parseSubmissionList(text);
  if (submissions.length > 0) return { ok: true as const, submissions, broken };
  const why = broken[0]?.message ?? "it names no submission.";
  return { ok: false as const, message: `${file} has nothing to grade: ${why}` };
}

/** Two reports within one second must not replace each other. */
function reportFile(folder: string, now: Date): string {
  const stamp = fileTimestamp(now);
  const name = (extra: string) => path.join(folder, `${stamp}${extra}_grading_report.json`);
  let file = name("");
  for (let i = 2; fs.existsSync(file); i++) file = name(`-${i}`);
  return file;
}

function printReport(report: GradingReport, file: string, json: boolean): void {
  if (json) printJson(report);
  else {
    for (const line of gradeTable(report.competition_reports, paint)) print(line);
    print(totalsLine(report));
    print(`report: ${file}`);
  }
  for (const { message } of report.broken_lines) printError("BROKEN_LINE", message);
  const ungraded = report.competition_reports.filter(({ message }) => message !== null);
  if (!json)
    for (const { competition_id: id, message } of ungraded.slice(0, 20))
      printError("NOT_GRADED", `${id}: ${message}`);
}

/**
 * A submission that is invalid or missing among others with a score is a result like theirs; what could not be judged is
 * not, and neither is a list of which nothing has a score. 3 only if grading itself got nowhere.
 */
function exitCode(grades: readonly Grade[], leftOut: number): ExitCode {
  const scored = grades.filter(({ status }) => status === "scored").length;
  const judged = grades.filter(({ status }) => ["scored", "invalid", "missing"].includes(status)).length;
  if (judged === 0) return 3;
  return scored === 0 || judged < grades.length || leftOut > 0 ? 1 : 0;
}
