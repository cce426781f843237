import fs from "node:fs";
import path from "node:path";
import { StringDecoder } from "node:string_decoder";
import { setTimeout as wait } from "node:timers/promises";
import type { Command } from "commander";
import { joinTurns } from "../../../analysis/turns.ts";
import { isNotPlain, openPlain, readPlainText } from "../../../files/plain-file.ts";
import { readLedger } from "../../../models/ledger/ledger.ts";
import { readTranscripts } from "../../../models/transcripts/read.ts";
import { conversationLines, turnLines } from "../../../reporters/text/conversation.ts";
import { trialPaths } from "../../../trials/trial/folder.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { pageWidth, paint, printError, printJson, printLines, writeOut } from "../../print.ts";
import { trialFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

type Options = RunsOptions & { follow?: boolean; model?: boolean; turns?: boolean; json?: boolean };

const EVERY_MS = 300;
const PIECE = 64 * 1024;
/** As long as a text can be. */
const MAX_LOG_BYTES = 2 ** 29 - 1;

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(command)
      .argument("<trial>", "a trial: its folder, its id or a part of it")
      .option("-f, --follow", "go on until the trial ends")
      .option("--model", "show its conversations with models instead")
      .option("--turns", "show an agent's own turns beside the calls of its gateway instead")
      .option("--json", "print the log, and whose it is, as JSON; with --model: the lines of its ledger")
      .addHelpText("after", "\nExample:\n  $ mlebench logs -f spooky-author-identification_3f1c")
      .action(action(run));
  },
};

async function run(name: string, options: Options): Promise<ExitCode> {
  if (options.json && options.follow) {
    printError("WRONG_USAGE", "--json prints a log as a whole, and --follow as it grows.", "leave one out");
    return 2;
  }
  const folder = trialFolder(name, options, { foreign: true });
  if (folder === null) return 2;
  if (options.model) return showModels(folder, options.json === true);
  if (options.turns) return showTurns(folder, options.json === true);
  const { trial, runLog, certificate } = trialPaths(folder);
  if (!fs.existsSync(trial) && !fs.existsSync(runLog) && fs.existsSync(path.join(folder, "harbor.json"))) {
    printError(
      "NO_LOG",
      `${path.basename(folder)} was imported from Harbor, which kept its log.`,
      "see its trajectory, if it came along: mlebench logs --model …",
    );
    return 3;
  }
  if (!fs.existsSync(runLog) && !options.follow) {
    printError(
      "NOT_STARTED",
      `${path.basename(folder)} has not started yet.`,
      "wait for it: mlebench logs -f …",
    );
    return 3;
  }
  if (options.json) {
    const log = readPlainText(runLog, { maxBytes: MAX_LOG_BYTES, links: "refuse" });
    const state = fs.existsSync(certificate) ? "finished" : "running or interrupted";
    printJson({ schema: "mlebench/logs", version: 1, trial: path.basename(folder), folder, state, log });
    return 0;
  }
  let position = print(runLog, 0);
  while (options.follow && !fs.existsSync(certificate)) {
    await wait(EVERY_MS);
    position = print(runLog, position);
  }
  print(runLog, position);
  return 0;
}

function showTurns(folder: string, json: boolean): ExitCode {
  const joined = joinTurns(folder);
  if (json) printJson({ schema: "mlebench/turns", version: 1, ...joined });
  else if (joined.turns.length === 0) {
    printError(
      "NO_TURNS",
      `${path.basename(folder)} has told no turns.`,
      "see all it said: leave out --turns",
    );
    return 3;
  } else printLines(turnLines(joined, paint, pageWidth()));
  return 0;
}

function showModels(folder: string, json: boolean): ExitCode {
  const { model } = trialPaths(folder);
  const { lines } = readLedger(path.join(model, "ledger.jsonl"));
  if (json) printJson({ calls: lines });
  else if (lines.length === 0) {
    printError(
      "NO_CALLS",
      `${path.basename(folder)} has asked no model.`,
      "name one: mlebench run --model …",
    );
    return 3;
  } else
    printLines(
      conversationLines(lines, new Map([...readTranscripts(model)].map((call) => [call.call, call])), paint),
    );
  return 0;
}

/** Prints from a position to the end, and returns the new position. */
function print(file: string, from: number): number {
  let handle: number;
  try {
    handle = openPlain(file, { maxBytes: Number.POSITIVE_INFINITY, links: "refuse" });
  } catch (error) {
    if (isNotPlain(error)) throw error;
    return from;
  }
  const buffer = Buffer.allocUnsafe(PIECE);
  const decoder = new StringDecoder("utf8");
  let position = from;
  try {
    for (;;) {
      const count = fs.readSync(handle, buffer, 0, PIECE, position);
      if (count === 0) return position;
      writeOut(decoder.write(buffer.subarray(0, count)));
      position += count;
    }
  } finally {
    fs.closeSync(handle);
  }
}
