import { closeSync, createReadStream, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { openPackEntry, type PackEntry } from "./pack-entry.ts";

const block = 512;
const largestOctal = 0o77777777777;

/**
 * Writes an uncompressed tar in the order given, whatever the target is called. Times and owners are zero, so equal
 * input gives equal bytes. Throws what the file system throws.
 */
export async function writeTar(target: string, entries: Iterable<PackEntry>): Promise<void> {
  const partial = `${target}.partial-${process.pid}`;
  const fd = openSync(partial, "w");
  const append = (bytes: Uint8Array) => {
    for (let at = 0; at < bytes.length; ) at += writeSync(fd, bytes, at);
  };
  let complete = false;
  try {
    for (const entry of entries) {
      const source = openPackEntry(entry);
      append(tarHeaders(entry.name, entry.content === "folder", source.size));
      let written = 0;
      const chunks =
        "bytes" in source ? [source.bytes] : createReadStream(source.file, { highWaterMark: 1 << 20 });
      for await (const chunk of chunks) {
        append(chunk);
        written += chunk.length;
      }
      if (written !== source.size) throw new Error(`${entry.name} changed while it was being packed`);
      append(Buffer.alloc((block - (written % block)) % block));
    }
    append(Buffer.alloc(2 * block));
    complete = true;
  } finally {
    closeSync(fd);
    if (!complete) rmSync(partial, { force: true });
  }
  renameSync(partial, target);
}

/** The entry's header, after a pax header where its name or size does not fit the old one. */
function tarHeaders(name: string, folder: boolean, size: number): Buffer {
  const fits = Buffer.byteLength(name) <= 100 && /^[\x20-\x7e]*$/.test(name);
  const records = fits ? [] : [paxRecord("path", name)];
  if (size > largestOctal) records.push(paxRecord("size", String(size)));
  const header = tarHeader(fits ? name : name.slice(-40), folder ? "5" : "0", folder ? 0o755 : 0o644, size);
  if (records.length === 0) return header;
  const pax = Buffer.from(records.join(""));
  const padding = Buffer.alloc((block - (pax.length % block)) % block);
  return Buffer.concat([tarHeader("PaxHeader", "x", 0o644, pax.length), pax, padding, header]);
}

function tarHeader(name: string, type: string, mode: number, size: number): Buffer {
  const header = Buffer.alloc(block);
  header.write(name, 0, 100);
  header.write(octal(mode, 7), 100);
  header.write(octal(0, 7), 108);
  header.write(octal(0, 7), 116);
  header.write(octal(Math.min(size, largestOctal), 11), 124);
  header.write(octal(0, 11), 136);
  header.write("        ", 148);
  header.write(type, 156);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${octal(sum, 6)}\0 `, 148);
  return header;
}

/** "<length> key=value\n", where the length counts its own digits too. */
function paxRecord(key: string, value: string): string {
  const rest = Buffer.byteLength(` ${key}=${value}\n`);
  let length = rest + String(rest).length;
  if (String(length).length > String(rest).length) length = rest + String(length).length;
  return `${length} ${key}=${value}\n`;
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, "0");
}
