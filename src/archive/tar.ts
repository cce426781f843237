import { createReadStream, statSync } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { archiveKind } from "./archive-kind.ts";
import { type ArchiveProblem, refuse, refuseSystemError } from "./archive-problem.ts";
import { createBudget, defaultLimits } from "./limits.ts";
import { createTarParser, type TarEntry, type TarHandler } from "./tar-parser.ts";
import { createFolderWriter, type OpenFile, type UnpackJob, type UnpackOutcome } from "./unpack-job.ts";

export type TarListing = { status: "listed"; entries: TarEntry[] };

const chunkSize = 1 << 20;
const reportEveryMs = 100;

/** All entries of a tar or tar.gz, read through to the end: a file of several gigabytes takes its time. */
export async function listTar(path: string): Promise<TarListing | ArchiveProblem> {
  const label = basename(path);
  const entries: TarEntry[] = [];
  const handler: TarHandler = {
    open(entry) {
      entries.push(entry);
      const tooMany = entries.length > defaultLimits.maxEntries;
      return tooMany
        ? refuse("TOO_MANY_ENTRIES", label, null, `has more than ${defaultLimits.maxEntries} entries`)
        : null;
    },
    data() {},
    close() {},
  };
  const problem = await readTar(path, label, archiveKind(path) === "gzip", handler, () => null);
  return problem ?? { status: "listed", entries };
}

/** Unpacks a tar or tar.gz into the job's folder. Sizes come from the headers as they pass, checked against the limits. */
export async function unpackTar(job: UnpackJob, gzip: boolean): Promise<UnpackOutcome> {
  const archiveBytes = statSync(job.archive).size;
  const budget = createBudget(job.limits, job.label, archiveBytes);
  const writer = createFolderWriter(job.folder);
  const seen = new Set<string>();
  let files = 0;
  let current: OpenFile | null = null;
  let lastReport = Date.now();
  const handler: TarHandler = {
    open(entry) {
      const problem = budget.charge(entry.name, entry.bytes, null);
      if (problem) return problem;
      if (entry.path === "" || !job.only(entry.path)) return null;
      if (!entry.folder && seen.has(entry.path)) {
        return refuse("DUPLICATE", job.label, entry.name, "is in the archive twice");
      }
      try {
        if (entry.folder) {
          writer.folder(entry.path);
          return null;
        }
        current = writer.open(entry.path);
      } catch (error) {
        const refused = refuseSystemError(error, job.label, entry.name);
        if (refused) return refused;
        throw error;
      }
      seen.add(entry.path);
      files++;
      return null;
    },
    data: (chunk) => current?.write(chunk),
    close() {
      current?.close();
      current = null;
    },
  };
  const problem = await readTar(job.archive, job.label, gzip, handler, (doneBytes) => {
    if (Date.now() - lastReport >= reportEveryMs) {
      lastReport = Date.now();
      job.onProgress({ doneBytes, totalBytes: archiveBytes, entries: files });
    }
    return job.signal?.aborted
      ? refuse("INTERRUPTED", job.label, null, "was not extracted to the end")
      : null;
  });
  handler.close();
  if (problem) return problem;
  job.onProgress({ doneBytes: archiveBytes, totalBytes: archiveBytes, entries: files });
  return { status: "unpacked", files, bytes: budget.bytes };
}

async function readTar(
  path: string,
  label: string,
  gzip: boolean,
  handler: TarHandler,
  onChunk: (archiveBytes: number) => ArchiveProblem | null,
): Promise<ArchiveProblem | null> {
  const parser = createTarParser(label, handler);
  let problem: ArchiveProblem | null = null;
  const source = createReadStream(path, { highWaterMark: chunkSize });
  const consume = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      problem = onChunk(source.bytesRead) ?? parser.push(chunk);
      if (problem) break;
    }
  };
  try {
    if (gzip) await pipeline(source, createGunzip({ chunkSize }), consume);
    else await pipeline(source, consume);
  } catch (error) {
    // Leaving the loop early closes the stream, which it reports as an error of its own.
    return problem ?? streamProblem(error, label);
  }
  return problem ?? parser.finish();
}

function streamProblem(error: unknown, label: string): ArchiveProblem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return refuse("NOT_FOUND", label, null, "does not exist");
  if (code === "Z_BUF_ERROR") return refuse("TRUNCATED", label, null, "is cut off");
  if (code.startsWith("Z_")) return refuse("DAMAGED", label, null, "cannot be unpacked");
  const problem = refuseSystemError(error, label, null);
  if (problem) return problem;
  throw error;
}
