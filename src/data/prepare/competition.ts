import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { type LoadedCompetition, loadCompetition } from "../../competitions/catalogue.ts";
import { type CompetitionVersion, hasCorrectedData } from "../../competitions/competition.ts";
import { loadPreparer } from "../../competitions/load-preparer.ts";
import type { Preparer, Settings } from "../../competitions/preparer.ts";
import { runPreparer } from "../../competitions/preparing/run-preparer.ts";
import { nearestIds } from "../../competitions/splits.ts";
import { flush, flushFolder } from "../../files/flush-folder.ts";
import { keepLockAlive, releaseOwnLock, waitForLock } from "../../files/lock-file.ts";
import { isBadCompetition } from "../../wording/bad-competition.ts";
import type { KaggleClient } from "../kaggle/client.ts";
import { dataPage } from "../kaggle/competition-address.ts";
import { downloadLeaderboard } from "../kaggle/leaderboard.ts";
import {
  type ReadChecksums,
  readChecksums,
  referenceOf,
  writeOwnChecksums,
} from "../place/checksums-schema.ts";
import { type CompetitionPaths, competitionPaths } from "../place/competition-paths.ts";
import { placeDescription } from "../place/description.ts";
import { computeChecksums } from "../place/verify-checksums.ts";
import { verifyPrepared } from "../place/verify-prepared.ts";
import { findPrepared } from "./already-prepared.ts";
import { auditAfterPrepare } from "./audit-after-prepare.ts";
import { preparerFailure, systemFailure } from "./failure.ts";
import { connectToKaggle } from "./kaggle-access.ts";
import type { PrepareFailure, PrepareOutcome } from "./outcome.ts";
import { createProgressMeter, type PrepareProgress } from "./progress.ts";
import { discardRaw, obtainRaw } from "./raw-data.ts";
import { recordPrepared, topLevelSizes, type Verification } from "./state.ts";

export interface PrepareOptions {
  competitionId: string;
  competitionVersion: CompetitionVersion;
  /** The data folder itself. */
  dataDir: string;
  competitionsDir?: string | undefined;
  /** A folder or an archive with the raw data; without it the data folder and then Kaggle are asked. */
  raw?: string | undefined;
  /** Replacements of the preparer's constants. They are recorded, and what comes out is never official. */
  settings?: Settings | undefined;
  keepRaw?: boolean | undefined;
  skipVerification?: boolean | undefined;
  /** Make what comes out the user's own reference. */
  overwriteChecksums?: boolean | undefined;
  /** Also fetch the full human leaderboard, in place of one that is there. */
  overwriteLeaderboard?: boolean | undefined;
}

/** What a run of `prepareCompetition` needs besides options, and what a worker cannot be sent. */
export interface PrepareContext {
  signal: AbortSignal;
  onProgress: (progress: PrepareProgress) => void;
  onNote: (message: string) => void;
  client?: KaggleClient | undefined;
  /** Another thread of this process shows that it lives: this one computes for minutes. */
  beaten?: boolean;
}

type Common = Pick<
  PrepareOutcome,
  "competitionId" | "competitionVersion" | "settings" | "warnings" | "checks"
>;

/** One preparation on its way: what its steps share. */
export interface PrepareJob {
  options: PrepareOptions;
  context: PrepareContext;
  loaded: LoadedCompetition;
  preparer: Preparer;
  paths: CompetitionPaths;
  settings: Settings;
  checksums: ReadChecksums;
  common: Common;
  progress: ReturnType<typeof createProgressMeter>;
}

/**
 * Prepares one competition: raw data in, `<data>/<id>/prepared` out. Everything is built in `prepared.partial` and
 * renamed when it is complete and verified, so that a kill at any moment leaves nothing that counts as prepared.
 * Whatever goes wrong is an outcome; only a bug throws.
 */
export async function prepareCompetition(
  options: PrepareOptions,
  context: PrepareContext,
): Promise<PrepareOutcome> {
  const { competitionId, competitionVersion, dataDir } = options;
  const settings = options.settings ?? {};
  const common: Common = { competitionId, competitionVersion, settings, warnings: [], checks: [] };
  const found = await findCompetition(options).catch(brokenFile);
  if ("code" in found) return { ...common, status: "failed", ...found };
  const paths = competitionPaths(dataDir, competitionId, competitionVersion);
  const checksums = readChecksums(paths.ownChecksums, found.loaded.folder, {
    original: competitionVersion === "v1",
  });
  const progress = createProgressMeter((step) =>
    context.onProgress({ competitionId, competitionVersion, ...step }),
  );
  const job: PrepareJob = { options, context, ...found, paths, settings, checksums, common, progress };
  try {
    const { signal, onNote, beaten } = context;
    const lock = await waitForLock(paths.lock, "prepare-lock", {
      beats: beaten ? "by another thread" : false,
      signal,
      onWatch: (owner, seconds) =>
        onNote(`${owner} holds the lock; watching for a sign of life, for ${seconds} s at most`),
    });
    if (lock.status === "busy") return { ...common, status: "failed", ...busy(lock.owner, paths.lock) };
    try {
      clearLeftovers(paths);
      const ready = await findPrepared(job);
      const outcome = ready ?? (await prepareAnew(job));
      if (ready !== null && options.raw !== undefined) ready.warnings.push(unusedRaw(options.raw, paths));
      if (options.overwriteLeaderboard && "folder" in outcome) await fetchLeaderboard(job);
      return outcome;
    } catch (error) {
      if (context.signal.aborted) return { ...common, status: "interrupted" };
      throw error;
    } finally {
      if (lock.isMine()) clearLeftovers(paths);
      lock.release();
    }
  } catch (error) {
    const failure = systemFailure(error);
    if (failure === null) throw error;
    return { ...common, status: "failed", ...failure };
  }
}

async function findCompetition(
  options: PrepareOptions,
): Promise<{ loaded: LoadedCompetition; preparer: Preparer } | PrepareFailure> {
  const { competitionId: id, competitionVersion } = options;
  const loaded = await loadCompetition(id, options.competitionsDir);
  const start = { stage: "start", blame: "user", retryable: false } as const;
  if (!loaded) {
    const nearest = nearestIds(id);
    const nextStep =
      nearest.length > 0 ? `Did you mean: ${nearest.join(", ")}` : "List them all: mlebench list";
    return { ...start, code: "UNKNOWN_COMPETITION", message: `There is no competition "${id}".`, nextStep };
  }
  const preparer = await loadPreparer(loaded);
  if (!preparer) {
    const nextStep = "Add a prepare.mjs to its folder, or put its data in place yourself.";
    return { ...start, code: "NO_PREPARER", message: `${id} has no preparer.`, nextStep };
  }
  if (competitionVersion === "v2" && !preparer.prepareV2) {
    const corrected = loaded.competition.versions?.v2 !== undefined && !hasCorrectedData(loaded.competition);
    const nextStep = corrected
      ? `Its version v2 corrects the grader alone and uses the data of v1: mlebench prepare -c ${id}`
      : `Prepare version v1: mlebench prepare -c ${id}`;
    return { ...start, code: "NO_SUCH_VERSION", message: `The data of ${id} have no version v2.`, nextStep };
  }
  return { loaded, preparer };
}

/** A file that the user wrote: it must not take the rest of a batch with it. */
function brokenFile(error: unknown): PrepareFailure {
  if (!isBadCompetition(error)) throw error;
  return {
    stage: "start",
    code: "BAD_COMPETITION",
    message: `${error.message}.`,
    nextStep: "How to write one: docs/add-a-competition.md",
    blame: "user",
    retryable: false,
  };
}

function unusedRaw(raw: string, { prepared }: CompetitionPaths): string {
  return `The data are prepared already, so ${raw} was not used; to prepare them anew, delete ${prepared} first.`;
}

function busy(owner: string, lock: string): PrepareFailure {
  return {
    stage: "start",
    code: "BEING_PREPARED",
    message: `It is being prepared by ${owner}.`,
    nextStep: `Wait for it to finish; if that process is gone, delete ${lock}`,
    blame: "user",
    retryable: true,
  };
}

/** The board is an extra: without it the package's own figures are used, so a failure is a warning. */
async function fetchLeaderboard({ options, context, common }: PrepareJob): Promise<void> {
  const client = context.client ?? connectToKaggle(context.onNote);
  const { competitionId: id, dataDir } = options;
  const outcome =
    client.status === "failed"
      ? client
      : await downloadLeaderboard(client, { id, dataDir }, { signal: context.signal });
  if (outcome.status === "failed") common.warnings.push(`No leaderboard: ${outcome.message} ${outcome.next}`);
}

/** Shows others that a preparation in a thread of this process lives; ends with the returned function. */
export function showPreparing({ dataDir, competitionId, competitionVersion }: PrepareOptions): () => void {
  return keepLockAlive(competitionPaths(dataDir, competitionId, competitionVersion).lock);
}

/** Cleans up after a thread of this process that was ended in the middle of a preparation. */
export function abandonPreparation({ dataDir, competitionId, competitionVersion }: PrepareOptions): void {
  const paths = competitionPaths(dataDir, competitionId, competitionVersion);
  if (releaseOwnLock(paths.lock)) clearLeftovers(paths);
}

/** Whatever an interrupted run has left. Only the holder of the lock may call this. */
function clearLeftovers({ folder, partial, replaced, unpacked }: CompetitionPaths): void {
  const unfinished = fs.readdirSync(folder).filter((name) => /^raw(\.unpacked)?\.extracting-/.test(name));
  const leftovers = [partial, replaced, unpacked, ...unfinished.map((name) => path.join(folder, name))];
  for (const leftover of leftovers) fs.rmSync(leftover, { recursive: true, force: true });
}

async function prepareAnew(job: PrepareJob): Promise<PrepareOutcome> {
  const { options, context, loaded, preparer, paths, settings, checksums, common } = job;
  const startedAt = Date.now();
  const fail = (failure: PrepareFailure): PrepareOutcome => ({ ...common, status: "failed", ...failure });
  const shipped = shippedRaw(loaded);
  const isKaggles = shipped === null && options.competitionsDir === undefined;
  const page = isKaggles ? dataPage(options.competitionId) : null;
  const raw = await obtainRaw({
    id: options.competitionId,
    paths,
    given: options.raw === undefined ? null : path.resolve(options.raw),
    shipped,
    page,
    client: context.client ?? null,
    originalZip:
      checksums.status === "found" && !options.skipVerification ? (checksums.checksums.zip ?? null) : null,
    signal: context.signal,
    onProgress: job.progress,
    onNote: context.onNote,
  });
  if (raw.status === "interrupted") return { ...common, status: "interrupted" };
  if (raw.status === "failed") return fail(raw.failure);
  common.warnings.push(...raw.warnings);
  fs.rmSync(paths.differing, { recursive: true, force: true });
  const run = await runPreparer({
    preparer,
    version: options.competitionVersion,
    raw: raw.folder,
    out: paths.partial,
    settings,
    signal: context.signal,
    onProgress: ({ what, done, total, unit }) =>
      job.progress({ stage: "prepare", what, done, total: total ?? null, unit: unit ?? "steps" }),
  });
  if (run.status === "interrupted") return { ...common, status: "interrupted" };
  common.warnings.push(...run.warnings);
  if (run.status === "failed")
    return fail(
      preparerFailure(run.problem, { folder: raw.folder, given: options.raw ?? null, page }, paths),
    );
  placeDescription(paths.description, loaded, options.competitionVersion, path.join(paths.partial, "public"));
  const verification = await verifyPrepared(
    job,
    paths.partial,
    fs.existsSync(paths.prepared) ? paths.prepared : null,
  );
  if (typeof verification !== "string") {
    fs.renameSync(paths.partial, paths.differing);
    return fail(verification);
  }
  if (options.overwriteChecksums)
    writeOwnChecksums(paths.ownChecksums, await computeChecksums(paths.partial, context.signal));
  put(job, verification);
  discardRaw(paths, options.keepRaw === true);
  const audit = await auditAfterPrepare({
    competition: loaded,
    dataDir: options.dataDir,
    competitionVersion: options.competitionVersion,
    scratch: paths.partial,
    onProgress: (what) => job.progress({ stage: "audit", what, done: 0, total: null, unit: "steps" }),
  });
  return {
    ...common,
    status: "ready",
    folder: paths.prepared,
    verification,
    official: isOfficial(job, verification),
    seconds: (Date.now() - startedAt) / 1000,
    audit,
  };
}

function shippedRaw({ competition, folder }: LoadedCompetition): string | null {
  return competition.shippedRaw === undefined ? null : fileURLToPath(new URL(competition.shippedRaw, folder));
}

/**
 * Gives the finished folder its name. The record is written first: a kill in between leaves a record without data,
 * which counts for nothing, and never data whose settings nobody knows.
 */
function put({ options, paths, settings, common, checksums }: PrepareJob, verification: Verification): void {
  flushFolder(paths.partial);
  if (fs.existsSync(paths.prepared)) fs.renameSync(paths.prepared, paths.replaced);
  recordPrepared(paths.state, options.competitionVersion, {
    preparedAt: new Date().toISOString(),
    origin: "prepared",
    settings,
    verification,
    reference: referenceOf(checksums),
    warnings: common.warnings,
    sizes: topLevelSizes(paths.partial),
  });
  fs.renameSync(paths.partial, paths.prepared);
  flush(paths.folder);
}

/** Whether published scores refer to these data. */
export function isOfficial({ options, settings }: PrepareJob, verification: Verification): boolean {
  return (
    options.competitionVersion === "v1" && Object.keys(settings).length === 0 && verification === "matches"
  );
}
