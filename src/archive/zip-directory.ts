import { closeSync, fstatSync, openSync } from "node:fs";
import { type ArchiveProblem, refuse, refuseSystemError } from "./archive-problem.ts";
import { checkEntryName } from "./entry-name.ts";
import { locateDirectory, type ZipEndRecord } from "./zip-end-record.ts";
import { readAt, toSafeNumber } from "./zip-numbers.ts";

export type ZipEntry = {
  /** As the archive spells it, for messages and for looking it up. */
  name: string;
  /** Safe and relative. */
  path: string;
  folder: boolean;
  encrypted: boolean;
  method: number;
  /** The upper bits of a Unix mode; 0 when the archive says nothing about it. */
  fileType: number;
  crc: number;
  packedBytes: number;
  bytes: number;
  headerOffset: number;
};

/** An open zip whose directory has been checked as a whole: safe names, no name twice, no two entries sharing bytes. */
export type ZipDirectory = {
  status: "open";
  fd: number;
  label: string;
  archiveBytes: number;
  entryCount: number;
  /** Parsed anew on each walk: 2.4 million entries as objects would fill the memory. */
  entries(): Generator<ZipEntry>;
  /** Where the bytes of the entry must have ended: the next entry's header or the directory. */
  endLimit(entry: ZipEntry): number;
};

const entrySignature = 0x02014b50;
const marker32 = 0xffffffff;
// About 10 million entries; a directory larger than this is an attack on our memory.
const largestDirectory = 1 << 30;

/** Opens a zip and checks its directory. The caller closes `fd`. */
export function openZip(path: string, label: string, maxEntries: number): ZipDirectory | ArchiveProblem {
  let fd: number;
  try {
    fd = openSync(path, "r");
  } catch (error) {
    if (isMissing(error)) return refuse("NOT_FOUND", label, null, "does not exist");
    const problem = refuseSystemError(error, label, null);
    if (problem) return problem;
    throw error;
  }
  const opened = readDirectory(fd, label, maxEntries);
  if (opened.status === "refused") closeSync(fd);
  return opened;
}

function readDirectory(fd: number, label: string, maxEntries: number): ZipDirectory | ArchiveProblem {
  const archiveBytes = fstatSync(fd).size;
  const located = locateDirectory(fd, label, archiveBytes);
  if ("status" in located) return located;
  if (located.count > maxEntries || located.size > largestDirectory) {
    return refuse("TOO_MANY_ENTRIES", label, null, `has more than ${maxEntries} entries`);
  }
  const directory = readAt(fd, located.start, located.size);
  const checked = checkDirectory(directory, located, label, maxEntries);
  if ("status" in checked) return checked;
  const { offsets } = checked;
  return {
    status: "open",
    fd,
    label,
    archiveBytes,
    entryCount: offsets.length,
    *entries() {
      for (let at = 0; at < directory.length; ) {
        const parsed = parseEntry(directory, at, label);
        if ("status" in parsed) return;
        yield parsed.entry;
        at = parsed.next;
      }
    },
    endLimit: (entry) => nextOffset(offsets, entry.headerOffset) ?? located.start,
  };
}

function checkDirectory(
  directory: Buffer,
  located: ZipEndRecord,
  label: string,
  maxEntries: number,
): { offsets: Float64Array } | ArchiveProblem {
  const seen = new Set<string>();
  const offsets: number[] = [];
  const ends: number[] = [];
  for (let at = 0; at < directory.length; ) {
    const parsed = parseEntry(directory, at, label);
    if ("status" in parsed) return parsed;
    const { entry, nameBytes } = parsed;
    if (entry.path !== "" && seen.has(entry.path)) {
      return refuse("DUPLICATE", label, entry.name, "is in the archive twice");
    }
    seen.add(entry.path);
    offsets.push(entry.headerOffset);
    ends.push(entry.headerOffset + 30 + nameBytes + entry.packedBytes);
    if (offsets.length > maxEntries) {
      return refuse("TOO_MANY_ENTRIES", label, null, `has more than ${maxEntries} entries`);
    }
    at = parsed.next;
  }
  // Writers without zip64 let the count wrap at 65,536; the directory itself is right then.
  const surplus = offsets.length - located.count;
  if (located.zip64 ? surplus !== 0 : surplus % 0x10000 !== 0) {
    return refuse("DAMAGED", label, null, `announces ${located.count} entries and lists ${offsets.length}`);
  }
  const overlap = findOverlap(Float64Array.from(offsets), Float64Array.from(ends), located.start);
  if (overlap !== null) {
    const name = entryNameAt(directory, overlap, label);
    return refuse("OVERLAP", label, name, "shares its bytes with another part of the archive");
  }
  return { offsets: Float64Array.from(offsets).sort() };
}

/** The index of an entry that reaches into the next one or into the directory, or null. */
function findOverlap(offsets: Float64Array, ends: Float64Array, directoryStart: number): number | null {
  const order = Uint32Array.from(offsets.keys()).sort((a, b) => offsets[a] - offsets[b]);
  for (let i = 0; i < order.length; i++) {
    const limit = i + 1 < order.length ? offsets[order[i + 1]] : directoryStart;
    if (ends[order[i]] > limit) return order[i];
  }
  return null;
}

function entryNameAt(directory: Buffer, index: number, label: string): string | null {
  for (let at = 0, i = 0; at < directory.length; i++) {
    const parsed = parseEntry(directory, at, label);
    if ("status" in parsed) return null;
    if (i === index) return parsed.entry.name;
    at = parsed.next;
  }
  return null;
}

function parseEntry(
  directory: Buffer,
  at: number,
  label: string,
): { entry: ZipEntry; nameBytes: number; next: number } | ArchiveProblem {
  if (at + 46 > directory.length || directory.readUInt32LE(at) !== entrySignature) {
    return refuse("DAMAGED", label, null, "has a directory that cannot be read");
  }
  const flags = directory.readUInt16LE(at + 8);
  const nameBytes = directory.readUInt16LE(at + 28);
  const extraBytes = directory.readUInt16LE(at + 30);
  const extraStart = at + 46 + nameBytes;
  const next = extraStart + extraBytes + directory.readUInt16LE(at + 32);
  if (next > directory.length) return refuse("DAMAGED", label, null, "has a directory that cannot be read");
  const name = decodeName(directory.subarray(at + 46, extraStart), (flags & 0x800) !== 0);
  if (name === null) return refuse("UNSAFE_PATH", label, null, "has an entry whose name is not valid UTF-8");
  const checked = checkEntryName(name);
  if ("problem" in checked) return refuse("UNSAFE_PATH", label, name, checked.problem);

  const sizes = {
    bytes: directory.readUInt32LE(at + 24),
    packedBytes: directory.readUInt32LE(at + 20),
    headerOffset: directory.readUInt32LE(at + 42),
  };
  if (!readZip64Sizes(directory.subarray(extraStart, extraStart + extraBytes), sizes)) {
    return refuse("DAMAGED", label, name, "claims to be zip64 but has no zip64 sizes");
  }
  const method = directory.readUInt16LE(at + 10);
  const entry = {
    name,
    path: checked.path,
    folder: checked.folder,
    encrypted: (flags & 0x41) !== 0 || method === 99,
    method,
    fileType: directory.readUInt16LE(at + 40) & 0xf000,
    crc: directory.readUInt32LE(at + 16),
    ...sizes,
  };
  return { entry, nameBytes, next };
}

/** Replaces each field that holds the zip64 marker by its value in the extra field; false when that value is missing. */
function readZip64Sizes(
  extra: Buffer,
  sizes: { bytes: number; packedBytes: number; headerOffset: number },
): boolean {
  const fields = (["bytes", "packedBytes", "headerOffset"] as const).filter(
    (field) => sizes[field] === marker32,
  );
  if (fields.length === 0) return true;
  for (let at = 0; at + 4 <= extra.length; at += 4 + extra.readUInt16LE(at + 2)) {
    if (extra.readUInt16LE(at) !== 1) continue;
    const end = at + 4 + extra.readUInt16LE(at + 2);
    if (end > extra.length || at + 4 + 8 * fields.length > end) return false;
    for (const [i, field] of fields.entries())
      sizes[field] = toSafeNumber(extra.readBigUInt64LE(at + 4 + 8 * i));
    return true;
  }
  return false;
}

function decodeName(bytes: Buffer, utf8: boolean): string | null {
  if (!utf8) return decodeCp437(bytes);
  const text = bytes.toString("utf8");
  return Buffer.from(text, "utf8").equals(bytes) ? text : null;
}

function nextOffset(sorted: Float64Array, offset: number): number | null {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] <= offset) low = middle + 1;
    else high = middle;
  }
  return low < sorted.length ? sorted[low] : null;
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ENOENT";
}

// The upper half of IBM code page 437, in order.
const upperHalf =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00a0";

/** Decodes names of zips that do not declare UTF-8, as Python does: by code page 437, which accepts every byte. */
function decodeCp437(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += byte < 128 ? String.fromCharCode(byte) : upperHalf[byte - 128];
  return text;
}
