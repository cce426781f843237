import path from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { THRESHOLD } from "../../../integrity/plagiarism/check.ts";
import { plagiarismPage } from "../../../reporters/integrity/plagiarism.ts";
import { plagiarismLines } from "../../../reporters/text/plagiarism.ts";
import { findPlagiarism } from "../../../workflows/integrity/plagiarism.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { paint, printError, printJson, printLines, printNote, printProblem } from "../../print.ts";
import { lateProgressLine } from "../../progress.ts";
import { groupFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

type Options = RunsOptions & {
  submission?: string;
  kernels?: string;
  solutions?: string;
  dataDir?: string;
  threshold: number;
  outputDir?: string;
  json?: boolean;
};

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(command)
      .argument("[group]", "a run group: its folder, its name or a part of it")
      .option("--submission <list.jsonl>", "the original's list instead: competition_id and code_path a line")
      .option(
        "--kernels <folder>",
        "public notebooks, a folder for each competition (default: the data folder's)",
      )
      .option(
        "--solutions <folder>",
        "known solutions, a folder for each competition, beside those of the starter suite",
      )
      .option("--data-dir <dir>", "the data folder (default: the group's)")
      .option("--threshold <share>", "show pairs from this similarity on", parseShare, THRESHOLD)
      .option("--output-dir <dir>", "where reports go (default: integrity/plagiarism in the group)")
      .option("--json", "print the result as JSON")
      .addHelpText(
        "after",
        `
Python, notebooks, R and JavaScript are compared as syntax trees (winnowing, k
23, window 17, as Dolos does it): names, layout and comments do not matter. Exit
code 1: a pair that nothing explains stands at or above the threshold.

Examples:
  $ mlebench plagiarism runs/my-group
  $ mlebench plagiarism --submission submissions.jsonl --kernels ~/mle-bench/mlebench/competitions`,
      )
      .action(action(run));
  },
};

async function run(name: string | undefined, options: Options): Promise<ExitCode> {
  const group = name === undefined ? undefined : groupFolder(name, options, { foreign: true });
  if (group === null) return 2;
  const { submission: list, kernels, solutions, dataDir, threshold, outputDir } = options;
  const progress = lateProgressLine();
  const outcome = await findPlagiarism({
    ...{ group, list, kernels, solutions, dataDir, threshold, outputDir },
    signal: interruption(),
    onProgress: progress.show,
  });
  progress.end();
  if (outcome.status === "interrupted") return 130;
  if (outcome.status === "refused") {
    printProblem(outcome.problem);
    return 2;
  }
  const { result } = outcome;
  const compared = result.trials.some(({ files }) => files > 0);
  const page = compared ? path.join(outcome.outputDir, "plagiarism.html") : null;
  if (page !== null) writeFileAtomically(page, plagiarismPage(result));
  for (const warning of result.warnings) printNote(`warning: ${warning}`);
  if (options.json)
    printJson({ schema: "mlebench/plagiarism", version: 1, ...result, page, reports: outcome.files });
  else if (page !== null) printLines([...plagiarismLines(result, paint), "", `side by side: ${page}`]);
  if (!compared) {
    printError("NO_CODE", "No trial left code that could be compared.");
    return 3;
  }
  return result.trials.some(({ flagged }) => flagged.some(({ explained }) => explained === null)) ? 1 : 0;
}

function parseShare(text: string): number {
  const share = Number(text);
  if (!(share > 0 && share <= 1)) throw new InvalidArgumentError("Write a share above 0, up to 1.");
  return share;
}
