import fs from "node:fs";
import path from "node:path";
import { type Command, InvalidArgumentError, Option } from "commander";
import type { CompetitionVersion } from "../competitions/competition.ts";
import { DATA_FOLDER_VARIABLE } from "../data/place/data-folder.ts";
import { type CsvLimits, DEFAULT_LIMITS } from "../table/csv/layout.ts";
import { DAY_HINT, isDay } from "../wording/days.ts";
import { DURATION_HINT, parseDuration } from "../wording/durations.ts";
import { parseSize, SIZE_HINT, sizeText } from "../wording/sizes.ts";

const COMPETITIONS_FOLDER_VARIABLE = "MLEBENCH_COMPETITIONS_DIR";

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
    .addOption(competitionsOption());
}

/** The day on which a model's training data end. */
export function cutoffOption(): Option {
  return new Option("--cutoff <date>", "where the model's training data end, such as 2025-03-31").argParser(
    (text) => {
      if (isDay(text)) return text;
      throw new InvalidArgumentError(DAY_HINT);
    },
  );
}

/** For commands that need to know competitions, and no data. */
export function addCompetitionsOption(command: Command): Command {
  return command.addOption(competitionsOption());
}

function competitionsOption(): Option {
  return new Option("--competitions <dir>", "folder with competitions of your own").env(
    COMPETITIONS_FOLDER_VARIABLE,
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
    .addOption(
      sized(
        "--max-field-size <size>",
        "largest field of a submission, such as 64MiB",
        DEFAULT_LIMITS.fieldBytes,
      ),
    )
    .addOption(sized("--max-file-size <size>", "largest submission, such as 8GiB", DEFAULT_LIMITS.fileBytes));
}

function sized(flags: string, description: string, usual: number): Option {
  return new Option(flags, description).argParser(sizeOption).default(usual, sizeText(usual));
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

/** Where agents of one's own are: an `agents` folder here if there is one; a folder that was named must be there. */
export function agentsOption(): Option {
  return new Option("--agents-dir <dir>", "folder with agents of your own")
    .env("MLEBENCH_AGENTS_DIR")
    .argParser(existingFolder)
    .default("agents");
}

function existingFolder(text: string): string {
  if (!fs.statSync(text, { throwIfNoEntry: false })?.isDirectory())
    throw new InvalidArgumentError(`There is no folder ${text}.`);
  return text;
}

/** The size an option gives, in bytes. */
export function sizeOption(text: string): number {
  const bytes = parseSize(text);
  if (bytes === null) throw new InvalidArgumentError(SIZE_HINT);
  return bytes;
}

/** The time an option gives, in seconds. */
export function durationOption(text: string): number {
  const seconds = parseDuration(text);
  if (seconds === null) throw new InvalidArgumentError(DURATION_HINT);
  return seconds;
}

/** 0 is any port that is free. */
export function parsePort(text: string): number {
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new InvalidArgumentError("It must be a port: a whole number up to 65535.");
  return port;
}

/** Undefined: nothing was said; null: nothing is to be signed. Commander makes true of a bare `--sign`'s absence. */
export function givenKey(sign: string | boolean | undefined): string | null | undefined {
  if (sign === false) return null;
  return typeof sign === "string" ? path.resolve(sign) : undefined;
}

/** An option that may be repeated, each time with another folder. */
export function collectFolders(folder: string, before: string[] = []): string[] {
  return [...before, path.resolve(folder)];
}
