import { type ArchiveProblem, refuse } from "./archive-problem.ts";
import { readAt, toSafeNumber } from "./zip-numbers.ts";

/** Where the directory of a zip lies and how many entries it announces. */
export type ZipEndRecord = { start: number; size: number; count: number; zip64: boolean };

const endSignature = 0x06054b50;
const zip64EndSignature = 0x06064b50;
const zip64LocatorSignature = 0x07064b50;
const endSize = 22;
const longestComment = 0xffff;
const marker16 = 0xffff;
const marker32 = 0xffffffff;

/**
 * Finds the directory from the end of the file. The comment after the record must fill the file exactly, so that a
 * record hidden inside a comment is never taken for the real one.
 */
export function locateDirectory(
  fd: number,
  label: string,
  archiveBytes: number,
): ZipEndRecord | ArchiveProblem {
  const tailStart = Math.max(0, archiveBytes - endSize - longestComment);
  const tail = readAt(fd, tailStart, archiveBytes - tailStart);
  let at = tail.length - endSize;
  while (
    at >= 0 &&
    !(tail.readUInt32LE(at) === endSignature && at + endSize + tail.readUInt16LE(at + 20) === tail.length)
  ) {
    at--;
  }
  if (at < 0) return refuse("TRUNCATED", label, null, "ends without a zip directory");
  const damaged = (cause: string) => refuse("DAMAGED", label, null, cause);
  if (tail.readUInt16LE(at + 4) !== 0 && tail.readUInt16LE(at + 4) !== marker16) {
    return refuse("UNSUPPORTED", label, null, "is one part of a zip in several parts");
  }
  const classic = {
    count: tail.readUInt16LE(at + 10),
    size: tail.readUInt32LE(at + 12),
    start: tail.readUInt32LE(at + 16),
  };
  const end = tailStart + at;
  const locator = readAt(fd, Math.max(0, end - 20), Math.min(end, 20));
  const hasLocator = locator.length === 20 && locator.readUInt32LE(0) === zip64LocatorSignature;
  if (!hasLocator) {
    // 65,535 entries are legal without zip64; a 4 GiB size or offset is not.
    if (classic.size === marker32 || classic.start === marker32) {
      return damaged("claims to be zip64 but has no zip64 record");
    }
    if (classic.start + classic.size > end) return damaged("has a directory that reaches beyond its end");
    return { ...classic, zip64: false };
  }
  const recordStart = toSafeNumber(locator.readBigUInt64LE(8));
  const record = recordStart + 56 <= end - 20 ? readAt(fd, recordStart, 56) : Buffer.alloc(0);
  if (record.length < 56 || record.readUInt32LE(0) !== zip64EndSignature) {
    return damaged("claims to be zip64 but has no zip64 record");
  }
  const large = {
    count: toSafeNumber(record.readBigUInt64LE(32)),
    size: toSafeNumber(record.readBigUInt64LE(40)),
    start: toSafeNumber(record.readBigUInt64LE(48)),
  };
  const contradicts =
    (classic.count !== marker16 && classic.count !== large.count) ||
    (classic.size !== marker32 && classic.size !== large.size) ||
    (classic.start !== marker32 && classic.start !== large.start);
  if (contradicts) return damaged("contradicts itself between its zip and zip64 records");
  if (large.start + large.size > recordStart) return damaged("has a directory that reaches beyond its end");
  return { ...large, zip64: true };
}
