import { type Command, Option } from "commander";
import { catalogue } from "../../competitions/catalogue.ts";
import { dataFolder } from "../../data/place/data-folder.ts";
import { EXECUTOR_NAMES, type ExecutorName } from "../../executors/by-name.ts";
import { doctorLines } from "../../reporters/text/doctor.ts";
import { examine } from "../../workflows/doctor/doctor.ts";
import { addChoiceOptions, type ChoiceOptions, chosenIds } from "../choose-competitions.ts";
import { action, type CliCommand, type ExitCode } from "../command.ts";
import { addDataOptions, type DataOptions } from "../options.ts";
import { paint, print, printError, printJson } from "../print.ts";
import { progressLine } from "../progress.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../runs-folder.ts";

type Options = DataOptions &
  ChoiceOptions &
  RunsOptions & { executor?: ExecutorName; partition?: string; offline?: boolean; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addDataOptions(addChoiceOptions(command)))
      .addOption(
        new Option("--executor <name>", "look at who would schedule the trials").choices(EXECUTOR_NAMES),
      )
      .option("--partition <name>", "slurm: another than the default one")
      .option("--offline", "do not ask Kaggle whether rules were accepted")
      .option("--json", "print the report as JSON")
      .addHelpText(
        "after",
        `
Looks at the lite split unless other competitions are named. Exit code 1:
something is missing.

Examples:
  $ mlebench doctor
  $ mlebench doctor --all --offline
  $ mlebench doctor -c leaf-classification
  $ mlebench doctor --executor slurm --partition gpu`,
      )
      .action(action(run));
  },
};

async function run(options: Options): Promise<ExitCode> {
  const named = options.competition || options.lite || options.all || options.list || options.split;
  const chosen = chosenIds(named ? options : { lite: true });
  if ("message" in chosen) {
    printError("NO_COMPETITION", chosen.message, "see: mlebench doctor --help");
    return 2;
  }
  const entries = await catalogue(options.competitions);
  const unknown = chosen.ids.filter((id) => !entries.some((entry) => entry.id === id));
  if (unknown.length > 0) {
    printError(
      "UNKNOWN_COMPETITION",
      `There is no competition "${unknown[0]}".`,
      "list them all: mlebench list",
    );
    return 2;
  }
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  const progress = progressLine(chosen.ids.length);
  const report = await examine({
    dataDir: dataFolder(options.dataDir),
    competitions: entries.filter(({ id }) => chosen.ids.includes(id)),
    competitionsDir: options.competitions,
    offline: options.offline === true,
    slurm:
      options.executor === "slurm"
        ? { partition: options.partition, runsDir: runsFolder(options) }
        : undefined,
    signal: interrupted.signal,
    onProgress: (done) => progress.show(done, "asking Kaggle"),
  });
  progress.end();
  if (interrupted.signal.aborted) return 130;
  if (options.json) printJson(report);
  else for (const line of doctorLines(report, paint)) print(line);
  const lacking = report.checks.some(({ status }) => status === "missing");
  return lacking || report.competitions.some(({ canRun }) => !canRun) ? 1 : 0;
}
