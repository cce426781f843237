import type { Command } from "commander";
import { SPLIT_NAMES } from "../../../competitions/splits.ts";
import { comparisonLines } from "../../../reporters/text/comparison.ts";
import { compareReports } from "../../../workflows/results/compare.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addCompetitionsOption } from "../../options.ts";
import { paint, printDoubts, printJson, printLines, printProblem } from "../../print.ts";
import { placesOf } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

interface Options extends RunsOptions {
  competitions?: string;
  split?: string;
  padMissing?: boolean;
  names?: string[];
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addCompetitionsOption(command))
      .argument("<A>", "grading reports or run groups of the first agent, separated by commas")
      .argument("<B>", "those of the second")
      .option("--split <name>", `compare over these only: ${SPLIT_NAMES.join(", ")}, or a text file of ids`)
      .option("--pad-missing", "compare although competitions of the split have no run on one side")
      .option("--names <names...>", "what to call the two")
      .option("--json", "print the comparison as JSON")
      .addHelpText(
        "after",
        `
Pairs the two agents by competition and seed. Without --split, all competitions
that both have are compared.
Missing runs are counted in the first line and are in no test; what the
difference would be if they counted as failed is shown beside it. Competitions
without a board are compared by score.

Example:
  $ mlebench compare runs/a1,runs/a2,runs/a3 runs/b1,runs/b2,runs/b3 --split lite`,
      )
      .action(action(run));
  },
};

async function run(first: string, second: string, options: Options): Promise<ExitCode> {
  const a = placesOf(first.split(","), options);
  const b = a === null ? null : placesOf(second.split(","), options);
  if (a === null || b === null) return 2;
  const { split, padMissing, names, competitions: competitionsDir } = options;
  const outcome = await compareReports({ a, b, split, padMissing, names, competitionsDir });
  if (outcome.status === "refused") {
    printProblem(outcome.problem);
    return 2;
  }
  const { result, deviations, circumstances, models, doubts } = outcome;
  if (options.json) printJson({ ...result, deviations, circumstances, models, doubts });
  else printLines(comparisonLines(outcome, paint));
  return printDoubts(doubts) ? 1 : 0;
}
