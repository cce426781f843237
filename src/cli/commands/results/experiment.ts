import path from "node:path";
import { type Command, Option } from "commander";
import { experimentReport } from "../../../analysis/experiment/report.ts";
import { makeFolder } from "../../../files/make-folder.ts";
import { experimentLines } from "../../../reporters/text/experiment.ts";
import { SandboxKind } from "../../../sandbox/kind.ts";
import {
  againstProblem,
  type Cell,
  cellsOf,
  competitionsOf,
  experimentProblem,
  inSandbox,
  runCell,
} from "../../../workflows/experiment/experiment.ts";
import { recordExperiment } from "../../../workflows/experiment/record.ts";
import { type Experiment, readExperiment } from "../../../workflows/experiment/schema.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { driveRun, showPlan } from "../../drive-group.ts";
import { addCompetitionsOption, addDataOptions, type DataOptions } from "../../options.ts";
import { pageWidth, paint, print, printError, printJson, printLines } from "../../print.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";

type Options = DataOptions & RunsOptions & { sandbox?: SandboxKind; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    const runs = command.command("run").description("run, or go on with, every cell and grade it");
    addRunsOption(addDataOptions(runs))
      .argument("<file.yaml>", "the experiment")
      .addOption(
        new Option("--sandbox <kind>", "where all agents run, whatever the file says").choices(
          SandboxKind.options,
        ),
      )
      .option("--json", "print events as JSON, one a line")
      .action(action(run));
    const reports = command.command("report").description("aggregate the cells and compare them");
    addRunsOption(addCompetitionsOption(reports))
      .argument("<file.yaml>", "the experiment")
      .option("--json", "print the report as JSON")
      .action(action(report));
    for (const one of [runs, reports]) one.exitOverride();
    command.addHelpText(
      "after",
      `
A file names agents, budgets and settings; every combination is a run group in
<runs>/<experiment>, over the same competitions and seeds. The report compares
the cells that differ in one thing alone. See docs/experiments.md.

Examples:
  $ mlebench experiment run four-against-twenty-four.yaml
  $ mlebench experiment report four-against-twenty-four.yaml --json`,
    );
  },
};

interface Prepared {
  experiment: Experiment;
  folder: string;
  ids: readonly string[];
  cells: Cell[];
}

function prepare(file: string, options: RunsOptions): Prepared | ExitCode {
  const read = readExperiment(file);
  if (!read.ok) return refuse("BAD_EXPERIMENT", read.message, "how to write one: docs/experiments.md");
  const { experiment } = read;
  const competitions = competitionsOf(experiment);
  if (!competitions.ok) return refuse("UNKNOWN_SPLIT", competitions.message, null);
  const folder = path.join(runsFolder(options), experiment.name);
  const { ids } = competitions;
  const cells = cellsOf(experiment, folder, ids);
  const problem = againstProblem(experiment.against, cells);
  if (problem !== null) return refuse("BAD_EXPERIMENT", problem, "write one of these names, or leave it out");
  return { experiment, folder, ids, cells };
}

async function run(file: string, options: Options): Promise<ExitCode> {
  const prepared = prepare(file, options);
  if (typeof prepared === "number") return prepared;
  const { experiment, folder, ids } = prepared;
  const cells = inSandbox(prepared.cells, options.sandbox);
  if ("code" in cells) return refuse(cells.code, cells.message, cells.nextStep);
  const problem = await experimentProblem(cells, ids, options.competitions);
  if (problem !== null) return refuse("BAD_EXPERIMENT", problem, "nothing was started");
  makeFolder(folder);
  const unlike = recordExperiment(folder, experiment.name, cells);
  if (unlike !== null) return refuse(unlike.code, unlike.message, unlike.nextStep);
  const places = { runsDir: folder, dataDir: options.dataDir, competitionsDir: options.competitions };
  let worst: ExitCode = 0;
  for (const cell of cells) {
    const code = await driveCell(cell, places, options.json === true);
    if (code > 1) return code;
    if (code > worst) worst = code;
  }
  if (!options.json) print(`see the result: mlebench experiment report ${file}`);
  return worst;
}

async function driveCell(
  cell: Cell,
  places: Parameters<typeof runCell>[1],
  json: boolean,
): Promise<ExitCode> {
  let ungraded: string | null = null;
  const code = await driveRun(
    async ({ onEvent, ...control }) => {
      const ran = await runCell(cell, places, {
        ...control,
        onEvent(event) {
          showPlan(event, []);
          onEvent?.(event);
        },
      });
      if (ran.status === "ungraded") ungraded = ran.message;
      return ran.status === "ran" ? ran.outcome : null;
    },
    { json },
  );
  if (ungraded === null) return code;
  printError("NOT_GRADED", `${cell.name}: ${ungraded}`);
  return 1;
}

async function report(file: string, options: Options): Promise<ExitCode> {
  const prepared = prepare(file, options);
  if (typeof prepared === "number") return prepared;
  const { experiment, ids, cells } = prepared;
  const result = await experimentReport(experiment.name, cells, ids, {
    competitionsDir: options.competitions,
    against: experiment.against,
  });
  if (options.json) printJson(result);
  else printLines(experimentLines(result, paint, pageWidth()));
  if (result.cells.length === 0)
    return refuse("NO_RESULTS", "No cell has a grading report.", `mlebench experiment run ${file}`, 3);
  return result.missing.length > 0 ? 1 : 0;
}

function refuse(code: string, message: string, nextStep: string | null, exitCode: ExitCode = 2): ExitCode {
  printError(code, message, nextStep);
  return exitCode;
}
