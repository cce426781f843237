import type { Command } from "commander";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { repositoryMapPage } from "../../../reporters/html/repository-map.ts";
import { initialContext } from "../../../repositories/map/initial-context.ts";
import { mapRecord } from "../../../repositories/map/map-record.ts";
import { action, type ExitCode } from "../../command.ts";
import { parseCount } from "../../options.ts";
import { print, printJson, printNote, writeOut } from "../../print.ts";
import { openMap } from "./open-map.ts";

export function defineMap(command: Command): void {
  command
    .command("map <folder>")
    .description("show what a repository consists of, the most important first; nothing of it is run")
    .option("--tokens <n>", "how much to show; never exceeded", parseCount, 8000)
    .option("--json", "print everything as JSON: modules, imports, calls, ranking")
    .option("--html <file>", "write it as a page")
    .exitOverride()
    .addHelpText(
      "after",
      "\nExamples:\n  $ mlebench repo map ~/code/project\n  $ mlebench repo map . --html map.html",
    )
    .action(action(run));
}

async function run(
  folder: string,
  options: { tokens: number; json?: boolean; html?: string },
): Promise<ExitCode> {
  const map = await openMap(folder);
  if (typeof map === "number") return map;
  if (options.html !== undefined) {
    writeFileAtomically(options.html, repositoryMapPage(mapRecord(map, options.tokens)));
    if (!options.json) print(`wrote ${options.html}`);
  }
  if (options.json) printJson(mapRecord(map, options.tokens));
  else if (options.html === undefined) {
    writeOut(initialContext(map, options.tokens).text);
    const left = map.leftOut.length + map.skipped.length;
    if (left > 0) printNote(`${left} files were left out; --json says which and why`);
  }
  return 0;
}
