import path from "node:path";
import type { Command } from "commander";
import { readRecords } from "../../../analysis/trial-records.ts";
import { statusLines } from "../../../reporters/text/run.ts";
import { listGroups } from "../../../trials/group/folder.ts";
import { type GroupState, groupStates } from "../../../trials/state/group-state.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { pageWidth, paint, print, printJson, printLines } from "../../print.ts";
import { groupFolder } from "../../resolve.ts";
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
  const found = name === undefined ? null : groupFolder(name, options);
  if (name !== undefined && found === null) return 2;
  const folders = found === null ? listGroups(runsDir) : [found];
  const groups = (await groupStates(folders)).map((group) => withScores(group, runsDir));
  if (options.json) printJson({ schema: "mlebench/status", version: 1, groups });
  else if (folders.length === 0) print(`There are no run groups in ${runsDir}.`);
  else for (const group of groups) printLines(statusLines(group, paint, pageWidth()));
  return 0;
}

/** Beside what the trials' own files tell: who ran, and what grading made of it. A cell is named with its experiment. */
function withScores(group: GroupState, runsDir: string) {
  const read = readRecords([group.folder]);
  const records = read.ok ? read.agents.flatMap((agent) => agent.records) : [];
  const scores = new Map(records.map(({ id, grade }) => [id, grade?.score ?? null]));
  const inside = path.relative(runsDir, group.folder);
  return {
    ...group,
    runGroup: inside.startsWith("..") ? group.runGroup : inside,
    agent: records[0]?.agent ?? null,
    graded: records.some(({ grade }) => grade !== null),
    trials: group.trials.map((state) => ({
      ...state,
      wallSeconds: state.trial?.measurements?.wallSeconds ?? null,
      score: scores.get(state.id) ?? null,
    })),
  };
}
