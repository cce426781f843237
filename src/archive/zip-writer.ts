import { closeSync, createReadStream, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { pipeline } from "node:stream/promises";
import { crc32, createDeflateRaw, deflateRawSync } from "node:zlib";
import { openPackEntry, type PackEntry, type PackSource } from "./pack-entry.ts";

export type ZipMethod = "deflate" | "store";

type Written = {
  name: Buffer;
  folder: boolean;
  method: number;
  crc: number;
  packed: number;
  bytes: number;
  offset: number;
};

const marker32 = 0xffffffff;
// Deflate can grow its input a little, so room for 64-bit sizes is reserved somewhat below the limit.
const zip64Above = 0xf0000000;
const utf8Names = 0x800;
// 1 January 1980, the first day a zip can tell: equal content gives equal bytes.
const dosDate = 0x21;

/**
 * Writes a zip in the order given, under its final name only once it is complete. Times and owners are constant, so
 * equal input gives equal bytes. Throws what the file system throws.
 */
export async function writeZip(
  target: string,
  entries: Iterable<PackEntry>,
  method: ZipMethod,
): Promise<void> {
  const partial = `${target}.partial-${process.pid}`;
  const remove = () => rmSync(partial, { force: true });
  const fd = openSync(partial, "w");
  // Ctrl-C may end the process while a part is being packed.
  process.once("exit", remove);
  let complete = false;
  try {
    let position = 0;
    const append = (bytes: Uint8Array) => {
      for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at, bytes.length - at, position + at);
      position += bytes.length;
    };
    const directory: Buffer[] = [];
    for (const entry of entries) {
      const offset = position;
      const source = openPackEntry(entry);
      const large = source.size > zip64Above;
      const base = { name: Buffer.from(entry.name), folder: entry.content === "folder", offset };
      const coded = method === "deflate" && source.size > 0 ? 8 : 0;
      const blank = { ...base, method: coded, crc: 0, packed: 0, bytes: 0 };
      position += localHeader(blank, large).length;
      const written = { ...blank, ...(await packContent(source, coded === 8, append)), bytes: source.size };
      const header = localHeader(written, large);
      for (let at = 0; at < header.length; ) at += writeSync(fd, header, at, header.length - at, offset + at);
      directory.push(directoryRecord(written));
    }
    const start = position;
    for (const record of directory) append(record);
    append(endRecords(directory.length, start, position - start));
    complete = true;
  } finally {
    closeSync(fd);
    process.off("exit", remove);
    if (!complete) remove();
  }
  renameSync(partial, target);
}

async function packContent(
  source: PackSource,
  deflate: boolean,
  append: (bytes: Uint8Array) => void,
): Promise<{ crc: number; packed: number }> {
  if ("bytes" in source) {
    const content = deflate ? deflateRawSync(source.bytes) : source.bytes;
    append(content);
    return { crc: crc32(source.bytes), packed: content.length };
  }
  let crc = 0;
  let read = 0;
  let packed = 0;
  const measure = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      crc = crc32(chunk, crc);
      read += chunk.length;
      yield chunk;
    }
  };
  const write = async (chunks: AsyncIterable<Buffer>) => {
    for await (const chunk of chunks) {
      append(chunk);
      packed += chunk.length;
    }
  };
  const chunkSize = 1 << 20;
  const file = createReadStream(source.file, { highWaterMark: chunkSize });
  if (deflate) await pipeline(file, measure, createDeflateRaw({ chunkSize }), write);
  else await pipeline(file, measure, write);
  if (read !== source.size) throw new Error(`${source.file} changed while it was being packed`);
  return { crc, packed };
}

function localHeader(entry: Written, large: boolean): Buffer {
  const header = Buffer.alloc(30 + entry.name.length + (large ? 20 : 0));
  header.writeUInt32LE(0x04034b50, 0);
  writeCommon(header, 4, entry, large);
  header.writeUInt32LE(large ? marker32 : entry.packed, 18);
  header.writeUInt32LE(large ? marker32 : entry.bytes, 22);
  header.writeUInt16LE(entry.name.length, 26);
  header.writeUInt16LE(large ? 20 : 0, 28);
  entry.name.copy(header, 30);
  if (large) {
    const extra = 30 + entry.name.length;
    header.writeUInt16LE(1, extra);
    header.writeUInt16LE(16, extra + 2);
    header.writeBigUInt64LE(BigInt(entry.bytes), extra + 4);
    header.writeBigUInt64LE(BigInt(entry.packed), extra + 12);
  }
  return header;
}

function directoryRecord(entry: Written): Buffer {
  const large = [entry.bytes, entry.packed, entry.offset].filter((value) => value >= marker32);
  const extraLength = large.length > 0 ? 4 + 8 * large.length : 0;
  const record = Buffer.alloc(46 + entry.name.length + extraLength);
  record.writeUInt32LE(0x02014b50, 0);
  record.writeUInt16LE(0x0300 | 45, 4);
  writeCommon(record, 6, entry, large.length > 0);
  record.writeUInt32LE(Math.min(entry.packed, marker32), 20);
  record.writeUInt32LE(Math.min(entry.bytes, marker32), 24);
  record.writeUInt16LE(entry.name.length, 28);
  record.writeUInt16LE(extraLength, 30);
  // Unix mode in the upper half; the lowest bits are DOS attributes, 16 being "folder".
  record.writeUInt32LE(entry.folder ? 0o40755 * 0x10000 + 16 : 0o100644 * 0x10000, 38);
  record.writeUInt32LE(Math.min(entry.offset, marker32), 42);
  entry.name.copy(record, 46);
  if (extraLength > 0) {
    const extra = 46 + entry.name.length;
    record.writeUInt16LE(1, extra);
    record.writeUInt16LE(8 * large.length, extra + 2);
    for (const [i, value] of large.entries()) record.writeBigUInt64LE(BigInt(value), extra + 4 + 8 * i);
  }
  return record;
}

/** The fields both kinds of header share: version needed, flags, method, time, date, checksum. */
function writeCommon(header: Buffer, at: number, entry: Written, large: boolean): void {
  header.writeUInt16LE(large ? 45 : 20, at);
  header.writeUInt16LE(utf8Names, at + 2);
  header.writeUInt16LE(entry.method, at + 4);
  header.writeUInt16LE(dosDate, at + 8);
  header.writeUInt32LE(entry.crc, at + 10);
}

function endRecords(count: number, start: number, size: number): Buffer {
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(Math.min(count, 0xffff), 8);
  end.writeUInt16LE(Math.min(count, 0xffff), 10);
  end.writeUInt32LE(Math.min(size, marker32), 12);
  end.writeUInt32LE(Math.min(start, marker32), 16);
  if (count < 0xffff && size < marker32 && start < marker32) return end;
  const large = Buffer.alloc(56 + 20);
  large.writeUInt32LE(0x06064b50, 0);
  large.writeBigUInt64LE(44n, 4);
  large.writeUInt16LE(0x0300 | 45, 12);
  large.writeUInt16LE(45, 14);
  large.writeBigUInt64LE(BigInt(count), 24);
  large.writeBigUInt64LE(BigInt(count), 32);
  large.writeBigUInt64LE(BigInt(size), 40);
  large.writeBigUInt64LE(BigInt(start), 48);
  large.writeUInt32LE(0x07064b50, 56);
  large.writeBigUInt64LE(BigInt(start + size), 64);
  large.writeUInt32LE(1, 72);
  return Buffer.concat([large, end]);
}
