import fs from "node:fs";
import path from "node:path";
import { gzipSync } from "node:zlib";

const target = path.resolve(import.meta.dirname, "../../../data/starter");

/** Writes data/starter/<id>.tar.gz from pairs of a name and its content; the same input gives the same bytes. */
export function writeRawArchive(id, files) {
  const blocks = [];
  for (const [name, content] of files) {
    const bytes = Buffer.from(content);
    blocks.push(tarHeader(name, bytes.length), bytes, Buffer.alloc((512 - (bytes.length % 512)) % 512));
  }
  blocks.push(Buffer.alloc(1024));
  const archive = gzipSync(Buffer.concat(blocks), { level: 9, memLevel: 9 });
  fs.mkdirSync(target, { recursive: true });
  fs.writeFileSync(path.join(target, `${id}.tar.gz`), archive);
  console.log(`${id}: ${files.length} files, ${(archive.length / 1024).toFixed(0)} kB`);
}

function tarHeader(name, size) {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100, "ascii");
  header.write("0000644\0", 100);
  header.write("0000000\0", 108);
  header.write("0000000\0", 116);
  header.write(`${size.toString(8).padStart(11, "0")}\0`, 124);
  header.write("00000000000\0", 136);
  header.write("        0", 148);
  header.write("ustar\x0000", 257);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return header;
}

/** A table as CSV text: rows of plain values under a header. */
export function csv(header, rows) {
  return `${[header, ...rows].map((row) => row.map(field).join(",")).join("\n")}\n`;
}

function field(value) {
  const text = String(value ?? "");
  return /[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
