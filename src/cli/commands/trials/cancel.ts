import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { makeFolder } from "../../../files/make-folder.ts";
import { findTrial } from "../../../trials/group/folder.ts";
import { trialPaths } from "../../../trials/trial/folder.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { print, printError } from "../../print.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(command)
      .argument("<trial>", "a trial: its folder, its id or the beginning of its id")
      .addHelpText(
        "after",
        `
Whoever runs the trial ends it as at a deadline: what stands there counts, and the stop reason is "cancelled". A trial
that waits is never started.

Example:
  $ mlebench cancel spooky-author-identification_3f1c`,
      )
      .action(action(run));
  },
};

function run(name: string, options: RunsOptions): ExitCode {
  const folder = findTrial(name, runsFolder(options));
  if (folder === null) {
    printError(
      "NO_TRIAL",
      `"${name}" is no trial, or the beginning of several.`,
      "list them: mlebench status",
    );
    return 2;
  }
  const paths = trialPaths(folder);
  if (fs.existsSync(paths.certificate)) {
    printError("FINISHED", `${path.basename(folder)} has finished already.`);
    return 3;
  }
  makeFolder(folder);
  fs.writeFileSync(paths.cancel, "");
  print(`${path.basename(folder)} will be cancelled.`);
  return 0;
}
