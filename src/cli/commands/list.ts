import type { Command } from "commander";
import { type CatalogueEntry, catalogue } from "../../competitions/catalogue.ts";
import { resolveSplit, SPLIT_NAMES } from "../../competitions/splits.ts";
import { canGrade, dataFolder } from "../../data/place/data-folder.ts";
import { fittedTable } from "../../reporters/text/table.ts";
import { plural } from "../../wording/counts.ts";
import { action, type CliCommand, type ExitCode } from "../command.ts";
import { addDataOptions, type DataOptions } from "../options.ts";
import { pageWidth, paint, printError, printJson, printLines } from "../print.ts";

type Options = DataOptions & { split?: string; category?: string; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addDataOptions(command)
      .option("--split <name>", `only these: ${SPLIT_NAMES.join(", ")}, or a text file of ids`)
      .option("--category <text>", "only categories that contain this text")
      .option("--json", "print the list as JSON")
      .addHelpText(
        "after",
        `
Examples:
  $ mlebench list --split lite
  $ mlebench list --category audio --json`,
      )
      .action(action(run));
  },
};

async function run(options: Options): Promise<ExitCode> {
  const broken: string[] = [];
  let entries = await catalogue(options.competitions, (message) => broken.push(message));
  if (options.split !== undefined) {
    const split = resolveSplit(options.split);
    if (!split.ok) {
      printError("UNKNOWN_SPLIT", split.message);
      return 2;
    }
    const wanted = new Set(split.ids);
    entries = entries.filter(({ id }) => wanted.has(id));
  }
  const { category } = options;
  if (category)
    entries = entries.filter((entry) => entry.category.toLowerCase().includes(category.toLowerCase()));
  const dataDir = dataFolder(options.dataDir);
  const listed = entries.map((entry) => ({ ...entry, prepared: canGrade(dataDir, entry) }));
  if (options.json) printJson(listed);
  else {
    printLines([
      ...listLines(listed),
      `${plural(listed.length, "competition")}, ${listed.filter(({ prepared }) => prepared).length} prepared in ${dataDir}`,
    ]);
  }
  for (const message of broken)
    printError("BAD_COMPETITION", message, "how to write one: docs/add-a-competition.md");
  return broken.length > 0 ? 1 : 0;
}

function listLines(entries: readonly (CatalogueEntry & { prepared: boolean })[]): string[] {
  const header = ["competition", "category", "complexity", "GB", "metric", "", ""].map((title) =>
    paint("dim", title),
  );
  const rows = entries.map(({ id, category, complexity, dataSizeGB, metric, prepared, errata }) => [
    id,
    category,
    complexity,
    dataSizeGB === null ? "?" : String(dataSizeGB),
    `${metric.name} ${metric.direction === "maximize" ? "↑" : "↓"}`,
    prepared ? paint("green", "prepared") : "",
    errata > 0 ? paint("yellow", "errata") : "",
  ]);
  return fittedTable([header, ...rows], { right: [3], width: pageWidth(), drop: [4, 1, 2, 6] });
}
