import { crc32, inflateSync } from "node:zlib";
import { type FormatProblem, unreadable } from "./format-problem.ts";

export type GrayImage = { status: "image"; width: number; height: number; pixels: Uint8Array };
export type PngSize = { width: number; height: number };

type Chunks = { header: Buffer; palette: Buffer; data: Buffer };
type Pass = { x: number; y: number; stepX: number; stepY: number };

const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const mostPixels = 2 ** 28;
const samplesPerPixel: Record<number, number> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };
const onePass: Pass[] = [{ x: 0, y: 0, stepX: 1, stepY: 1 }];
const adam7: Pass[] = [
  { x: 0, y: 0, stepX: 8, stepY: 8 },
  { x: 4, y: 0, stepX: 8, stepY: 8 },
  { x: 0, y: 4, stepX: 4, stepY: 8 },
  { x: 2, y: 0, stepX: 4, stepY: 4 },
  { x: 0, y: 2, stepX: 2, stepY: 4 },
  { x: 1, y: 0, stepX: 2, stepY: 2 },
  { x: 0, y: 1, stepX: 1, stepY: 2 },
];

/** Width and height from the first 24 bytes of a PNG; null if it is none. */
export function pngSize(bytes: Buffer): PngSize | null {
  if (bytes.length < 24 || !bytes.subarray(0, 8).equals(signature)) return null;
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/**
 * Decodes a PNG to 8-bit gray as Pillow's "L" does: colours by 19595 R + 38470 G + 7471 B, transparency and gamma
 * ignored. 16-bit images are refused, because nobody has recorded what the original makes of them.
 */
export function decodeGrayPng(bytes: Buffer, file: string): GrayImage | FormatProblem {
  const size = pngSize(bytes);
  if (size === null) return unreadable(file, "is not a PNG");
  const chunks = readChunks(bytes);
  if (chunks === null) return unreadable(file, "is a damaged PNG");
  const { width, height } = size;
  const [depth, colour, , , interlace] = chunks.header.subarray(8);
  const samples = samplesPerPixel[colour];
  if (samples === undefined || ![1, 2, 4, 8].includes(depth) || interlace > 1) {
    return unreadable(file, `is a PNG of ${depth} bits and colour type ${colour}, which we cannot read`);
  }
  if (depth < 8 && samples > 1) return unreadable(file, "is a damaged PNG");
  if (width === 0 || height === 0 || width * height > mostPixels)
    return unreadable(file, "is a PNG of impossible size");

  const bits = depth * samples;
  const passes = (interlace === 1 ? adam7 : onePass).map((pass) => ({
    ...pass,
    width: Math.ceil((width - pass.x) / pass.stepX),
    height: Math.ceil((height - pass.y) / pass.stepY),
  }));
  const visible = passes.filter((pass) => pass.width > 0 && pass.height > 0);
  const expected = visible.reduce(
    (sum, pass) => sum + pass.height * (1 + Math.ceil((pass.width * bits) / 8)),
    0,
  );
  const raw = inflate(chunks.data, expected);
  if (raw === null) return unreadable(file, "is a PNG whose pixels are damaged");

  const gray = grayReader(colour, depth, samples, chunks.palette);
  const pixels = new Uint8Array(width * height);
  let at = 0;
  for (const pass of visible) {
    const lineBytes = Math.ceil((pass.width * bits) / 8);
    let above: Buffer = Buffer.alloc(lineBytes);
    for (let row = 0; row < pass.height; row++) {
      const line = raw.subarray(at + 1, at + 1 + lineBytes);
      if (!unfilter(raw[at], line, above, Math.max(1, bits >> 3)))
        return unreadable(file, "is a PNG with an unknown filter");
      const base = (pass.y + row * pass.stepY) * width + pass.x;
      for (let i = 0; i < pass.width; i++) pixels[base + i * pass.stepX] = gray(line, i);
      above = line;
      at += 1 + lineBytes;
    }
  }
  return { status: "image", width, height, pixels };
}

/** Header, palette and joined pixel data; null if a chunk is cut off or fails its checksum. */
function readChunks(bytes: Buffer): Chunks | null {
  let header: Buffer | null = null;
  let palette: Buffer = Buffer.alloc(0);
  const data: Buffer[] = [];
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length || crc32(bytes.subarray(at + 4, end)) !== bytes.readUInt32BE(end)) return null;
    const type = bytes.toString("latin1", at + 4, at + 8);
    const content = bytes.subarray(at + 8, end);
    if (type === "IHDR") header = content;
    else if (type === "PLTE") palette = content;
    else if (type === "IDAT") data.push(content);
    else if (type === "IEND")
      return header?.length === 13 ? { header, palette, data: Buffer.concat(data) } : null;
    at = end + 4;
  }
  return null;
}

function inflate(data: Buffer, expected: number): Buffer | null {
  try {
    const raw = inflateSync(data, { maxOutputLength: expected });
    return raw.length === expected ? raw : null;
  } catch {
    return null;
  }
}

/** Undoes one of the five row filters in place; false for a filter that does not exist. */
function unfilter(filter: number, line: Buffer, above: Buffer, step: number): boolean {
  if (filter > 4) return false;
  if (filter === 0) return true;
  for (let i = 0; i < line.length; i++) {
    const left = i >= step ? line[i - step] : 0;
    const up = above[i];
    if (filter === 1) line[i] += left;
    else if (filter === 2) line[i] += up;
    else if (filter === 3) line[i] += (left + up) >> 1;
    else line[i] += paeth(left, up, i >= step ? above[i - step] : 0);
  }
  return true;
}

function paeth(left: number, up: number, corner: number): number {
  const guess = left + up - corner;
  const byLeft = Math.abs(guess - left);
  const byUp = Math.abs(guess - up);
  const byCorner = Math.abs(guess - corner);
  if (byLeft <= byUp && byLeft <= byCorner) return left;
  return byUp <= byCorner ? up : corner;
}

function grayReader(
  colour: number,
  depth: number,
  samples: number,
  palette: Buffer,
): (line: Buffer, pixel: number) => number {
  if (colour === 2 || colour === 6) {
    return (line, pixel) => luma(line[pixel * samples], line[pixel * samples + 1], line[pixel * samples + 2]);
  }
  if (colour === 4) return (line, pixel) => line[pixel * 2];
  const mask = (1 << depth) - 1;
  const perByte = 8 / depth;
  const sample = (line: Buffer, pixel: number) =>
    (line[Math.floor(pixel / perByte)] >> (8 - depth * ((pixel % perByte) + 1))) & mask;
  if (colour === 0) return (line, pixel) => sample(line, pixel) * (255 / mask);
  // An index beyond the palette is black.
  const grays = Uint8Array.from({ length: 256 }, (_, i) =>
    luma(palette[3 * i] ?? 0, palette[3 * i + 1] ?? 0, palette[3 * i + 2] ?? 0),
  );
  return (line, pixel) => grays[sample(line, pixel)];
}

function luma(red: number, green: number, blue: number): number {
  return (19595 * red + 38470 * green + 7471 * blue + 32768) >> 16;
}
