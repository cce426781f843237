import fs from "node:fs";
import type { Command } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { gradeMany } from "../../../grading/grade-many.ts";
import type { Grade } from "../../../grading/grade-schema.ts";
import { gradingReport, newReportFile } from "../../../grading/report.ts";
import type { GradingReport } from "../../../grading/report-schema.ts";
import { parseSubmissionList } from "../../../grading/submission-list.ts";
import { gradeTable, totalsLine } from "../../../reporters/text/grades.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
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
import { pageWidth, paint, print, printError, printJson, printLines } from "../../print.ts";
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
Blank lines and lines that start with # or // are skipped; a competition may
occur more than once.
Exit code 1: some entries could not be graded, a file that the list names is not
there, or none has a score (the report says which and why); 3: nothing could be
graded.

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
  const [{ gradeRun }, { groupFolder }] = await Promise.all([
    import("../../../workflows/run/grade.ts"),
    import("../../resolve.ts"),
  ]);
  const folder = groupFolder(name, options);
  if (folder === null) return 2;
  const outcome = await gradeRun(folder, {
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    signingKey: givenKey(options.sign),
    limits: csvLimits(options),
    workers: options.workers,
    signal: interruption(),
  });
  if (outcome === null) return interrupted();
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
  const signal = interruption();
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
        signal,
      },
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    progress.end();
    return interrupted();
  }
  progress.end();
  const now = new Date();
  const report = gradingReport(grades, broken, now);
  const file = newReportFile(outputDir, now);
  writeFileAtomically(file, `${JSON.stringify(report, null, 2)}\n`);
  printReport(report, file, options.json === true);
  return exitCode(grades, broken.length + grades.filter(isNamedInVain).length);
}

function interrupted(): ExitCode {
  printError("INTERRUPTED", "Stopped before all submissions were graded; no report was written.");
  return 130;
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

function printReport(report: GradingReport, file: string, json: boolean): void {
  if (json) printJson(report);
  else {
    printLines(gradeTable(report.competition_reports, paint, pageWidth()));
    print(totalsLine(report));
    print(`report: ${file}`);
  }
  for (const { message } of report.broken_lines) printError("BROKEN_LINE", message);
  // A trial that left nothing is a result, which the table shows.
  const ungraded = report.competition_reports.filter(
    ({ message, submission_path }) => message !== null && submission_path !== "",
  );
  if (!json)
    for (const { competition_id: id, message } of ungraded.slice(0, 20))
      printError("NOT_GRADED", `${id}: ${message}`);
}

/** A list may say that a trial left nothing (null); a path in it where no submission lies is a mistake of the list. */
function isNamedInVain({ status, submissionPath }: Grade): boolean {
  return status === "missing" && submissionPath !== "";
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
