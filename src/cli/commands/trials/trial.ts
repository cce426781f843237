import fs from "node:fs";
import path from "node:path";
import { type Command, InvalidArgumentError } from "commander";
import { resolveGroup } from "../../../trials/group/resolve.ts";
import type { RunControl } from "../../../workflows/run/request.ts";
import { runTrialJob, type TrialJobOutcome } from "../../../workflows/run/trial.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { runListener } from "../../drive-group.ts";
import { gentleInterruption } from "../../interruption.ts";
import { liveLines } from "../../live-lines.ts";
import { addPlaceOptions, givenPlaces, PLACES_HELP, type PlaceOptions } from "../../place-options.ts";
import { print, printError } from "../../print.ts";
import { groupFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";

type Options = RunsOptions &
  PlaceOptions & {
    devices?: string[];
    jobId?: string;
    acceptChangedData?: boolean;
    continue?: boolean;
    json?: boolean;
  };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addPlaceOptions(command))
      .argument("<group>", "a run group: its folder or its name")
      .argument("<trial>", "a trial of it: its id or the beginning of its id")
      .option("--devices <indexes>", "the GPU devices it may use, such as 0,1", parseDevices)
      .option("--job-id <id>", "what a scheduler calls this job; goes into the record")
      .option("--accept-changed-data", "go on although the prepared data are others now; the record says so")
      .option("--continue", "a trial that was interrupted goes on with what it left, its time and its money")
      .option("--json", "print events as JSON, one a line; the last one is the summary")
      .addHelpText(
        "after",
        `
Runs one trial of a group that was planned before, in this process: for
schedulers, and for machines that see nothing but the group's and the data's
folders. The group's settings say what to do; the sandbox and the hardware are
those found here. Safe to repeat: a trial that is done is not run again, one
that was cut off starts with a new attempt, and one that somebody else is
running is left alone. ${PLACES_HELP}Exit code 0: it is finished; 1: it is not, and can be repeated; 3: it could not be started; 130: interrupted.

Example:
  $ mlebench trial runs/2026-01-31T12-30-00-UTC_run-group_sample leaf-classification_3f1c`,
      )
      .action(action(run));
  },
};

function parseDevices(text: string): string[] {
  const devices = text.split(",");
  if (devices.some((device) => !/^\d+$/.test(device)) || new Set(devices).size < devices.length)
    throw new InvalidArgumentError("Write indexes such as 0,1, each once.");
  return devices;
}

async function run(name: string, trial: string, options: Options): Promise<ExitCode> {
  const found = resolveGroup(name, runsFolder(options));
  // A folder that is there and cannot be used has an outcome of its own.
  const isThere = found.status !== "found" && fs.existsSync(name);
  const group = isThere ? path.resolve(name) : groupFolder(name, options);
  if (group === null) return 2;
  const json = options.json === true;
  const live = liveLines();
  const interruption = gentleInterruption((line) => live.keep([line]));
  const { interrupted, killed } = interruption;
  const control: RunControl = { interrupted, killed, onEvent: runListener(json, live) };
  const { devices: gpus, jobId, acceptChangedData, continue: goOn } = options;
  const outcome = await runTrialJob(
    { group, trial, gpus, jobId, acceptChangedData, goOn, places: givenPlaces(options) },
    control,
  );
  interruption.end();
  const code = exitCode(outcome, interrupted.aborted);
  if (outcome.status === "refused") {
    const { code: name, message, nextStep } = outcome.problem;
    printError(name, message, nextStep);
  } else if (outcome.status === "ran" && outcome.result.refusal !== null) {
    const { code: name, message, nextStep } = outcome.result.refusal;
    printError(name, message, nextStep);
  }
  if (json)
    print(
      JSON.stringify({
        event: "summary",
        schema: "mlebench/trial-summary",
        version: 1,
        group,
        trial: trialId(outcome) ?? trial,
        status: outcome.status === "ran" ? outcome.result.status : outcome.status,
        exitCode: code,
      }),
    );
  else if (outcome.status === "done") print(`${outcome.trialId} was finished before`);
  else if (outcome.status === "ran") print(`${outcome.result.trial.id}: ${outcome.result.status}`);
  return code;
}

function trialId(outcome: TrialJobOutcome): string | null {
  if (outcome.status === "refused") return null;
  return outcome.status === "ran" ? outcome.result.trial.id : outcome.trialId;
}

const WRONG_INPUT = new Set(["NO_GROUP", "NO_TRIAL", "NOT_WRITABLE", "NOT_READABLE"]);

function exitCode(outcome: TrialJobOutcome, interrupted: boolean): ExitCode {
  if (interrupted) return 130;
  if (outcome.status === "done") return 0;
  if (outcome.status === "refused") return WRONG_INPUT.has(outcome.problem.code) ? 2 : 3;
  const { status, refusal } = outcome.result;
  return status === "finished" ? 0 : refusal === null ? 1 : 3;
}
