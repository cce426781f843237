import fs from "node:fs";
import type { Command } from "commander";
import { ENTRIES } from "../../../competitions/catalogue.generated.ts";
import { dataFolder } from "../../../data/place/data-folder.ts";
import type { PrepareOutcome } from "../../../data/prepare/outcome.ts";
import { outcomeLines, progressText, summaryLines } from "../../../reporters/text/prepare.ts";
import { prepare } from "../../../workflows/prepare.ts";
import {
  addChoiceOptions,
  type ChoiceOptions,
  chosenIds,
  collectSetting,
} from "../../choose-competitions.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { liveLines } from "../../live-lines.ts";
import {
  addDataOptions,
  addVersionOption,
  type DataOptions,
  parseCount,
  type VersionOptions,
} from "../../options.ts";
import { paint, print, printError } from "../../print.ts";

type Options = DataOptions &
  VersionOptions &
  ChoiceOptions & {
    raw?: string;
    keepRaw?: boolean;
    skipVerification?: boolean;
    overwriteChecksums?: boolean;
    overwriteLeaderboard?: boolean;
    jobs: number;
    set?: Record<string, number | string | boolean>;
    json?: boolean;
  };

const DEFAULT_JOBS = 2;

export const command: CliCommand = {
  define(command: Command) {
    addVersionOption(addDataOptions(addChoiceOptions(command)))
      .option(
        "--raw <folder or archive>",
        "raw data you already have, instead of Kaggle (with several competitions: a folder with <id>/ or <id>.zip each)",
      )
      .option("--keep-raw", "keep what was downloaded")
      .option("--skip-verification", "do not compare the result with checksums")
      .option("--overwrite-checksums", "make the result your own reference (kept in the data folder)")
      .option("--overwrite-leaderboard", "also download the full leaderboard, in place of one that is there")
      .option("--jobs <n>", "competitions to work on at a time", parseCount, DEFAULT_JOBS)
      .option(
        "--set <key=value>",
        "change a constant of the preparer; the result is not official",
        collectSetting,
      )
      .option("--json", "print events as JSON, one a line; the last one is the summary")
      .addHelpText("after", HELP)
      .action(action(run));
  },
};

const HELP = `
Safe to interrupt and to repeat: what is ready is not prepared again, a download goes on where it stopped.
Exit code 1: some are not ready or differ; 3: none is ready; 130: interrupted.

Examples:
  $ mlebench prepare -c spooky-author-identification
  $ mlebench prepare --lite --jobs 3
  $ mlebench prepare -c leaf-classification --raw ~/Downloads/leaf-classification.zip

Competitions:
${ENTRIES.map(({ id }) => `  ${id}`).join("\n")}`;

async function run(options: Options): Promise<ExitCode> {
  const chosen = chosenIds(options);
  if ("message" in chosen) {
    printError(
      "NO_COMPETITION",
      chosen.message,
      "name some: mlebench prepare -c <id>, --lite, --all, --list or --split",
    );
    return 2;
  }
  const { ids } = chosen;
  if (
    options.raw !== undefined &&
    ids.length > 1 &&
    fs.statSync(options.raw, { throwIfNoEntry: false })?.isFile()
  ) {
    printError(
      "ONE_ARCHIVE",
      `${options.raw} is one archive, and ${ids.length} competitions were named.`,
      "give a folder with <id>/ or <id>.zip for each",
    );
    return 2;
  }
  const dataDir = dataFolder(options.dataDir);
  const interrupted = interruption();
  const display = options.json ? jsonDisplay() : textDisplay();
  const { raw, keepRaw, skipVerification, overwriteChecksums, overwriteLeaderboard, competitionVersion } =
    options;
  const outcomes = await prepare(
    {
      competitions: ids,
      competitionVersion,
      dataDir,
      competitionsDir: options.competitions,
      raw,
      settings: options.set ?? {},
      keepRaw,
      skipVerification,
      overwriteChecksums,
      overwriteLeaderboard,
    },
    { jobs: options.jobs, signal: interrupted, ...display.listeners },
  );
  const code = interrupted.aborted ? 130 : exitCode(outcomes);
  display.summary(outcomes, dataDir, code);
  return code;
}

function textDisplay() {
  const live = liveLines();
  return {
    listeners: {
      onProgress: (progress: Parameters<typeof progressText>[0]) =>
        live.show(progress.competitionId, progress.stage, progressText(progress)),
      onNote: (id: string, message: string) => live.keep([`${id}: ${message}`]),
      onOutcome: (outcome: PrepareOutcome) => {
        live.end(outcome.competitionId);
        live.keep(outcomeLines(outcome, paint));
      },
    },
    summary(outcomes: readonly PrepareOutcome[], dataDir: string): void {
      for (const line of summaryLines(outcomes, dataDir, paint)) print(line);
    },
  };
}

function jsonDisplay() {
  const tell = (event: Record<string, unknown>) => print(JSON.stringify(event));
  return {
    listeners: {
      onProgress: (progress: object) => tell({ event: "progress", ...progress }),
      onNote: (competitionId: string, message: string) => tell({ event: "note", competitionId, message }),
      onOutcome: (outcome: PrepareOutcome) => tell({ event: "outcome", ...outcome }),
    },
    summary(outcomes: readonly PrepareOutcome[], dataDir: string, exitCode: ExitCode): void {
      tell({ event: "summary", schema: "mlebench/prepare-summary", version: 1, dataDir, exitCode, outcomes });
    },
  };
}

function exitCode(outcomes: readonly PrepareOutcome[]): ExitCode {
  const usable = outcomes.filter((outcome) => "folder" in outcome);
  const wrongNames = outcomes.filter(
    (outcome) => outcome.status === "failed" && outcome.code === "UNKNOWN_COMPETITION",
  );
  if (usable.length === 0) return wrongNames.length === outcomes.length ? 2 : 3;
  const differs = usable.some((outcome) => outcome.verification === "differs");
  return usable.length < outcomes.length || differs ? 1 : 0;
}
