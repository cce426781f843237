import { crc32, deflateSync, inflateSync } from "node:zlib";

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** An 8-bit gray PNG, with whichever of three filters makes it smallest. */
export function encodeGrayPng(width, height, pixels) {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 0, 0, 0, 0], 8);
  const candidates = [0, 1, 2].map((filter) =>
    deflateSync(filtered(width, height, pixels, filter), { level: 9, memLevel: 9 }),
  );
  const data = candidates.reduce((best, next) => (next.length < best.length ? next : best));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function filtered(width, height, pixels, filter) {
  const lines = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) {
    lines[y * (width + 1)] = filter;
    for (let x = 0; x < width; x++) {
      const left = filter === 1 && x > 0 ? pixels[y * width + x - 1] : 0;
      const above = filter === 2 && y > 0 ? pixels[(y - 1) * width + x] : 0;
      lines[y * (width + 1) + 1 + x] = (pixels[y * width + x] - left - above) & 255;
    }
  }
  return lines;
}

function chunk(kind, data) {
  const body = Buffer.concat([Buffer.from(kind, "ascii"), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}

/** Gray and alpha of an 8-bit RGBA PNG without interlacing; null for any other kind. */
export function decodeGrayAlpha(bytes) {
  const width = bytes.readUInt32BE(16);
  const height = bytes.readUInt32BE(20);
  const [depth, colour, , , interlace] = bytes.subarray(24, 29);
  if (depth !== 8 || colour !== 6 || interlace !== 0) return null;
  const parts = [];
  for (let at = 8; at < bytes.length; at += bytes.readUInt32BE(at) + 12) {
    if (bytes.toString("ascii", at + 4, at + 8) === "IDAT")
      parts.push(bytes.subarray(at + 8, at + 8 + bytes.readUInt32BE(at)));
  }
  const lines = unfiltered(inflateSync(Buffer.concat(parts)), width * 4, height);
  const gray = new Float64Array(width * height);
  const alpha = new Float64Array(width * height);
  for (let i = 0; i < gray.length; i++) {
    gray[i] = 0.299 * lines[i * 4] + 0.587 * lines[i * 4 + 1] + 0.114 * lines[i * 4 + 2];
    alpha[i] = lines[i * 4 + 3] / 255;
  }
  return { width, height, gray, alpha };
}

function unfiltered(raw, stride, height) {
  const lines = new Uint8Array(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let x = 0; x < stride; x++) {
      const left = x >= 4 ? lines[y * stride + x - 4] : 0;
      const above = y > 0 ? lines[(y - 1) * stride + x] : 0;
      const corner = x >= 4 && y > 0 ? lines[(y - 1) * stride + x - 4] : 0;
      lines[y * stride + x] = raw[y * (stride + 1) + 1 + x] + predicted(filter, left, above, corner);
    }
  }
  return lines;
}

function predicted(filter, left, above, corner) {
  if (filter === 0) return 0;
  if (filter === 1) return left;
  if (filter === 2) return above;
  if (filter === 3) return (left + above) >> 1;
  const estimate = left + above - corner;
  const [a, b, c] = [left, above, corner].map((value) => Math.abs(estimate - value));
  return a <= b && a <= c ? left : b <= c ? above : corner;
}
