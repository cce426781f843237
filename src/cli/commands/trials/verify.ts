import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { briefVerificationLines, verificationLines } from "../../../reporters/text/run.ts";
import { readFingerprint } from "../../../trials/certificate/signing.ts";
import type { Verification } from "../../../trials/certificate/verification.ts";
import { verifyGroup } from "../../../trials/certificate/verify-group.ts";
import { type VerifyOptions, verifyTrial } from "../../../trials/certificate/verify-trial.ts";
import { findGroup, findTrial } from "../../../trials/group/folder.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addDataOptions, type DataOptions } from "../../options.ts";
import { paint, print, printError, printJson } from "../../print.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";

type Options = DataOptions &
  RunsOptions & { key?: string; requireSignature?: boolean; brief?: boolean; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addDataOptions(command))
      .argument("<trial, group or certificate>", "what to verify")
      .option("--key <file.pub>", "count only signatures of this key")
      .option("--require-signature", "fail on what is not signed")
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
    printError("NO_KEY", `${options.key} is no public key.`, "it is the .pub file of mlebench keys create");
    return 2;
  }
  const verifying = verify(name, runsFolder(options), {
    trustedKey,
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    known: new Map(),
  });
  if (verifying === null) {
    printError(
      "NOTHING_THERE",
      `"${name}" is no trial, run group or certificate.`,
      "list them: mlebench status",
    );
    return 2;
  }
  const results = await verifying;
  const unsigned = options.requireSignature ? results.filter(({ signedBy }) => signedBy === null) : [];
  if (options.json) printJson({ schema: "mlebench/verification", version: 1, results });
  else {
    const lines = options.brief ? briefVerificationLines : verificationLines;
    for (const result of results) for (const line of lines(result, paint)) print(line);
  }
  for (const { subject } of unsigned) printError("UNSIGNED", `${subject} is not signed.`);
  return unsigned.length > 0 || results.some(({ verdict }) => verdict === "broken") ? 1 : 0;
}

function verify(name: string, runsDir: string, options: VerifyOptions): Promise<Verification[]> | null {
  const one = (file: string) => verifyTrial(file, options).then((result) => [result]);
  const group = findGroup(name, runsDir);
  if (group !== null) return verifyGroup(group, options);
  if (fs.statSync(name, { throwIfNoEntry: false })?.isFile()) return one(path.resolve(name));
  const trial =
    findTrial(name, runsDir) ??
    (fs.existsSync(path.join(name, "certificate.json")) ? path.resolve(name) : null);
  return trial === null ? null : one(path.join(trial, "certificate.json"));
}
