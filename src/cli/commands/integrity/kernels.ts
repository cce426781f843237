import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { catalogue } from "../../../competitions/catalogue.ts";
import { isProblem } from "../../../data/kaggle/backoff.ts";
import { dataFolder } from "../../../data/place/data-folder.ts";
import { connectToKaggle } from "../../../data/prepare/kaggle-access.ts";
import { downloadKernels, type KernelDownload } from "../../../integrity/kernels/download.ts";
import { importKernels } from "../../../integrity/kernels/import.ts";
import { plural } from "../../../wording/counts.ts";
import { addChoiceOptions, type ChoiceOptions, chosenIds } from "../../choose-competitions.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { addDataOptions, type DataOptions, parseCount } from "../../options.ts";
import { print, printError, printJson, printNote } from "../../print.ts";

type ImportOptions = DataOptions & { competition?: string; json?: boolean };
type DownloadOptions = DataOptions & ChoiceOptions & { maxKernels: number; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    const imported = command.command("import").description("take over notebooks that you have");
    addDataOptions(imported)
      .argument("<folder>", "one folder for each competition, or with -c the notebooks themselves")
      .option("-c, --competition <id>", "all of them are of this competition")
      .option("--json", "print the result as JSON")
      .addHelpText(
        "after",
        `
Examples:
  $ mlebench kernels import ~/mle-bench
  $ mlebench kernels import notebooks -c spooky-author-identification`,
      )
      .action(action(take));
    const downloaded = command
      .command("download")
      .description("get the notebooks with the most votes from Kaggle");
    addDataOptions(addChoiceOptions(downloaded))
      .option("--max-kernels <n>", "how many of each competition", parseCount, 50)
      .option("--json", "print the result as JSON")
      .addHelpText(
        "after",
        `
Examples:
  $ mlebench kernels download -c spooky-author-identification --max-kernels 20
  $ mlebench kernels download --split lite`,
      )
      .action(action(download));
    for (const one of [imported, downloaded]) one.exitOverride();
    command.addHelpText(
      "after",
      `
They lie in <data>/<competition>/kernels as author_slug.ipynb, .py or .r, where
mlebench plagiarism finds them.

Examples:
  $ mlebench kernels import ~/mle-bench
  $ mlebench kernels import notebooks -c spooky-author-identification
  $ mlebench kernels download --split lite`,
    );
  },
};

async function take(folder: string, options: ImportOptions): Promise<ExitCode> {
  const { competition, json } = options;
  const ids = (await catalogue(options.competitions)).map(({ id }) => id);
  if (!fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory())
    return fail("NO_FOLDER", `${folder} is not a folder.`, 2);
  if (competition !== undefined && !ids.includes(competition))
    return fail("UNKNOWN_COMPETITION", `There is no competition "${competition}".`, 2);
  const dataDir = dataFolder(options.dataDir);
  const done = importKernels({ from: path.resolve(folder), dataDir, ids, competitionId: competition });
  const total = done.reduce((sum, { imported }) => sum + imported, 0);
  if (json) printJson({ schema: "mlebench/kernels", version: 1, competitions: done });
  else
    for (const { competitionId, imported, skipped } of done)
      print(
        `${competitionId}: ${plural(imported, "kernel")}${skipped > 0 ? `, ${skipped} files left out` : ""}`,
      );
  return total > 0 ? 0 : fail("NO_KERNELS", `${folder} has no notebook or script of a competition.`, 3);
}

async function download(options: DownloadOptions): Promise<ExitCode> {
  const chosen = chosenIds(options);
  if ("message" in chosen) return fail("NO_COMPETITION", chosen.message, 2);
  const client = connectToKaggle(printNote);
  if (isProblem(client)) {
    printError(client.code, client.message);
    return 3;
  }
  const dataDir = dataFolder(options.dataDir);
  const signal = interruption();
  const results: KernelDownload[] = [];
  for (const id of chosen.ids) {
    const result = await downloadKernels(client, { id, dataDir, count: options.maxKernels }, signal);
    if (signal.aborted) return 130;
    results.push(result);
    if (result.status === "refused") printError(result.problem.code, result.problem.message);
    else if (!options.json)
      print(
        `${id}: ${plural(result.imported, "kernel")}${result.failed.length > 0 ? `, ${result.failed.length} could not be had` : ""}`,
      );
  }
  if (options.json) printJson({ schema: "mlebench/kernels", version: 1, competitions: results });
  const got = results.filter((one) => one.status === "downloaded" && one.imported > 0).length;
  return got === 0 ? 3 : got < results.length ? 1 : 0;
}

function fail(code: string, message: string, exit: ExitCode): ExitCode {
  printError(code, message, "see: mlebench kernels --help");
  return exit;
}
