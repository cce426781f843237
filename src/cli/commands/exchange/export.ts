import { type Command, Option } from "commander";
import type { EnvironmentWeight } from "../../../sandbox/container/environment.ts";
import { plural } from "../../../wording/counts.ts";
import type { Problem } from "../../../wording/problem.ts";
import { exportTrajectories } from "../../../workflows/exchange/atif/export.ts";
import { type ExportedTask, exportHarbor } from "../../../workflows/exchange/harbor/export.ts";
import { exportInspect } from "../../../workflows/exchange/inspect/export.ts";
import { exportInspectTasks } from "../../../workflows/exchange/inspect/task-package.ts";
import { addChoiceOptions, type ChoiceOptions, chosenIds } from "../../choose-competitions.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption, leaveWhenInterrupted } from "../../interruption.ts";
import {
  addDataOptions,
  addVersionOption,
  type DataOptions,
  durationOption,
  sizeOption,
  type VersionOptions,
} from "../../options.ts";
import { print, printError, printJson } from "../../print.ts";
import { groupFolder } from "../../resolve.ts";
import { parseAmount, parseWhole } from "../../run-options.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

type JsonOption = { json?: boolean };
type TaskOptions = ChoiceOptions & DataOptions & JsonOption & { force?: boolean };
type HarborOptions = TaskOptions &
  VersionOptions & {
    data?: "embed" | "mount";
    environment: EnvironmentWeight;
    richRewards?: boolean;
    timeLimit?: number;
    cpus?: number;
    memory?: number;
    gpus?: number;
  };

export const command: CliCommand = {
  define(command: Command) {
    command.addHelpText(
      "after",
      `
Examples:
  $ mlebench export harbor --split starter harbor-tasks
  $ mlebench export inspect runs/<group> logs/group.eval
  $ mlebench export inspect-tasks -c starter-spam mlebench-inspect
  $ mlebench export atif runs/<group> trajectories`,
    );
    defineHarbor(command.command("harbor [folder]"));
    defineInspect(command.command("inspect <group> <file>"));
    defineInspectTasks(command.command("inspect-tasks [folder]"));
    defineAtif(command.command("atif <group> <folder>"));
  },
};

function defineHarbor(command: Command): void {
  addVersionOption(addDataOptions(addChoiceOptions(command)))
    .description("write competitions as tasks that Harbor runs")
    .addOption(
      new Option(
        "--data <how>",
        "public data in the image, or mounted (default: mounted where they are Kaggle's)",
      ).choices(["embed", "mount"]),
    )
    .addOption(
      new Option("--environment <weight>", "what the agent's image holds")
        .choices(["light", "heavy"])
        .default("heavy"),
    )
    .option("--rich-rewards", "score, percentile and flags beside the medal (Harbor then computes no pass@k)")
    .option("--time-limit <time>", "the agent's time (default: 24h)", durationOption)
    .option("--cpus <n>", "its processors (default: 36)", parseAmount)
    .option("--memory <size>", "its memory (default: 440GiB)", sizeOption)
    .option("--gpus <n>", "its GPUs (default: 1)", parseWhole)
    .option("--force", "replace tasks that are there already")
    .option("--json", "print the result as JSON")
    .exitOverride()
    .addHelpText(
      "after",
      `
Private answers go into each task's tests/ folder, which becomes the verifier's
own image: never publish it.
Exit code 1: some could not be exported; 3: none.

Example:
  $ mlebench export harbor -c starter-spam harbor-tasks --cpus 2 --memory 8GiB --gpus 0 --time-limit 1h`,
    )
    .action(action(harbor));
}

async function harbor(given: string | undefined, options: HarborOptions): Promise<ExitCode> {
  const named = chosen(given, options);
  if (named === null) return 2;
  const { competitions, folder } = named;
  const signal = interruption();
  const outcome = await exportHarbor({
    competitions,
    folder,
    competitionVersion: options.competitionVersion,
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    data: options.data,
    weight: options.environment,
    richRewards: options.richRewards,
    force: options.force,
    timeSeconds: options.timeLimit,
    cpus: options.cpus,
    memoryMegabytes: options.memory === undefined ? undefined : Math.ceil(options.memory / 2 ** 20),
    gpus: options.gpus,
    onTask: options.json ? undefined : showTask,
    signal,
  });
  if (options.json) printJson({ schema: "mlebench/harbor-export", version: 1, ...outcome });
  if (outcome.status === "refused") {
    const code = isWrongInput(outcome.problem) ? 2 : 3;
    return options.json ? code : refuse(outcome.problem, code);
  }
  const done = outcome.tasks.filter(({ status }) => status === "exported").length;
  if (!options.json && done > 0) {
    print(`${plural(done, "task")} in ${folder}. Build the grader once: sh ${folder}/grader/build.sh`);
    print("tests/ holds the private answers of each task: do not publish them.");
  }
  if (signal.aborted) return 130;
  if (outcome.tasks.every((task) => task.status === "refused" && isWrongInput(task.problem))) return 2;
  return done === outcome.tasks.length ? 0 : done > 0 ? 1 : 3;
}

function showTask(task: ExportedTask): void {
  if (task.status === "refused") refuse(task.problem, 3);
  else
    print(`${task.competitionId}  ${task.data === "embed" ? "with its public data" : "public data mounted"}`);
}

function defineInspect(command: Command): void {
  addRunsOption(command)
    .description("write a run group as a log that Inspect's viewer opens")
    .option("--json", "print the result as JSON")
    .exitOverride()
    .addHelpText(
      "after",
      "\nExit code 1: some trials have no grade, or not all of their model calls.\n\nExample:\n  $ mlebench export inspect runs/<group> logs/group.eval",
    )
    .action(action(inspect));
}

async function inspect(group: string, file: string, options: RunsOptions & JsonOption): Promise<ExitCode> {
  const folder = groupFolder(group, options, { foreign: true });
  if (folder === null) return 2;
  leaveWhenInterrupted();
  const outcome = await exportInspect({ group: folder, file });
  if (options.json) printJson({ schema: "mlebench/inspect-export", version: 1, ...outcome });
  if (outcome.status === "refused") return options.json ? 2 : refuse(outcome.problem, 2);
  const { samples, ungraded } = outcome;
  if (!options.json) {
    print(`${plural(samples, "trial")} in ${outcome.file}; look at it: inspect view --log-dir <its folder>`);
    if (ungraded > 0)
      printError(
        "NOT_GRADED",
        `${plural(ungraded, "trial has", "trials have")} no grade.`,
        `grade the group first: mlebench grade ${group}`,
      );
  }
  if (!options.json) showIncomplete(outcome.incomplete);
  return ungraded > 0 || outcome.incomplete.length > 0 ? 1 : 0;
}

/** What is missing was lost before: the export says so, in its files and here. */
function showIncomplete(incomplete: readonly { trial: string; why: string }[]): void {
  for (const { trial, why } of incomplete)
    printError(
      "LEDGER_DAMAGED",
      `${trial}: ${why}.`,
      "see mlebench verify: a sealed trial names what was changed",
    );
}

function defineInspectTasks(command: Command): void {
  addDataOptions(addChoiceOptions(command))
    .description("write a Python package with which Inspect runs competitions")
    .option("--force", "replace the package that is there already")
    .option("--json", "print the result as JSON")
    .exitOverride()
    .addHelpText("after", "\nExample:\n  $ mlebench export inspect-tasks --split starter mlebench-inspect")
    .action(action(inspectTasks));
}

async function inspectTasks(given: string | undefined, options: TaskOptions): Promise<ExitCode> {
  const named = chosen(given, options);
  if (named === null) return 2;
  const { competitions, folder } = named;
  const { dataDir, competitions: competitionsDir, force } = options;
  const outcome = await exportInspectTasks({ competitions, folder, dataDir, competitionsDir, force });
  if (options.json) printJson({ schema: "mlebench/inspect-tasks-export", version: 1, ...outcome });
  if (outcome.status === "refused") {
    const code = isWrongInput(outcome.problem) ? 2 : 3;
    return options.json ? code : refuse(outcome.problem, code);
  }
  if (!options.json)
    print(`${plural(competitions.length, "competition")} in ${outcome.folder}; see its README.md`);
  return 0;
}

function defineAtif(command: Command): void {
  addRunsOption(command)
    .description("write each trial's conversation as an ATIF trajectory")
    .option("--json", "print the result as JSON")
    .exitOverride()
    .addHelpText(
      "after",
      "\nExit code 1: some trials have no record, or not all of their model calls.\n\nExample:\n  $ mlebench export atif runs/<group> trajectories",
    )
    .action(action(atif));
}

async function atif(group: string, into: string, options: RunsOptions & JsonOption): Promise<ExitCode> {
  const folder = groupFolder(group, options);
  if (folder === null) return 2;
  leaveWhenInterrupted();
  const outcome = await exportTrajectories(folder, into);
  if (options.json) printJson({ schema: "mlebench/atif-export", version: 1, ...outcome });
  if (outcome.status === "refused") return options.json ? 3 : refuse(outcome.problem, 3);
  if (!options.json) {
    print(`${plural(outcome.files.length, "trajectory", "trajectories")} in ${into}`);
    for (const { trial, why } of outcome.left) printError("NO_RECORD", `${trial}: ${why}`);
    showIncomplete(outcome.incomplete);
  }
  if (outcome.left.length === 0 && outcome.incomplete.length === 0) return 0;
  return outcome.files.length > 0 ? 1 : 3;
}

/** `-c` takes as many words as follow it: in `-c <id> <folder>` the last of them is the folder. */
function chosen(
  given: string | undefined,
  options: ChoiceOptions,
): { competitions: string[]; folder: string } | null {
  const words = [...(options.competition ?? [])];
  const folder = given ?? (words.length > 1 ? words.pop() : undefined);
  if (folder === undefined) {
    printError("NO_FOLDER", "Nothing says where to write to.", "name a folder behind the competitions");
    return null;
  }
  const ids = chosenIds({ ...options, competition: words });
  if ("ids" in ids) return { competitions: ids.ids, folder };
  printError("NO_COMPETITION", ids.message, "name some: -c <id>, --lite, --all, --list or --split");
  return null;
}

const isWrongInput = ({ code }: Problem) => code === "UNKNOWN_COMPETITION" || code === "BAD_BUDGET";

function refuse({ code, message, nextStep }: Problem, exitCode: ExitCode): ExitCode {
  printError(code, message, nextStep);
  return exitCode;
}
