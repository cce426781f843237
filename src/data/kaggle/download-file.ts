import type { IncomingHttpHeaders } from "node:http";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { interrupted, isProblem, type RetryNotice, withRetries } from "./backoff.ts";
import type { KaggleClient } from "./client.ts";
import { diskProblem } from "./disk.ts";
import { exchange } from "./exchange.ts";
import { md5OfFile } from "./md5-file.ts";
import { type KaggleProblem, kaggleProblem } from "./messages.ts";
import {
  finishPartial,
  forgetPartial,
  notePartial,
  partialPath,
  type RemoteFile,
  readPartial,
} from "./partial-file.ts";
import { createMeter, type DownloadProgress } from "./progress.ts";
import { createRunningMd5, type Received, receive } from "./receive.ts";

export type DownloadOptions = {
  signal?: AbortSignal;
  onProgress?: (progress: DownloadProgress) => void;
  /** Told before each pause, so that a silent minute is not taken for a hang. */
  onRetry?: (notice: RetryNotice) => void;
};

export type FileToGet = { path: string; competition: string | null; target: string };

export type GotFile = {
  status: "got";
  file: string;
  bytes: number;
  md5: string;
  /** What the content was compared with: the server's checksum, its length, or nothing because it told neither. */
  verified: "md5" | "size" | "nothing";
  /** Bytes that were already there from an interrupted download. */
  resumedFrom: number;
};

type Complete = Received & { announcedMd5: string | null; announcedSize: number | null };

// An attempt that brings so much is progress: a line that breaks every few minutes still gets through a large file.
const worthwhileBytes = 1024 * 1024;

/**
 * Downloads to `<target>.partial` and renames when the content is verified. A failure or an interruption leaves the
 * partial file, and the next call goes on from there if the server confirms that the file is still the same one.
 */
export async function downloadFile(
  client: KaggleClient,
  { path: apiPath, competition, target }: FileToGet,
  options: DownloadOptions = {},
): Promise<GotFile | KaggleProblem> {
  const signal = options.signal ?? null;
  const onProgress = options.onProgress ?? (() => {});
  const folder = path.dirname(target);
  let resumedFrom = readPartial(target)?.bytes ?? 0;
  let md5 = createRunningMd5();
  let keptBefore = 0;
  // A wrong checksum costs the whole download: once may be bad luck, twice is not.
  let startedOver = false;

  async function fetchRest(): Promise<Complete | KaggleProblem> {
    const kept = readPartial(target);
    keptBefore = kept?.bytes ?? 0;
    if (kept !== null && kept.bytes === kept.size) {
      return { status: "received", bytes: kept.bytes, announcedMd5: kept.md5, announcedSize: kept.size };
    }
    const headers = kept === null ? {} : { range: `bytes=${kept.bytes}-`, "if-range": kept.validator };
    const answer = await exchange(client, { path: apiPath, competition, headers, signal });
    if (isProblem(answer)) return answer;
    const receiving = { target, competition, now: client.pace.now, onProgress };
    if (answer.code === 200) {
      md5 = createRunningMd5();
      keptBefore = 0;
      resumedFrom = 0;
      forgetPartial(target);
      notePartial(target, recognisable(answer.headers));
      const size = announcedSize(answer.headers);
      const received = await receive(answer, { ...receiving, from: 0, size, md5 });
      return isProblem(received)
        ? received
        : { ...received, announcedMd5: announcedMd5(answer.headers), announcedSize: size };
    }
    if (kept === null) {
      answer.discard();
      return kaggleProblem("UNEXPECTED_ANSWER", competition, `Kaggle answered HTTP ${answer.code} unasked`);
    }
    if (answer.code === 206 && continues(answer.headers, kept.bytes, kept)) {
      const received = await receive(answer, { ...receiving, from: kept.bytes, size: kept.size, md5 });
      return isProblem(received)
        ? received
        : { ...received, announcedMd5: kept.md5, announcedSize: kept.size };
    }
    // The server's file is another one by now: without a part to go on with, the next request asks for all of it.
    answer.discard();
    forgetPartial(target);
    return fetchRest();
  }

  async function verify(complete: Complete): Promise<GotFile | KaggleProblem> {
    const { bytes } = complete;
    const actual = md5.bytes === bytes ? md5.hex() : await md5FromDisk(bytes);
    if (complete.announcedMd5 !== null && complete.announcedMd5 !== actual) {
      forgetPartial(target);
      md5 = createRunningMd5();
      const cause = `what arrived has the md5 ${actual}, the server announced ${complete.announcedMd5}`;
      return kaggleProblem("CHECKSUM", competition, cause);
    }
    finishPartial(target, folder);
    const verified =
      complete.announcedMd5 !== null ? "md5" : complete.announcedSize !== null ? "size" : "nothing";
    return { status: "got", file: target, bytes, md5: actual, verified, resumedFrom };
  }

  function md5FromDisk(totalBytes: number): Promise<string> {
    const meter = createMeter({
      phase: "verify",
      doneBytes: 0,
      totalBytes,
      now: client.pace.now,
      report: onProgress,
    });
    return md5OfFile(partialPath(target), meter, signal);
  }

  async function attempt(): Promise<GotFile | KaggleProblem> {
    try {
      makeFolder(folder);
      const complete = await fetchRest();
      if (isProblem(complete)) return complete;
      const outcome = await verify(complete);
      if (!isProblem(outcome) || outcome.code !== "CHECKSUM" || startedOver) return outcome;
      startedOver = true;
      options.onRetry?.({ problem: outcome, waitMs: 0, attempt: 1, attempts: 2 });
      return attempt();
    } catch (error) {
      if (signal?.aborted) return interrupted(competition);
      return diskProblem(error, competition, folder);
    }
  }

  return withRetries(attempt, {
    pace: client.pace,
    signal,
    onRetry: options.onRetry ?? null,
    progressed: () => (readPartial(target)?.bytes ?? 0) - keptBefore >= worthwhileBytes,
  });
}

/** The size of the whole file that a 200 announces, or null. */
function announcedSize(headers: IncomingHttpHeaders): number | null {
  const text = headers["content-length"];
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : null;
}

/** The md5 of the whole file, in hexadecimal, from a 200: Google's own header first, then the standard one. */
function announcedMd5(headers: IncomingHttpHeaders): string | null {
  const google = /(?:^|,)\s*md5=([A-Za-z0-9+/]{22}==)/.exec(String(headers["x-goog-hash"] ?? ""))?.[1];
  const standard = /^[A-Za-z0-9+/]{22}==$/.exec(String(headers["content-md5"] ?? "").trim())?.[0];
  const base64 = google ?? standard;
  return base64 === undefined ? null : Buffer.from(base64, "base64").toString("hex");
}

/** What a later attempt needs to recognise the file, or null when the server gives it nothing to do so. */
function recognisable(headers: IncomingHttpHeaders): RemoteFile | null {
  const size = announcedSize(headers);
  const validator = validatorOf(headers);
  if (size === null || validator === null) return null;
  return { validator, size, md5: announcedMd5(headers) };
}

/** Whether a 206 goes on exactly where our part ends, in a file that is still the same. */
function continues(headers: IncomingHttpHeaders, at: number, remote: RemoteFile): boolean {
  const range = /^bytes (\d+)-(\d+)\/(\d+)$/.exec(headers["content-range"] ?? "");
  if (range === null) return false;
  const [first, last, total] = range.slice(1).map(Number);
  // A server may leave the validator out of a 206; if it is there, it has to be the same.
  const { etag } = headers;
  const sameEtag = etag === undefined || !remote.validator.startsWith('"') || etag === remote.validator;
  return first === at && last === remote.size - 1 && total === remote.size && sameEtag;
}

/** A weak ETag only promises equal meaning, not equal bytes, so If-Range may not carry it. */
function validatorOf({ etag, "last-modified": lastModified }: IncomingHttpHeaders): string | null {
  if (etag?.startsWith('"')) return etag;
  return lastModified ?? null;
}
