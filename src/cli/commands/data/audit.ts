import fs from "node:fs";
import type { Command } from "commander";
import { loadCompetition } from "../../../competitions/catalogue.ts";
import { nearestIds } from "../../../competitions/splits.ts";
import { auditInThread } from "../../../data/audit/audit-in-thread.ts";
import type { AuditReport } from "../../../data/audit/audit-schema.ts";
import { competitionFile, dataFolder } from "../../../data/place/data-folder.ts";
import { prepareCommand } from "../../../data/place/prepare-command.ts";
import { auditLines } from "../../../reporters/text/audit.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addDataOptions, addVersionOption, type DataOptions, type VersionOptions } from "../../options.ts";
import { paint, print, printError, printJson, printNote, showInPlace } from "../../print.ts";

type Options = DataOptions & VersionOptions & { competition: string[]; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addVersionOption(addDataOptions(command))
      .requiredOption("-c, --competition <id...>", "one or more competitions whose prepared data to scan")
      .option("--json", "print the report as JSON")
      .addHelpText(
        "after",
        `
Looks for leaks (answers in public tables, names, files and archives; a column
that tells the outcome; rows shared by train and test) and defects (sample
submission, undescribed test files, hollow archives, groups in both parts).
It leaves with 1 when it finds a leak or a defect; warnings alone are no
failure.

Example:
  $ mlebench audit -c random-acts-of-pizza -c spooky-author-identification`,
      )
      .action(action(run));
  },
};

async function run(options: Options): Promise<ExitCode> {
  const ids = [...new Set(options.competition)];
  const interrupted = new AbortController();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => interrupted.abort());
  const reports: AuditReport[] = [];
  const codes: ExitCode[] = [];
  for (const id of ids) {
    const scanned = await scan(id, options, interrupted.signal);
    if (scanned === 130) return 130;
    if (typeof scanned === "number") codes.push(scanned);
    else {
      reports.push(scanned);
      if (!options.json) for (const line of auditLines(scanned, paint)) print(line);
    }
  }
  if (options.json && ids.length > 1) printJson({ schema: "mlebench/audits", version: 1, reports });
  else if (options.json && reports.length > 0) printJson(reports[0]);
  if (reports.length === 0) return codes[0];
  return codes.length > 0 || reports.some(({ verdict }) => verdict === "findings") ? 1 : 0;
}

async function scan(id: string, options: Options, signal: AbortSignal): Promise<AuditReport | ExitCode> {
  const { competitionVersion } = options;
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
    printError(
      "NOT_PREPARED",
      `${id} has no public data in ${publicFolder}.`,
      `prepare it: ${prepareCommand([id], { version: competitionVersion, dataDir, competitionsDir: options.competitions })}`,
    );
    return 3;
  }
  const report = await auditInThread(
    { competitionId: id, competitionsDir: options.competitions, dataDir, competitionVersion },
    { signal, onProgress: showStep },
  );
  showStep("");
  if (report === null) {
    printNote("Interrupted; nothing was changed.");
    return 130;
  }
  return report;
}

/** The current step in place, on a terminal only: a scan of a large data set takes minutes. */
function showStep(step: string): void {
  if (process.stderr.isTTY) showInPlace(step);
}
