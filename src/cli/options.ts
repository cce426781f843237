import { type Command, InvalidArgumentError, Option } from "commander";
import type { CompetitionVersion } from "../competitions/competition.ts";
import { DATA_FOLDER_VARIABLE } from "../data/place/data-folder.ts";
import { type CsvLimits, DEFAULT_LIMITS } from "../table/csv/layout.ts";

export const COMPETITIONS_FOLDER_VARIABLE = "MLEBENCH_COMPETITIONS_DIR";

export interface DataOptions {
  dataDir?: string;
  competitions?: string;
}

/** The options of every command that looks at prepared data. */
export function addDataOptions(command: Command): Command {
  return command
    .option(
      "--data-dir <dir>",
      `folder with the prepared data (default: $${DATA_FOLDER_VARIABLE}, or the user's cache)`,
    )
    .addOption(
      new Option("--competitions <dir>", "folder with competitions of your own").env(
        COMPETITIONS_FOLDER_VARIABLE,
      ),
    );
}

export interface VersionOptions {
  competitionVersion: CompetitionVersion;
}

export function addVersionOption(command: Command): Command {
  return command.addOption(
    new Option("--competition-version <version>", "v1 as the original, v2 with known defects corrected")
      .choices(["v1", "v2"])
      .default("v1"),
  );
}

export interface LimitOptions {
  maxFieldSize: number;
  maxFileSize: number;
}

export function addLimitOptions(command: Command): Command {
  return command
    .option(
      "--max-field-size <size>",
      "largest field of a submission, such as 64MB",
      parseSize,
      DEFAULT_LIMITS.fieldBytes,
    )
    .option("--max-file-size <size>", "largest submission, such as 8GB", parseSize, DEFAULT_LIMITS.fileBytes);
}

export function csvLimits({ maxFieldSize, maxFileSize }: LimitOptions): CsvLimits {
  return { fieldBytes: maxFieldSize, fileBytes: maxFileSize };
}

export function parseCount(text: string): number {
  const count = Number(text);
  if (!Number.isInteger(count) || count < 1)
    throw new InvalidArgumentError("It must be a whole number from 1.");
  return count;
}

const UNITS: Record<string, number> = { "": 1, b: 1, kb: 2 ** 10, mb: 2 ** 20, gb: 2 ** 30, tb: 2 ** 40 };

export function parseSize(text: string): number {
  const match = /^(\d+(?:\.\d+)?)\s*([kmgt]?b?)$/i.exec(text.replace(/ib$/i, "b"));
  const unit = match && UNITS[match[2].toLowerCase().replace(/^([kmgt])$/, "$1b")];
  if (!match || unit === null || unit === undefined)
    throw new InvalidArgumentError("Write a size such as 64MB or 8GB.");
  return Math.floor(Number(match[1]) * unit);
}
