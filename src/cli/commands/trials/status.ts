import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { statusLines, type TrialState } from "../../../reporters/text/run.ts";
import { claimsOfEvents } from "../../../trials/certificate/certificate.ts";
import { findGroup, groupPaths, isBusy, listGroups, readGroup } from "../../../trials/group/folder.ts";
import { readEvents } from "../../../trials/trial/events.ts";
import { readTrial, trialPaths } from "../../../trials/trial/folder.ts";
import { SubmissionVersion, type Trial } from "../../../trials/trial/schema.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { paint, print, printError, printJson } from "../../print.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";

type Options = RunsOptions & { json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(command)
      .argument("[group]", "a run group: its folder or its name (default: all of them)")
      .option("--json", "print the state as JSON")
      .addHelpText(
        "after",
        "\nExamples:\n  $ mlebench status\n  $ mlebench status 2026-01-31T12-00-00-UTC_run-group_sample",
      )
      .action(action(run));
  },
};

function run(name: string | undefined, options: Options): ExitCode {
  const runsDir = runsFolder(options);
  const found = name === undefined ? null : findGroup(name, runsDir);
  if (name !== undefined && found === null) {
    printError("NO_GROUP", `There is no run group "${name}".`, "list them: mlebench status");
    return 2;
  }
  const folders = found === null ? listGroups(runsDir) : [found];
  if (options.json) printJson({ schema: "mlebench/status", version: 1, groups: folders.map(describe) });
  else if (folders.length === 0) print(`There are no run groups in ${runsDir}.`);
  else
    for (const folder of folders) {
      const { runGroup, trials, busy } = describe(folder);
      for (const line of statusLines(runGroup, trials, busy, paint)) print(line);
    }
  return 0;
}

function describe(folder: string): { runGroup: string; folder: string; busy: boolean; trials: TrialState[] } {
  const planned = readGroup(folder)?.trials ?? [];
  const busy = isBusy(folder);
  return {
    runGroup: path.basename(folder),
    folder,
    busy,
    trials: planned.map(({ id, competitionId, seed }) => {
      const trialFolder = groupPaths(folder).trial(id);
      const trial = withSubmissions(trialFolder, readTrial(trialFolder));
      return { id, competitionId, seed, state: stateOf(trialFolder, trial, busy), trial };
    }),
  };
}

/** While a trial runs, only its events tell what it has submitted. */
function withSubmissions(folder: string, trial: Trial | null): Trial | null {
  if (trial?.status !== "running") return trial;
  const { submissions } = claimsOfEvents(readEvents(trialPaths(folder).events).events);
  return { ...trial, submissions: submissions.map((version) => SubmissionVersion.parse(version)) };
}

/** A record that says "running" in a group that nobody works on is what a killed harness leaves. */
function stateOf(folder: string, trial: TrialState["trial"], busy: boolean): TrialState["state"] {
  if (fs.existsSync(trialPaths(folder).certificate)) return "finished";
  if (trial === null) return "waiting";
  return trial.status === "interrupted" || !busy ? "interrupted" : "running";
}
