import { closeSync } from "node:fs";
import { basename } from "node:path";
import { pipeline } from "node:stream/promises";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { sizeText } from "../wording/sizes.ts";
import { type ArchiveProblem, refuse, refuseSystemError } from "./archive-problem.ts";
import { createBudget, defaultLimits } from "./limits.ts";
import { createFolderWriter, type FolderWriter, type UnpackJob, type UnpackOutcome } from "./unpack-job.ts";
import { openZip, type ZipDirectory, type ZipEntry } from "./zip-directory.ts";
import { readAt } from "./zip-numbers.ts";

export type ZipListing = { status: "listed"; entries: ZipEntry[] };
export type ZipContent = { status: "read"; bytes: Buffer };

const stored = 0;
const deflated = 8;
const symbolicLink = 0xa000;
const regularFile = 0x8000;
const directory = 0x4000;
// Larger entries are streamed, so that memory does not grow with them.
const streamAbove = 16 * 1024 * 1024;
const reportEveryMs = 100;
const pauseEveryMs = 40;
const methodNames: Record<number, string> = {
  9: "Deflate64",
  12: "bzip2",
  14: "LZMA",
  93: "Zstandard",
  95: "xz",
  98: "PPMd",
};

/** All entries of a zip in directory order, with safe paths. Millions of entries are as many objects: limit them. */
export function listZip(path: string, maxEntries = defaultLimits.maxEntries): ZipListing | ArchiveProblem {
  const zip = openZip(path, basename(path), maxEntries);
  if (zip.status === "refused") return zip;
  try {
    return { status: "listed", entries: [...zip.entries()] };
  } finally {
    closeSync(zip.fd);
  }
}

/** The content of one entry in memory, size and checksum verified. Refused above `maxBytes`, without reading it. */
export function readZipEntry(path: string, name: string, maxBytes: number): ZipContent | ArchiveProblem {
  const label = basename(path);
  const zip = openZip(path, label, defaultLimits.maxEntries);
  if (zip.status === "refused") return zip;
  try {
    for (const entry of zip.entries()) {
      if (entry.folder || entry.path !== name) continue;
      const largest = Math.max(entry.bytes, entry.packedBytes);
      if (largest > maxBytes) {
        const sizes = `${sizeText(largest)} (limit ${sizeText(maxBytes)})`;
        return refuse("TOO_LARGE", label, entry.name, `needs ${sizes}`);
      }
      const problem = refuseContent(zip, entry);
      if (problem) return problem;
      const bytes = readSmall(zip, entry);
      return "status" in bytes ? bytes : { status: "read", bytes };
    }
    return refuse("NO_SUCH_ENTRY", label, name, "is not in the archive");
  } finally {
    closeSync(zip.fd);
  }
}

/** Unpacks a zip into the job's folder. Declared sizes are checked before anything is written, and again while inflating. */
export async function unpackZip(job: UnpackJob): Promise<UnpackOutcome> {
  const zip = openZip(job.archive, job.label, job.limits.maxEntries);
  if (zip.status === "refused") return zip;
  try {
    const budget = createBudget(job.limits, job.label, zip.archiveBytes);
    for (const entry of selected(zip, job)) {
      const problem = refuseContent(zip, entry) ?? budget.charge(entry.name, entry.bytes, entry.packedBytes);
      if (problem) return problem;
    }
    return await writeEntries(zip, job, budget.bytes);
  } finally {
    closeSync(zip.fd);
  }
}

function* selected(zip: ZipDirectory, job: UnpackJob): Generator<ZipEntry> {
  for (const entry of zip.entries()) if (entry.path !== "" && job.only(entry.path)) yield entry;
}

async function writeEntries(zip: ZipDirectory, job: UnpackJob, totalBytes: number): Promise<UnpackOutcome> {
  const writer = createFolderWriter(job.folder);
  let files = 0;
  let doneBytes = 0;
  let lastReport = Date.now();
  let lastPause = lastReport;
  for (const entry of selected(zip, job)) {
    if (job.signal?.aborted) return interrupted(job);
    try {
      const problem = await writeEntry(zip, entry, job, writer, (bytes) => {
        doneBytes += bytes;
        if (Date.now() - lastReport < reportEveryMs) return;
        lastReport = Date.now();
        job.onProgress({ doneBytes, totalBytes, entries: files });
      });
      if (problem) return problem;
    } catch (error) {
      const problem = refuseSystemError(error, job.label, entry.name);
      if (problem) return problem;
      throw error;
    }
    if (!entry.folder) files++;
    if (Date.now() - lastPause > pauseEveryMs) {
      await new Promise((resume) => setImmediate(resume));
      lastPause = Date.now();
    }
  }
  job.onProgress({ doneBytes, totalBytes, entries: files });
  return { status: "unpacked", files, bytes: doneBytes };
}

async function writeEntry(
  zip: ZipDirectory,
  entry: ZipEntry,
  job: UnpackJob,
  writer: FolderWriter,
  onBytes: (bytes: number) => void,
): Promise<ArchiveProblem | null> {
  if (entry.folder) {
    writer.folder(entry.path);
    return null;
  }
  if (Math.max(entry.bytes, entry.packedBytes) <= streamAbove) {
    const content = readSmall(zip, entry);
    if ("status" in content) return content;
    writer.file(entry.path, content);
    onBytes(content.length);
    return null;
  }
  const file = writer.open(entry.path);
  try {
    return await streamLarge(zip, entry, job, (chunk) => {
      file.write(chunk);
      onBytes(chunk.length);
    });
  } finally {
    file.close();
  }
}

function refuseContent(zip: ZipDirectory, entry: ZipEntry): ArchiveProblem | null {
  if (entry.fileType === symbolicLink) return refuse("LINK", zip.label, entry.name, "is a symbolic link");
  if (entry.fileType !== 0 && entry.fileType !== regularFile && entry.fileType !== directory) {
    return refuse("LINK", zip.label, entry.name, "is neither a file nor a folder");
  }
  if (entry.encrypted) return refuse("ENCRYPTED", zip.label, entry.name, "is encrypted");
  if (entry.folder)
    return entry.bytes === 0 ? null : refuse("DAMAGED", zip.label, entry.name, "is a folder with content");
  if (entry.method === deflated) return null;
  if (entry.method !== stored) {
    const method = methodNames[entry.method] ?? `method ${entry.method}`;
    return refuse("UNSUPPORTED", zip.label, entry.name, `is packed with ${method}, which is not supported`);
  }
  return entry.bytes === entry.packedBytes ? null : sizeProblem(zip, entry);
}

/** Where the packed bytes begin, by the entry's own header, which must agree with the directory. */
function locateData(zip: ZipDirectory, entry: ZipEntry): number | ArchiveProblem {
  const header = readAt(zip.fd, entry.headerOffset, 30);
  if (header.length < 30 || header.readUInt32LE(0) !== 0x04034b50) {
    return refuse("DAMAGED", zip.label, entry.name, "is not where the directory says");
  }
  if ((header.readUInt16LE(6) & 1) !== 0) return refuse("ENCRYPTED", zip.label, entry.name, "is encrypted");
  const start = entry.headerOffset + 30 + header.readUInt16LE(26) + header.readUInt16LE(28);
  if (start + entry.packedBytes > zip.endLimit(entry)) {
    return refuse("OVERLAP", zip.label, entry.name, "shares its bytes with another part of the archive");
  }
  return start;
}

function readSmall(zip: ZipDirectory, entry: ZipEntry): Buffer | ArchiveProblem {
  const start = locateData(zip, entry);
  if (typeof start !== "number") return start;
  const packed = readAt(zip.fd, start, entry.packedBytes);
  if (packed.length < entry.packedBytes) return refuse("TRUNCATED", zip.label, entry.name, "is cut off");
  let content = packed;
  if (entry.method === deflated) {
    try {
      content = inflateRawSync(packed, { maxOutputLength: Math.max(1, entry.bytes) });
    } catch (error) {
      return inflateProblem(zip, entry, error);
    }
  }
  if (content.length !== entry.bytes) return sizeProblem(zip, entry);
  return crc32(content) === entry.crc ? content : checksumProblem(zip, entry);
}

async function streamLarge(
  zip: ZipDirectory,
  entry: ZipEntry,
  job: UnpackJob,
  write: (chunk: Buffer) => void,
): Promise<ArchiveProblem | null> {
  const start = locateData(zip, entry);
  if (typeof start !== "number") return start;
  let crc = 0;
  let bytes = 0;
  const consume = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > entry.bytes || job.signal?.aborted) break;
      crc = crc32(chunk, crc);
      write(chunk);
    }
  };
  const source = packedChunks(zip.fd, start, entry.packedBytes);
  try {
    if (entry.method === deflated) await pipeline(source, createInflateRaw({ chunkSize: CHUNK }), consume);
    else await pipeline(source, consume);
  } catch (error) {
    // Leaving the loop early closes the stream, which it reports as an error of its own.
    if (bytes <= entry.bytes && !job.signal?.aborted) return inflateProblem(zip, entry, error);
  }
  if (job.signal?.aborted) return interrupted(job);
  if (bytes !== entry.bytes) return sizeProblem(zip, entry);
  return crc === entry.crc ? null : checksumProblem(zip, entry);
}

const CHUNK = 1 << 20;

/** Not a read stream on the descriptor: one that is left early closes the descriptor, which is not its own. */
function* packedChunks(fd: number, start: number, bytes: number): Generator<Buffer> {
  for (let done = 0; done < bytes; ) {
    const chunk = readAt(fd, start + done, Math.min(CHUNK, bytes - done));
    if (chunk.length === 0) return;
    done += chunk.length;
    yield chunk;
  }
}

function interrupted(job: UnpackJob): ArchiveProblem {
  return refuse("INTERRUPTED", job.label, null, "was not extracted to the end");
}

/** zlib's complaint as a refusal; an error of a system call or a bug is thrown on. */
function inflateProblem(zip: ZipDirectory, entry: ZipEntry, error: unknown): ArchiveProblem {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_BUFFER_TOO_LARGE") return sizeProblem(zip, entry);
  if (code === "Z_BUF_ERROR") return refuse("TRUNCATED", zip.label, entry.name, "is cut off");
  if (code.startsWith("Z_")) return refuse("DAMAGED", zip.label, entry.name, "cannot be unpacked");
  throw error;
}

function sizeProblem(zip: ZipDirectory, entry: ZipEntry): ArchiveProblem {
  return refuse("DAMAGED", zip.label, entry.name, `does not have the declared size of ${entry.bytes} bytes`);
}

function checksumProblem(zip: ZipDirectory, entry: ZipEntry): ArchiveProblem {
  return refuse("CHECKSUM", zip.label, entry.name, "does not match its checksum");
}
