import fs from "node:fs";
import path from "node:path";
import { archiveKind } from "../../archive/archive-kind.ts";
import { extractArchive } from "../../archive/extract.ts";
import { writeFileAtomically } from "../../files/write-file.ts";
import type { KaggleClient } from "../kaggle/client.ts";
import { downloadCompetition } from "../kaggle/download.ts";
import type { KaggleProblem } from "../kaggle/messages.ts";
import type { CompetitionPaths } from "../place/competition-paths.ts";
import { connectToKaggle } from "./kaggle-access.ts";
import type { PrepareFailure } from "./outcome.ts";
import type { PrepareProgress } from "./progress.ts";

export interface RawDataOptions {
  id: string;
  paths: CompetitionPaths;
  /** A folder or an archive that the user has; without it the data folder and then Kaggle are asked. */
  given: string | null;
  /** An archive or a folder that comes with the competition. */
  shipped: string | null;
  /** Where Kaggle shows what the download holds; null where Kaggle is not the source. */
  page: string | null;
  client: KaggleClient | null;
  /** The md5 of the zip that the original was made from. */
  originalZip: string | null;
  signal: AbortSignal;
  onProgress: (progress: Pick<PrepareProgress, "stage" | "what" | "done" | "total" | "unit">) => void;
  onNote: (message: string) => void;
}

export type RawData =
  | { status: "ready"; folder: string; warnings: string[] }
  | { status: "failed"; failure: PrepareFailure }
  | { status: "interrupted" };

/**
 * The folder with the raw data. One that the user names is used where it is and never written to; an archive of theirs
 * is unpacked for the time of preparing. Otherwise what lies in the data folder is used, then what comes with the
 * competition, and what is missing is fetched.
 */
export async function obtainRaw(options: RawDataOptions): Promise<RawData> {
  const { paths, given } = options;
  if (given !== null) return givenRaw(options, given);
  if (isFilled(paths.raw)) return { status: "ready", folder: paths.raw, warnings: [] };
  if (fs.existsSync(paths.zip)) return unpack(options, paths.zip, paths.raw);
  if (options.shipped !== null) return shippedRaw(options, options.shipped);
  const client = options.client ?? connectToKaggle(options.onNote);
  if (client.status === "failed") return fromKaggle(client);
  const fetched = await fetchRaw({ ...options, client });
  if (fetched.status === "failed")
    return fetched.code === "INTERRUPTED" ? { status: "interrupted" } : fromKaggle(fetched);
  const unpacked = await unpack(options, paths.zip, paths.raw);
  if (unpacked.status !== "ready") return unpacked;
  return { ...unpacked, warnings: fetched.warning === null ? [] : [fetched.warning] };
}

/** Removes what was made only to prepare from: a given archive's files, and what we fetched unless it is to be kept. */
export function discardRaw(paths: CompetitionPaths, keep: boolean): void {
  if (keep && isFilled(paths.unpacked) && !fs.existsSync(paths.raw)) fs.renameSync(paths.unpacked, paths.raw);
  fs.rmSync(paths.unpacked, { recursive: true, force: true });
  // Without our note the raw data was put there by the user, and is theirs to remove.
  if (keep || !fs.existsSync(paths.rawNote)) return;
  fs.rmSync(paths.raw, { recursive: true, force: true });
  fs.rmSync(paths.zip, { force: true });
  fs.rmSync(paths.rawNote, { force: true });
}

async function shippedRaw(options: RawDataOptions, shipped: string): Promise<RawData> {
  if (fs.existsSync(shipped)) return givenRaw(options, shipped);
  return noRaw(`The raw data that comes with it is not at ${shipped}.`, "Install mlebench again.");
}

async function givenRaw(options: RawDataOptions, given: string): Promise<RawData> {
  const { id, paths } = options;
  const found = fs.statSync(given, { throwIfNoEntry: false });
  if (!found) return noRaw(`There is nothing at ${given}.`, "Check the path given with --raw.");
  if (found.isFile()) {
    fs.rmSync(paths.unpacked, { recursive: true, force: true });
    return unpack(options, given, paths.unpacked);
  }
  if (!found.isDirectory())
    return noRaw(`${given} is neither a folder nor a file.`, "Check the path given with --raw.");
  // A folder with the data of many competitions holds this one's under its id.
  for (const inside of [path.join(given, id), path.join(given, `${id}.zip`)])
    if (fs.existsSync(inside)) return givenRaw(options, inside);
  if (!isFilled(given))
    return noRaw(
      `${given} is empty.`,
      "Give --raw the folder that holds the unpacked download, or the zip itself.",
    );
  return { status: "ready", folder: given, warnings: [] };
}

async function unpack(
  { page, signal, onProgress }: RawDataOptions,
  archive: string,
  target: string,
): Promise<RawData> {
  const what = path.basename(archive);
  if (archiveKind(archive) === null && target.endsWith(".unpacked"))
    return noRaw(
      `${archive} is not an archive.`,
      "Give --raw a folder, or a .zip, .7z, .tar or .tar.gz file.",
    );
  const outcome = await extractArchive(archive, target, {
    signal,
    onProgress: ({ doneBytes, totalBytes }) =>
      onProgress({ stage: "extract", what, done: doneBytes, total: totalBytes, unit: "bytes" }),
  });
  if (outcome.status === "extracted") return { status: "ready", folder: target, warnings: [] };
  if (outcome.code === "INTERRUPTED") return { status: "interrupted" };
  const { code, problem, next, blame, retryable } = outcome;
  // What was downloaded and cannot be unpacked would be found, and refused, again and again.
  const broken = code === "TRUNCATED" || code === "DAMAGED" || code === "CHECKSUM";
  const again = broken ? ` Delete ${archive} first.` : "";
  const source = blame === "host" || page === null ? "" : `Its source: ${page}\n`;
  return {
    status: "failed",
    failure: {
      stage: "extract",
      code,
      message: problem,
      nextStep: `${source}${next}${again}`,
      blame,
      retryable,
    },
  };
}

function fromKaggle({ code, competition, message, next, blame, retryable }: KaggleProblem): RawData {
  // The outcome names the competition itself.
  const cause = competition === null ? message : message.replace(`${competition}: `, "");
  const sentence = cause.charAt(0).toUpperCase() + cause.slice(1);
  return {
    status: "failed",
    failure: { stage: "raw", code, message: sentence, nextStep: next, blame, retryable },
  };
}

function noRaw(message: string, nextStep: string): RawData {
  return {
    status: "failed",
    failure: { stage: "raw", code: "NO_RAW_DATA", message, nextStep, blame: "user", retryable: false },
  };
}

function isFilled(folder: string): boolean {
  return (
    fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true &&
    fs.readdirSync(folder).length > 0
  );
}

type FetchedRaw = { status: "fetched"; warning: string | null } | KaggleProblem;

/**
 * Downloads the zip of a competition into its data folder. A zip that is not the original's is used all the same:
 * Kaggle packs archives anew, and what is prepared from it is compared file by file.
 */
async function fetchRaw({
  id,
  paths,
  client,
  originalZip,
  signal,
  onProgress,
  onNote,
}: RawDataOptions & { client: KaggleClient }): Promise<FetchedRaw> {
  // Before the first byte: an interrupted download is ours to remove, too.
  writeFileAtomically(
    paths.rawNote,
    `${JSON.stringify({ schema: "mlebench/raw", version: 1, source: "kaggle", competition: id })}\n`,
  );
  const outcome = await downloadCompetition(
    client,
    { id, target: paths.zip, expectedMd5: originalZip },
    {
      signal,
      onProgress: ({ phase, doneBytes, totalBytes }) =>
        onProgress({
          stage: phase === "download" ? "download" : "check download",
          what: "",
          done: doneBytes,
          total: totalBytes,
          unit: "bytes",
        }),
      onRetry: ({ problem, waitMs, attempt, attempts }) =>
        onNote(
          `${problem.message.replace(`${id}: `, "")} Trying again in ${Math.ceil(waitMs / 1000)} s (${attempt} of ${attempts}).`,
        ),
    },
  );
  if (outcome.status === "downloaded") return { status: "fetched", warning: null };
  if (outcome.code !== "ARCHIVE_DIFFERS") return outcome;
  return {
    status: "fetched",
    warning:
      "The download is not the very zip that the original was made from; the prepared files tell whether that matters.",
  };
}
