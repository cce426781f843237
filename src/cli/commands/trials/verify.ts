import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { briefVerificationLines, limitLines, verificationLines } from "../../../reporters/text/run.ts";
import { CANNOT_EXCLUDE } from "../../../trials/certificate/limits-of-proof.ts";
import { readFingerprint } from "../../../trials/certificate/signing.ts";
import { isAccepted, type Verification } from "../../../trials/certificate/verification.ts";
import { verifyGroup } from "../../../trials/certificate/verify-group.ts";
import { type VerifyOptions, verifyTrial } from "../../../trials/certificate/verify-trial.ts";
import { isAnnounced } from "../../../trials/group/announce.ts";
import { readGroup } from "../../../trials/group/folder.ts";
import { resolveGroup } from "../../../trials/group/resolve.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addDataOptions, type DataOptions } from "../../options.ts";
import { paint, print, printError, printJson } from "../../print.ts";
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
Says line by line what was recomputed here, what a signature attests, what is only declared and what is broken. It
needs no network and not the machine the trial ran on; with the prepared data at hand, grades are worked out again.
Exit code 1: something is broken, and the output names the file.

Examples:
  $ mlebench verify runs/2026-01-31T12-30-00-UTC_run-group_sample
  $ mlebench verify certificate.json --key their.pub --require-signature`,
      )
      .action(action(run));
  },
};

async function run(name: string, options: Options): Promise<ExitCode> {
  const trustedKey = options.key === undefined ? null : readFingerprint(options.key);
  if (options.key !== undefined && trustedKey === null) {
    printError(
      "NO_KEY",
      `${options.key} is not a public key.`,
      "it is the .pub file of mlebench keys create",
    );
    return 2;
  }
  const verifying = verify(name, options, {
    trustedKey,
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    known: new Map(),
  });
  if (verifying === null) return 2;
  const results = await verifying;
  const requireSignature = options.requireSignature === true;
  const announced = options.announcement === undefined ? [] : [checkAnnouncement(name, options)];
  if (options.json) {
    const cannotExclude = CANNOT_EXCLUDE;
    printJson({ schema: "mlebench/verification", version: 1, results, announced, cannotExclude });
  } else {
    const lines = options.brief ? briefVerificationLines : verificationLines;
    for (const result of results) for (const line of lines(result, paint)) print(line);
    for (const { found, what } of announced) print(`${found ? "announced" : "NOT ANNOUNCED"}: ${what}`);
    if (!options.brief) for (const line of limitLines()) print(line);
  }
  if (requireSignature)
    for (const { subject, verdict } of results)
      if (verdict !== "verified" && verdict !== "broken")
        printError("UNSIGNED", `${subject}: ${verdict}; not all of it is signed by one key.`);
  return isAccepted(results, { requireSignature }) && announced.every(({ found }) => found) ? 0 : 1;
}

/** Only a group has a plan. */
function checkAnnouncement(name: string, options: Options): { found: boolean; what: string } {
  const found = resolveGroup(name, runsFolder(options));
  const group = found.status === "found" ? readGroup(found.folder) : null;
  if (group === null) return { found: false, what: `"${name}" is not a run group` };
  return {
    found: isAnnounced(options.announcement!, group),
    what: `the plan of ${group.name}, in ${options.announcement}`,
  };
}

/** A certificate's file, a group, or a trial; null when it is unclear which, which has been said then. */
function verify(name: string, runs: RunsOptions, options: VerifyOptions): Promise<Verification[]> | null {
  const one = (file: string) => verifyTrial(file, options).then((result) => [result]);
  const group = resolveGroup(name, runsFolder(runs));
  if (group.status === "found") return verifyGroup(group.folder, options);
  if (fs.statSync(name, { throwIfNoEntry: false })?.isFile()) return one(path.resolve(name));
  if (fs.existsSync(path.join(name, "certificate.json"))) return one(path.resolve(name, "certificate.json"));
  const trial = trialFolder(name, runs);
  return trial === null ? null : one(path.join(trial, "certificate.json"));
}
