import type { Command } from "commander";
import { deviationsOfPlaces } from "../../../analysis/aggregate/group-insights.ts";
import { arrangePair } from "../../../analysis/compare/arrange.ts";
import { compare, directionsOf } from "../../../analysis/compare/compare.ts";
import { groupReport, readReports } from "../../../analysis/reports.ts";
import { withPercentiles } from "../../../analysis/statistics/percentiles.ts";
import { catalogue } from "../../../competitions/catalogue.ts";
import { resolveSplit, SPLIT_NAMES } from "../../../competitions/splits.ts";
import { compareLines } from "../../../reporters/text/compare.ts";
import { deviationText } from "../../../reporters/text/insights.ts";
import { readGroup } from "../../../trials/group/folder.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { paint, printError, printJson, printLines } from "../../print.ts";

interface Options {
  split?: string;
  padMissing?: boolean;
  names?: string[];
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    command
      .argument("<A>", "grading reports or run groups of the first agent, separated by commas")
      .argument("<B>", "those of the second")
      .option("--split <name>", `compare over these only: ${SPLIT_NAMES.join(", ")}, or a text file of ids`)
      .option("--pad-missing", "compare although competitions of the split have no run on one side")
      .option("--names <names...>", "what to call the two")
      .option("--json", "print the comparison as JSON")
      .addHelpText(
        "after",
        `
Pairs the two agents by competition and seed. Without --split, all competitions that both have are compared.
Missing runs are counted in the first line and are in no test; what the difference would be if they counted as failed
is shown beside it. Competitions without a board are compared by score.

Example:
  $ mlebench compare runs/a1,runs/a2,runs/a3 runs/b1,runs/b2,runs/b3 --split lite`,
      )
      .action(action(run));
  },
};

async function run(a: string, b: string, options: Options): Promise<ExitCode> {
  const sides = [readSide(a), readSide(b)];
  const problem = sides.find((side) => typeof side === "string");
  if (problem) return refuse(problem as string);
  const [left, right] = await Promise.all((sides as Reports[]).map((reports) => withPercentiles(reports)));
  const competitions = options.split
    ? resolveSplit(options.split)
    : { ok: true as const, ids: shared(left, right) };
  if (!competitions.ok) return refuse(competitions.message);
  if (competitions.ids.length === 0) return refuse("The two have no competition in common.");
  const arranged = arrangePair(left, right, competitions.ids, options.padMissing ?? false);
  if (!arranged.ok) return refuse(arranged.message);
  const result = compare(arranged.a, arranged.b, directionsOf(await catalogue()));
  const [nameA, nameB] = namesOf(a, b, options.names);
  const deviations = {
    a: deviationsOfPlaces(a.split(","), result.seeds),
    b: deviationsOfPlaces(b.split(","), result.seeds),
  };
  if (options.json) printJson({ ...result, deviations });
  else
    printLines([
      ...compareLines(result, { a: nameA, b: nameB }, paint),
      "",
      `${nameA}: ${deviationText(deviations.a)}`,
      `${nameB}: ${deviationText(deviations.b)}`,
    ]);
  return 0;
}

/** The agents' own, unless both are the same agent's or somebody knows better. */
function namesOf(a: string, b: string, given: string[] = []): [string, string] {
  const [first, second] = [a, b].map((side) => {
    const agents = new Set(side.split(",").map((place) => readGroup(place)?.settings.agentId ?? null));
    return agents.size === 1 ? [...agents][0] : null;
  });
  const own = first !== null && second !== null && first !== second ? [first, second] : ["A", "B"];
  return [given[0] ?? own[0], given[1] ?? own[1]];
}

function readSide(list: string) {
  const files: string[] = [];
  for (const entry of list.split(",")) {
    if (entry.endsWith(".json")) files.push(entry);
    else {
      const found = groupReport(entry);
      if (!found.ok) return found.message;
      files.push(found.file);
    }
  }
  const read = readReports(files);
  return read.ok ? read.reports : read.message;
}

type Reports = Exclude<ReturnType<typeof readSide>, string>;

function shared(a: Reports, b: Reports): string[] {
  const ids = (reports: Reports) =>
    new Set(reports.flatMap(({ runs }) => runs.map((run) => run.competition_id)));
  const right = ids(b);
  return [...ids(a)].filter((id) => right.has(id)).sort();
}

function refuse(message: string): ExitCode {
  printError("NOT_COMPARED", message, "see: mlebench compare --help");
  return 2;
}
