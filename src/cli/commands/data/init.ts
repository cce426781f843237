import { type Command, InvalidArgumentError, Option } from "commander";
import { dataFolder } from "../../../data/place/data-folder.ts";
import { initLines } from "../../../reporters/text/init.ts";
import { initCompetition } from "../../../workflows/init/init.ts";
import { OWN_METRICS, type OwnMetricName } from "../../../workflows/init/metric.ts";
import type { InitOutcome } from "../../../workflows/init/schema.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { liveLines } from "../../live-lines.ts";
import { durationOption } from "../../options.ts";
import { paint, print, printError, printJson, printNote } from "../../print.ts";
import { parseWhole } from "../../run-options.ts";

interface Options {
  train: string;
  target: string;
  metric?: OwnMetricName;
  id?: string;
  testSize: number;
  group?: string;
  time?: string;
  drop: string[];
  seed: number;
  timeLimit: number;
  dataDir?: string;
  force?: boolean;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    command
      .argument("<folder>", "the competition's folder; its name becomes the id")
      .requiredOption("--train <file>", "a CSV file with a header, UTF-8")
      .requiredOption("--target <column>", "the column to predict")
      .addOption(
        new Option("--metric <name>", "how to score (default: what suits the target)").choices(
          Object.keys(OWN_METRICS),
        ),
      )
      .option("--id <column>", "the column that names the rows (default: found, or made)")
      .option("--test-size <share>", "share of the rows to predict", parseShare, 0.2)
      .option("--group <column>", "keep rows of one value together, in train or in test")
      .option("--time <column>", "let test come after train")
      .option("--drop <column>", "leave a column out; may be repeated", collect, [])
      .option("--seed <n>", "of the split", parseWhole, 0)
      .option("--time-limit <time>", "of the baseline that tries it, such as 60s", durationOption, 60)
      .option(
        "--data-dir <dir>",
        "folder with the prepared data (default: $MLEBENCH_DATA_DIR, or the user's cache)",
      )
      .option("--force", "replace a folder that init made, and its data")
      .option("--json", "print the result as JSON")
      .addHelpText("after", HELP)
      .action(action(run));
  },
};

const HELP = `
Decides what kind of target it is, the metric, the split and the id, and says by which rule; options overrule it. Writes
the folder (facts, grader, preparer, description, the table itself, checksums), prepares it, grades a constant guess and
the perfect answers, runs the baseline and the leak scanner. Exit code 1: the folder is there, but it is not ready; 2:
the table or an option cannot be used; 130: interrupted, nothing was written.

Examples:
  $ mlebench init my-competitions/wine --train wine.csv --target quality
  $ mlebench init my-competitions/churn --train churn.csv --target churned --group customer --drop closing_date
  $ mlebench init my-competitions/load --train load.csv --target megawatts --time hour --metric mae`;

async function run(folder: string, options: Options): Promise<ExitCode> {
  const interrupted = interruption();
  const live = options.json ? null : liveLines();
  const outcome = await initCompetition(
    {
      folder,
      ...options,
      metric: options.metric ?? null,
      id: options.id ?? null,
      group: options.group ?? null,
      time: options.time ?? null,
      dataDir: dataFolder(options.dataDir),
      dataDirOption: options.dataDir ?? null,
      baselineSeconds: options.timeLimit,
      force: options.force === true,
      words: process.argv.slice(2),
    },
    { signal: interrupted, onStep: (step) => live?.show("init", step.split(/[:,]/)[0], step) },
  );
  live?.end("init");
  if (options.json) printJson({ schema: "mlebench/init-result", version: 1, ...outcome });
  else show(outcome);
  return EXIT_CODES[outcome.status];
}

const EXIT_CODES: Record<InitOutcome["status"], ExitCode> = {
  ready: 0,
  "not-ready": 1,
  refused: 2,
  failed: 3,
  interrupted: 130,
};

function show(outcome: InitOutcome): void {
  switch (outcome.status) {
    case "ready":
    case "not-ready":
      for (const line of initLines(outcome, paint)) print(line);
      return;
    case "refused":
    case "failed":
      printError(outcome.code, outcome.message, outcome.nextStep);
      return;
    case "interrupted":
      printNote("Interrupted.");
  }
}

function parseShare(text: string): number {
  const share = Number(text);
  if (!(share > 0 && share < 1)) throw new InvalidArgumentError("It must be a number between 0 and 1.");
  return share;
}

function collect(text: string, before: readonly string[]): string[] {
  return [...before, text];
}
