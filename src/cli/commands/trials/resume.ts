import type { Command } from "commander";
import { resumeRun } from "../../../workflows/run/run.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { driveRun } from "../../drive-group.ts";
import { addPlaceOptions, givenPlaces, PLACES_HELP, type PlaceOptions } from "../../place-options.ts";
import { groupFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

type Options = RunsOptions &
  PlaceOptions & { acceptChangedData?: boolean; continue?: boolean; grade?: boolean; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addPlaceOptions(command))
      .argument("<group>", "a run group: its folder or its name")
      .option("--accept-changed-data", "go on although the prepared data are others now; the record says so")
      .option("--continue", "interrupted trials go on with what they left, their time and their money")
      .option("--grade", "grade the trials when they have ended, and print the table")
      .option("--json", "print events as JSON, one a line; the last one is the summary")
      .addHelpText(
        "after",
        `
Finishes what is missing, with the settings the group was started with. What is done is never repeated; a trial that
was interrupted starts again, and its earlier attempt is kept in attempts/<n>. With --continue it finds the submission,
logs and code that the attempt left, and has the time and the model budget that were left: for agents that go on by
themselves, such as tree. The record says how often a trial was continued, and after how long.
${PLACES_HELP}
Example:
  $ mlebench resume runs/2026-01-31T12-30-00-UTC_run-group_sample`,
      )
      .action(action(run));
  },
};

async function run(name: string, options: Options): Promise<ExitCode> {
  const folder = groupFolder(name, options);
  if (folder === null) return 2;
  const { json = false, acceptChangedData, continue: goOn, grade } = options;
  const places = givenPlaces(options);
  return driveRun((control) => resumeRun(folder, { acceptChangedData, goOn, grade, places }, control), {
    json,
  });
}
