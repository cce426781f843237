import fs from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { referenceOf, writeOwnChecksums } from "../place/checksums-schema.ts";
import { canRun } from "../place/data-folder.ts";
import { computeChecksums } from "../place/verify-checksums.ts";
import { verifyPrepared } from "../place/verify-prepared.ts";
import { isOfficial, type PrepareJob } from "./competition.ts";
import type { PrepareOutcome } from "./outcome.ts";
import { changedSince, readPrepared, recordPrepared, topLevelSizes, type Verification } from "./state.ts";

/**
 * The outcome when the data are there already, or null when they have to be prepared (anew). Our own record makes
 * this a matter of file sizes; data that the original has prepared are compared with the checksums once, then recorded.
 */
export async function findPrepared(job: PrepareJob): Promise<PrepareOutcome | null> {
  const { options, context, loaded, paths, settings, common, checksums } = job;
  const { competitionVersion: version } = options;
  if (!canRun(options.dataDir, loaded.competition, version)) return null;
  const record = readPrepared(paths.state, version);
  if (record !== null) {
    if (!isDeepStrictEqual(record.settings, settings)) {
      context.onNote("The data there were prepared with other settings; they are to be replaced.");
      return null;
    }
    const change = changedSince(paths.prepared, record);
    if (change !== null) {
      context.onNote(`The data there were changed (${change}); they are prepared anew.`);
      return null;
    }
    if (record.origin === "prepared" && isOutdated(record.reference, referenceOf(checksums))) {
      context.onNote("The task has changed since its data were prepared; they are prepared anew.");
      return null;
    }
    common.warnings.push(...record.warnings);
    if (!options.overwriteChecksums) return outcome(job, record.verification);
  } else if (Object.keys(settings).length > 0) return null;
  return checkFound(job);
}

function isOutdated(then: string | undefined, now: string | undefined): boolean {
  return then !== undefined && now !== undefined && then !== now;
}

async function checkFound(job: PrepareJob): Promise<PrepareOutcome> {
  const { options, context, paths, settings, common } = job;
  const checked = await verifyPrepared(job, paths.prepared, null);
  const verification = typeof checked === "string" ? checked : "differs";
  if (options.overwriteChecksums)
    writeOwnChecksums(paths.ownChecksums, await computeChecksums(paths.prepared, context.signal));
  if (verification === "differs")
    common.warnings.push(
      `What is there was not prepared by this command and does not have the expected checksums; to prepare it anew, delete ${paths.prepared} first.`,
    );
  // Without a comparison there is nothing worth remembering: the next run may want to compare.
  if (verification !== "skipped" && fs.existsSync(paths.prepared)) {
    recordPrepared(paths.state, options.competitionVersion, {
      preparedAt: new Date().toISOString(),
      origin: "found",
      settings,
      verification,
      warnings: [...common.warnings],
      sizes: topLevelSizes(paths.prepared),
    });
  }
  return outcome(job, verification);
}

function outcome(job: PrepareJob, verification: Verification): PrepareOutcome {
  const { common, paths } = job;
  return {
    ...common,
    status: "already-prepared",
    folder: paths.prepared,
    verification,
    official: isOfficial(job, verification),
  };
}
