import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { briefVerificationLines, limitLines, verificationLines } from "../../../reporters/text/run.ts";
import { CANNOT_EXCLUDE } from "../../../trials/certificate/limits-of-proof.ts";
import { resolveGroup } from "../../../trials/group/resolve.ts";
import { verifyRun } from "../../../workflows/run/verify.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addDataOptions, type DataOptions } from "../../options.ts";
import { paint, printError, printJson, printLines } from "../../print.ts";
import { trialFolder } from "../../resolve.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";

type Options = DataOptions &
  RunsOptions & {
    key?: string;
    requireSignature?: boolean;
    announcement?: string;
    brief?: boolean;
    json?: boolean;
  };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addDataOptions(command))
      .argument("<trial, group or certificate>", "what to verify")
      .option("--key <file.pub>", "count only signatures of this key")
      .option("--require-signature", "fail unless one key signed the record, the grade and the group")
      .option("--announcement <file>", "fail unless the group's plan is announced in it (run --announce)")
      .option("--brief", "one line for each trial, unless something is broken")
      .option("--json", "print the result as JSON")
      .addHelpText(
        "after",
        `
Says line by line what was recomputed here, what a signature attests, what is
only declared and what is broken. It needs no network and not the machine the
trial ran on; with the prepared data at hand, grades are worked out again.
Exit code 1: something is broken, and the output names the file.

Examples:
  $ mlebench verify runs/2026-01-31T12-30-00-UTC_run-group_sample
  $ mlebench verify certificate.json --key their.pub --require-signature`,
      )
      .action(action(run));
  },
};

async function run(name: string, options: Options): Promise<ExitCode> {
  const place = placeOf(name, options);
  if (place === null) return 2;
  const { key, announcement, dataDir, competitions: competitionsDir, requireSignature = false } = options;
  const outcome = await verifyRun({ place, key, announcement, dataDir, competitionsDir, requireSignature });
  if (outcome.status === "refused") {
    const { code, message, nextStep } = outcome.problem;
    printError(code, message, nextStep);
    return 2;
  }
  const { results, announced, accepted } = outcome;
  if (options.json) {
    const cannotExclude = CANNOT_EXCLUDE;
    printJson({ schema: "mlebench/verification", version: 1, results, announced, cannotExclude });
  } else {
    const lines = options.brief ? briefVerificationLines : verificationLines;
    for (const result of results) printLines(lines(result, paint));
    printLines(announced.map(({ found, what }) => `${found ? "announced" : "NOT ANNOUNCED"}: ${what}`));
    if (!options.brief) printLines(limitLines());
  }
  if (requireSignature)
    for (const { subject, verdict } of results)
      if (verdict !== "verified" && verdict !== "broken")
        printError("UNSIGNED", `${subject}: ${verdict}; not all of it is signed by one key.`);
  return accepted ? 0 : 1;
}

/** A group, a certificate's file, or a trial; null when it is unclear which, which has been said then. */
function placeOf(name: string, runs: RunsOptions): string | null {
  const group = resolveGroup(name, runsFolder(runs), { foreign: true });
  if (group.status === "found") return group.folder;
  const isCertified = fs.existsSync(path.join(name, "certificate.json"));
  const isFile = fs.statSync(name, { throwIfNoEntry: false })?.isFile() === true;
  return isFile || isCertified ? name : trialFolder(name, runs, { foreign: true });
}
