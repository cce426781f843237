import fs from "node:fs";
import zlib from "node:zlib";
import { readPlainBytes, readPlainText } from "../../files/plain-file.ts";
import { TranscriptLine, transcriptPaths } from "./store.ts";

export interface KeptCall {
  call: number;
  protocol: string;
  /** Null: not kept, or the file is damaged. */
  request: Buffer | null;
  reply: Buffer | null;
  note: string | null;
}

/** As much as can be read at once. */
const MAX_PACK_BYTES = 2 ** 31 - 1;
const MAX_INDEX_BYTES = 2 ** 28;
/** Understanding a line of hundreds of megabytes would end the process. */
const MAX_LINE = 2 ** 23;
/** Larger than any body the gateway takes. */
const MAX_BLOCK_BYTES = 2 ** 28;

/** Reads a trial's bodies back, one call at a time. Missing files have no calls. */
export function* readTranscripts(folder: string): Generator<KeptCall> {
  const paths = transcriptPaths(folder);
  if (!fs.existsSync(paths.index)) return;
  const pack = fs.existsSync(paths.pack)
    ? readPlainBytes(paths.pack, { maxBytes: MAX_PACK_BYTES, links: "refuse" })
    : Buffer.alloc(0);
  const pieces = new Map<string, Buffer>();
  for (const row of readPlainText(paths.index, { maxBytes: MAX_INDEX_BYTES, links: "refuse" })
    .split("\n")
    .slice(1)) {
    const line = row.length > MAX_LINE ? null : parseLine(row);
    if (line === null) continue;
    if (line.block !== null) unpack(pack, line.block, pieces);
    yield {
      call: line.call,
      protocol: line.protocol,
      request: join(line.request, pieces),
      reply: join(line.reply, pieces),
      note: line.note,
    };
  }
}

function unpack(
  pack: Buffer,
  block: NonNullable<TranscriptLine["block"]>,
  pieces: Map<string, Buffer>,
): void {
  let content: Buffer;
  try {
    content = zlib.inflateRawSync(pack.subarray(block.offset, block.offset + block.bytes), {
      maxOutputLength: MAX_BLOCK_BYTES,
    });
  } catch {
    return;
  }
  let from = 0;
  for (const [hash, length] of block.pieces) {
    pieces.set(hash, content.subarray(from, from + length));
    from += length;
  }
}

function join(hashes: readonly string[] | null, pieces: ReadonlyMap<string, Buffer>): Buffer | null {
  if (hashes === null || hashes.some((hash) => !pieces.has(hash))) return null;
  return Buffer.concat(hashes.map((hash) => pieces.get(hash)!));
}

function parseLine(row: string): TranscriptLine | null {
  try {
    return TranscriptLine.parse(JSON.parse(row));
  } catch {
    return null;
  }
}
