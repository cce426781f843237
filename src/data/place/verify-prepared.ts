import type { PrepareJob } from "../prepare/competition.ts";
import type { PrepareFailure } from "../prepare/outcome.ts";
import type { Verification } from "../prepare/state.ts";
import { bytesToVerify, type FileCheck, verifyChecksums } from "./verify-checksums.ts";

/**
 * Compares a result with the checksums that apply to it and adds the checks to the outcome. A difference is a failure
 * that says what differs. Data that cannot be compared, because constants were changed, is not.
 */
export async function verifyPrepared(
  job: PrepareJob,
  folder: string,
  earlier: string | null,
): Promise<Verification | PrepareFailure> {
  const { options, context, settings, checksums, common, progress } = job;
  // The checksums are about to be taken from this very result.
  if (options.overwriteChecksums) return "matches-own";
  if (options.skipVerification) return "skipped";
  if (Object.keys(settings).length > 0 || checksums.status === "none") return "not-comparable";
  if (checksums.status === "malformed") return malformed(checksums.file);
  const total = bytesToVerify(checksums.checksums, folder);
  let done = 0;
  const checks = await verifyChecksums({
    checksums: checksums.checksums,
    prepared: folder,
    earlier,
    signal: context.signal,
    onBytes: (bytes) => {
      done += bytes;
      progress({ stage: "verify", what: "", done, total, unit: "bytes" });
    },
  });
  common.checks.push(...checks);
  for (const { file, status, explanation } of checks)
    if (status === "other-library") common.warnings.push(`${file}: ${explanation.join(" ")}`);
  const wrong = checks.filter(({ status }) => status === "different" || status === "missing");
  if (wrong.length > 0) return differing(job, wrong, checks.length, checksums.whose);
  return checksums.whose === "own" ? "matches-own" : "matches";
}

function differing(
  { options, paths }: PrepareJob,
  wrong: FileCheck[],
  all: number,
  whose: "original" | "own",
): PrepareFailure {
  const names = wrong.map(({ file, status }) => (status === "missing" ? `${file} (missing)` : file));
  const shown = names.length > 5 ? `${names.slice(0, 5).join(", ")}, …` : names.join(", ");
  const reference = whose === "own" ? `the checksums in ${paths.ownChecksums}` : "the original's checksums";
  return {
    stage: "verify",
    code: "CHECKSUMS_DIFFER",
    message: `${wrong.length} of ${all} files do not have ${reference}: ${shown}.`,
    nextStep:
      `Scores on other data cannot be compared. The result lies in ${paths.differing}; check the raw data. To use it all the same: ` +
      `mlebench prepare -c ${options.competitionId} --skip-verification, or --overwrite-checksums to make it your own reference.`,
    blame: "task",
    retryable: false,
  };
}

function malformed(file: string): PrepareFailure {
  return {
    stage: "verify",
    code: "BAD_CHECKSUMS",
    message: `${file} is not a checksums file of ours.`,
    nextStep: "Delete it to use the original's checksums, or write it anew with --overwrite-checksums.",
    blame: "user",
    retryable: false,
  };
}
