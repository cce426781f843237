import path from "node:path";
import type { Command } from "commander";
import { catalogue } from "../../../competitions/catalogue.ts";
import { dataFolder } from "../../../data/place/data-folder.ts";
import { type ImportedCompetition, importOriginal } from "../../../data/place/import-original.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addDataOptions, type DataOptions } from "../../options.ts";
import { print, printError, printJson } from "../../print.ts";
import { defineHarborJob } from "../exchange/import-harbor-job.ts";

type Options = DataOptions & { force?: boolean; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addDataOptions(command)
      .argument("<checkout>", "your clone of the original benchmark, after git lfs pull")
      .option("--force", "replace texts that are there already")
      .option("--json", "print the result as JSON")
      .addHelpText(
        "after",
        `
Copies descriptions, leaderboards and lists of notebooks into the data folder,
where prepare and grade find them.
What is prepared already keeps its description.

Examples:
  $ mlebench import ~/mle-bench
  $ mlebench import harbor-job jobs/nightly`,
      )
      .action(action(run));
    defineHarborJob(command.command("harbor-job <folder>"));
  },
};

async function run(checkout: string, options: Options): Promise<ExitCode> {
  // The starter suite is ours: the original has nothing to say about it.
  const entries = (await catalogue(options.competitions)).filter(
    ({ complexity }) => complexity !== "starter",
  );
  const outcome = importOriginal({
    checkout: path.resolve(checkout),
    dataDir: dataFolder(options.dataDir),
    ids: entries.map(({ id }) => id),
    force: options.force === true,
  });
  if (outcome.status === "no-checkout") {
    printError("NO_CHECKOUT", outcome.message, outcome.nextStep);
    return 2;
  }
  if (options.json) printJson(outcome);
  else for (const line of importLines(outcome.competitions, outcome.unknown)) print(line);
  const imported = outcome.competitions.filter((competition) => competition.imported.length > 0);
  if (imported.length === 0) return 3;
  const incomplete = outcome.competitions.some(
    ({ missing, refused, kept }) => missing.length + refused.length + kept.length > 0,
  );
  return incomplete ? 1 : 0;
}

function importLines(competitions: readonly ImportedCompetition[], unknown: readonly string[]): string[] {
  const lines: string[] = [];
  for (const kind of ["description", "leaderboard", "notebooks"] as const) {
    const having = (list: "imported" | "kept" | "missing") =>
      competitions
        .filter((competition) => competition[list].includes(kind))
        .map(({ competitionId }) => competitionId);
    lines.push(
      `${kind}: ${having("imported").length} imported${named("missing", having("missing"))}${named("kept as they are, --force replaces them", having("kept"))}`,
    );
  }
  // A checkout without git lfs pull refuses every board for the same reason: said once, with how many.
  const refusals = new Map<string, string[]>();
  for (const { competitionId, refused } of competitions)
    for (const { kind, reason } of refused) {
      const what = `the ${kind} was not imported: ${reason}`;
      refusals.set(what, [...(refusals.get(what) ?? []), competitionId]);
    }
  for (const [what, ids] of refusals)
    lines.push(ids.length === 1 ? `${ids[0]}: ${what}` : `${ids.length} times ${what} (${few(ids)})`);
  if (unknown.length > 0) lines.push(`not in our catalogue: ${unknown.join(", ")}`);
  return lines;
}

function named(what: string, ids: readonly string[]): string {
  if (ids.length === 0) return "";
  return `; ${ids.length} ${what} (${few(ids)})`;
}

function few(ids: readonly string[]): string {
  return `${ids.slice(0, 5).join(", ")}${ids.length > 5 ? ", …" : ""}`;
}
