import type { Command } from "commander";
import { statusLines } from "../../../reporters/text/run.ts";
import { findGroup, listGroups } from "../../../trials/group/folder.ts";
import { groupStates } from "../../../trials/state/group-state.ts";
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

async function run(name: string | undefined, options: Options): Promise<ExitCode> {
  const runsDir = runsFolder(options);
  const found = name === undefined ? null : findGroup(name, runsDir);
  if (name !== undefined && found === null) {
    printError("NO_GROUP", `There is no run group "${name}".`, "list them: mlebench status");
    return 2;
  }
  const folders = found === null ? listGroups(runsDir) : [found];
  const groups = await groupStates(folders);
  if (options.json) printJson({ schema: "mlebench/status", version: 1, groups });
  else if (folders.length === 0) print(`There are no run groups in ${runsDir}.`);
  else
    for (const { runGroup, trials, busy } of groups)
      for (const line of statusLines(runGroup, trials, busy, paint)) print(line);
  return 0;
}
