import type { Command } from "commander";
import { SPLIT_NAMES } from "../../../competitions/splits.ts";
import { originalText } from "../../../reporters/original-aggregate.ts";
import { aggregateLines } from "../../../reporters/text/aggregate.ts";
import { insightLines } from "../../../reporters/text/insights.ts";
import { aggregateReports } from "../../../workflows/results/aggregate.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addCompetitionsOption, cutoffOption, parseCount } from "../../options.ts";
import { paint, printDoubts, printError, printJson, printLines, printProblem } from "../../print.ts";
import { placesOf } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

interface Options extends RunsOptions {
  competitions?: string;
  gradingReports?: string[];
  runs?: string[];
  experimentId?: string;
  split?: string;
  numSeeds?: number;
  padMissing?: boolean;
  cutoff?: string;
  byCompetition?: boolean;
  original?: boolean;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addCompetitionsOption(command))
      .argument("[groups...]", "run groups by folder or name, each with one grading report")
      .option("--grading-reports <files...>", "grading reports to aggregate")
      .option("--runs <groups...>", "the same as naming the groups")
      .option("--experiment-id <id>", "an experiment of run_group_experiments.csv in the runs folder")
      .option(
        "--split <name>",
        `${SPLIT_NAMES.join(", ")}, or a text file of ids (default: split75, or what the reports have)`,
      )
      .option("--num-seeds <n>", "use the first n seeds only", parseCount)
      .option("--pad-missing", "count missing runs as failed, instead of refusing")
      .option("--by-competition", "show every competition, however many there are")
      .addOption(cutoffOption())
      .option("--original", "print the original's JSON and nothing else")
      .option("--json", "print everything as JSON")
      .addHelpText(
        "after",
        `
The first column is the number that is published (mean ± standard error over
seeds); the intervals beside it say how far it can be trusted. Missing runs are
counted and named, never dropped. Run groups of ours also give medals over time,
what a better choice among the submissions would have earned, and the deviations
from the canonical set-up.

Examples:
  $ mlebench aggregate my-group another-seed
  $ mlebench aggregate --grading-reports runs/*/*grading_report.json --split lite
  $ mlebench aggregate --experiment-id my-agent --runs-dir runs --pad-missing --json`,
      )
      .action(action(run));
  },
};

async function run(places: string[], options: Options): Promise<ExitCode> {
  const alone = options.gradingReports === undefined && options.experimentId === undefined;
  const named = places.length === 0 ? options.runs : [...places, ...(options.runs ?? [])];
  const runs = named && alone ? placesOf(named, options) : named;
  if (runs === null) return 2;
  const outcome = await aggregateReports({ ...options, runs, competitionsDir: options.competitions });
  for (const message of outcome.skipped) printError("SKIPPED", message);
  if (outcome.status === "refused") {
    printProblem(outcome.problem);
    return 2;
  }
  const { result, groups, doubts } = outcome;
  if (options.original) printLines([originalText(result.original)]);
  else if (options.json) printJson({ ...result, groups, doubts });
  else {
    const shown = options.byCompetition ? { byCompetition: true } : {};
    printLines(aggregateLines(result, paint, shown));
    if (groups) printLines(insightLines(groups, paint));
    else printLines(["", "isolation, network, materials and verification: not recorded in grading reports"]);
  }
  return printDoubts(doubts) || outcome.skipped.length > 0 ? 1 : 0;
}
