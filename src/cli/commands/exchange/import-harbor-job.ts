import type { Command } from "commander";
import { plural } from "../../../wording/counts.ts";
import { importHarborJob } from "../../../workflows/exchange/harbor/import-job.ts";
import { action, type ExitCode } from "../../command.ts";
import { addDataOptions, type DataOptions } from "../../options.ts";
import { print, printError, printJson } from "../../print.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";

type Options = DataOptions & RunsOptions & { json?: boolean };

/** `mlebench import harbor-job`: a subcommand beside the import of the original's texts. */
export function defineHarborJob(command: Command): void {
  addRunsOption(addDataOptions(command))
    .description("turn a finished Harbor job into run groups")
    .option("--json", "print the result as JSON")
    .exitOverride()
    .addHelpText(
      "after",
      `
One group for each agent and model. A grade is recomputed where the submission
came along and the answers are here; else it is Harbor's word, and marked as
such.
Exit code 1: some trials were left out or have no grade.

Example:
  $ mlebench import harbor-job jobs/2026-11-18__10-00-00`,
    )
    .action(action(run));
}

async function run(folder: string, _: unknown, command: Command): Promise<ExitCode> {
  // Options that the parent has too are parsed there.
  const options = command.optsWithGlobals<Options>();
  const { dataDir, competitions: competitionsDir } = options;
  const outcome = await importHarborJob({ folder, runsDir: runsFolder(options), dataDir, competitionsDir });
  if (options.json) printJson({ schema: "mlebench/harbor-import", version: 1, ...outcome });
  if (outcome.status === "refused") {
    const { code, message, nextStep } = outcome.problem;
    if (!options.json) printError(code, message, nextStep);
    return 2;
  }
  const trials = outcome.groups.flatMap((group) => group.trials);
  const ungraded = trials.filter(({ grade }) => grade === "none").length;
  if (!options.json) {
    for (const group of outcome.groups) {
      const count = (grade: string) => group.trials.filter((trial) => trial.grade === grade).length;
      print(
        `${group.agent}: ${plural(group.trials.length, "trial")}, ${count("recomputed")} regraded here, ${count("declared")} by Harbor's word, ${count("none")} without a grade`,
      );
      print(`  ${group.folder}`);
    }
    for (const { folder: place, reason } of outcome.skipped) printError("LEFT_OUT", `${place}: ${reason}`);
  }
  return outcome.skipped.length + ungraded > 0 ? 1 : 0;
}
