import { crc32, deflateRawSync } from "node:zlib";

export type RawEntry = {
  name: string;
  content?: Buffer;
  method?: number;
  flags?: number;
  mode?: number;
  crc?: number;
  /** What the headers say, when they lie. */
  bytes?: number;
  packedBytes?: number;
  offset?: number;
  extra?: Buffer;
};

export type RawEnd = { count?: number; size?: number; start?: number };

/** A zip built field by field, so that each field can lie. */
export function rawZip(
  entries: RawEntry[],
  end: RawEnd = {},
  beforeEnd: (start: number, size: number) => Buffer = () => Buffer.alloc(0),
): Buffer {
  const parts: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const entry of entries) {
    const content = entry.content ?? Buffer.alloc(0);
    const method = entry.method ?? 8;
    const packed = method === 8 ? deflateRawSync(content) : content;
    const name = Buffer.from(entry.name, "utf8");
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(entry.flags ?? 0x800, 6);
    local.writeUInt16LE(method, 8);
    local.writeUInt16LE(name.length, 26);
    const record = Buffer.alloc(46);
    record.writeUInt32LE(0x02014b50, 0);
    record.writeUInt16LE(0x0314, 4);
    record.writeUInt16LE(entry.flags ?? 0x800, 8);
    record.writeUInt16LE(method, 10);
    record.writeUInt32LE(entry.crc ?? crc32(content), 16);
    record.writeUInt32LE(entry.packedBytes ?? packed.length, 20);
    record.writeUInt32LE(entry.bytes ?? content.length, 24);
    record.writeUInt16LE(name.length, 28);
    record.writeUInt16LE(entry.extra?.length ?? 0, 30);
    record.writeUInt32LE((entry.mode ?? 0o100644) * 0x10000, 38);
    record.writeUInt32LE(entry.offset ?? offset, 42);
    parts.push(local, name, packed);
    directory.push(record, name, entry.extra ?? Buffer.alloc(0));
    offset += 30 + name.length + packed.length;
  }
  const listing = Buffer.concat(directory);
  const last = Buffer.alloc(22);
  last.writeUInt32LE(0x06054b50, 0);
  last.writeUInt16LE(end.count ?? entries.length & 0xffff, 10);
  last.writeUInt32LE(end.size ?? listing.length, 12);
  last.writeUInt32LE(end.start ?? offset, 16);
  return Buffer.concat([...parts, listing, beforeEnd(offset, listing.length), last]);
}
