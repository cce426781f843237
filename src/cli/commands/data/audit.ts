import fs from "node:fs";
import type { Command } from "commander";
import { loadCompetition } from "../../../competitions/catalogue.ts";
import { nearestIds } from "../../../competitions/splits.ts";
import { auditInThread } from "../../../data/audit/audit-in-thread.ts";
import { competitionFile, dataFolder } from "../../../data/place/data-folder.ts";
import { auditLines } from "../../../reporters/text/audit.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addDataOptions, addVersionOption, type DataOptions, type VersionOptions } from "../../options.ts";
import { paint, print, printError, printJson } from "../../print.ts";

type Options = DataOptions & VersionOptions & { competition: string; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addVersionOption(addDataOptions(command))
      .requiredOption("-c, --competition <id>", "the competition whose prepared data to scan")
      .option("--json", "print the report as JSON")
      .addHelpText(
        "after",
        `
Looks for leaks (answers in public tables, names, files and archives; a column that tells the outcome; rows shared
by train and test) and defects (sample submission, undescribed test files, hollow archives, groups in both parts).
It leaves with 1 when it finds a leak or a defect; warnings alone are no failure.

Example:
  $ mlebench audit -c random-acts-of-pizza`,
      )
      .action(action(run));
  },
};

async function run(options: Options): Promise<ExitCode> {
  const { competition: id, competitionVersion } = options;
  const competition = await loadCompetition(id, options.competitions);
  if (!competition) {
    const nearest = nearestIds(id);
    const hint = nearest.length > 0 ? `did you mean: ${nearest.join(", ")}` : "list them all: mlebench list";
    printError("UNKNOWN_COMPETITION", `There is no competition "${id}".`, hint);
    return 2;
  }
  const dataDir = dataFolder(options.dataDir);
  const publicFolder = competitionFile(dataDir, id, "prepared/public", competitionVersion);
  if (!fs.existsSync(publicFolder)) {
    const version = competitionVersion === "v1" ? "" : ` --competition-version ${competitionVersion}`;
    printError(
      "NOT_PREPARED",
      `${id} has no public data in ${publicFolder}.`,
      `prepare it: mlebench prepare -c ${id}${version}`,
    );
    return 3;
  }
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
  const report = await auditInThread(
    { competitionId: id, competitionsDir: options.competitions, dataDir, competitionVersion },
    { signal: interrupted.signal, onProgress: showStep },
  );
  showStep("");
  if (report === null) {
    process.stderr.write("Interrupted; nothing was changed.\n");
    return 130;
  }
  if (options.json) printJson(report);
  else for (const line of auditLines(report, paint)) print(line);
  return report.verdict === "findings" ? 1 : 0;
}

/** The current step in place, on a terminal only: a scan of a large data set takes minutes. */
function showStep(step: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[2K${step}`);
}
