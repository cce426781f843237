import path from "node:path";
import type { Command } from "commander";
import { requestCancel } from "../../../trials/state/request-cancel.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { print, printError, printJson } from "../../print.ts";
import { trialFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(command)
      .argument("<trial>", "a trial: its folder, its id or a part of it")
      .option("--json", "print what was done as JSON")
      .addHelpText(
        "after",
        `
Whoever runs the trial ends it as at a deadline: what stands there counts, and
the stop reason is "cancelled". A trial that waits is never started.

Example:
  $ mlebench cancel spooky-author-identification_3f1c`,
      )
      .action(action(run));
  },
};

function run(name: string, options: RunsOptions & { json?: boolean }): ExitCode {
  const folder = trialFolder(name, options);
  if (folder === null) return 2;
  if (requestCancel(folder) === "finished") {
    printError("FINISHED", `${path.basename(folder)} has finished already.`);
    return 3;
  }
  const trial = path.basename(folder);
  if (options.json) printJson({ schema: "mlebench/cancel", version: 1, trial, folder, status: "requested" });
  else print(`${trial} will be cancelled.`);
  return 0;
}
