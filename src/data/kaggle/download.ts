import fs from "node:fs";
import path from "node:path";
import { interrupted, isProblem } from "./backoff.ts";
import type { KaggleClient } from "./client.ts";
import { allDataPath, checkCompetitionName } from "./competition-address.ts";
import { diskProblem } from "./disk.ts";
import { type DownloadOptions, downloadFile } from "./download-file.ts";
import { md5OfFile } from "./md5-file.ts";
import { type KaggleProblem, kaggleProblem } from "./messages.ts";
import { createMeter } from "./progress.ts";

export type CompetitionToGet = {
  id: string;
  /** Where the zip goes. */
  target: string;
  /** The "zip" of the competition's checksums, or null where there is none or the user skips verification. */
  expectedMd5: string | null;
};

export type CompetitionDownload = {
  status: "downloaded";
  file: string;
  bytes: number;
  /** Null for a zip that was already there and had nothing to be compared with. */
  md5: string | null;
  /** What the zip was compared with: the original's checksum, the server's, the announced length, or nothing. */
  verified: "original" | "md5" | "size" | "nothing";
  alreadyThere: boolean;
  resumedFrom: number;
};

/**
 * The zip with all data of a competition. One that is there already is not fetched again. A zip that came through
 * whole but is not the one the original was made from is kept and reported as ARCHIVE_DIFFERS: Kaggle may have
 * packed it anew, and days of downloading are not thrown away for that.
 */
export async function downloadCompetition(
  client: KaggleClient,
  competition: CompetitionToGet,
  options: DownloadOptions = {},
): Promise<CompetitionDownload | KaggleProblem> {
  const { id, target, expectedMd5 } = competition;
  const badName = checkCompetitionName(id);
  if (badName !== null) return badName;
  const found = await alreadyThere(client, competition, options);
  if (found !== null) return isProblem(found) ? found : againstOriginal(competition, found);
  const got = await downloadFile(client, { path: allDataPath(id), competition: id, target }, options);
  if (isProblem(got)) return got;
  const { file, bytes, md5, verified, resumedFrom } = got;
  return againstOriginal(
    { id, target, expectedMd5 },
    { status: "downloaded", file, bytes, md5, verified, alreadyThere: false, resumedFrom },
  );
}

async function alreadyThere(
  client: KaggleClient,
  { id, target, expectedMd5 }: CompetitionToGet,
  { signal, onProgress }: DownloadOptions,
): Promise<CompetitionDownload | KaggleProblem | null> {
  try {
    const found = fs.statSync(target, { throwIfNoEntry: false });
    if (found === undefined) return null;
    const meter = createMeter({
      phase: "verify",
      doneBytes: 0,
      totalBytes: found.size,
      now: client.pace.now,
      report: onProgress ?? (() => {}),
    });
    const md5 = expectedMd5 === null ? null : await md5OfFile(target, meter, signal ?? null);
    const { size: bytes } = found;
    return {
      status: "downloaded",
      file: target,
      bytes,
      md5,
      verified: "nothing",
      alreadyThere: true,
      resumedFrom: 0,
    };
  } catch (error) {
    if (signal?.aborted) return interrupted(id);
    return diskProblem(error, id, path.dirname(target));
  }
}

function againstOriginal(
  { id, target, expectedMd5 }: CompetitionToGet,
  download: CompetitionDownload,
): CompetitionDownload | KaggleProblem {
  if (expectedMd5 === null) return download;
  if (download.md5 === expectedMd5.toLowerCase()) return { ...download, verified: "original" };
  const cause = `the zip has the md5 ${download.md5}, the original was made from ${expectedMd5}`;
  return kaggleProblem("ARCHIVE_DIFFERS", id, cause, {
    next:
      "If Kaggle has packed the same files anew, --skip-verification goes on with it (what is prepared from it can " +
      `still be compared file by file); if you doubt the file, delete ${target} and run the same command again.`,
  });
}
