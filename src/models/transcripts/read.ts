import fs from "node:fs";
import zlib from "node:zlib";
import { TranscriptLine, transcriptPaths } from "./store.ts";

export interface KeptCall {
  call: number;
  protocol: string;
  /** Null: not kept, or the file is damaged. */
  request: Buffer | null;
  reply: Buffer | null;
  note: string | null;
}

/** Reads a trial's bodies back, one call at a time. Missing files have no calls. */
export function* readTranscripts(folder: string): Generator<KeptCall> {
  const paths = transcriptPaths(folder);
  if (!fs.existsSync(paths.index)) return;
  const pack = fs.existsSync(paths.pack) ? fs.readFileSync(paths.pack) : Buffer.alloc(0);
  const pieces = new Map<string, Buffer>();
  for (const row of fs.readFileSync(paths.index, "utf8").split("\n").slice(1)) {
    const line = parseLine(row);
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
    content = zlib.inflateRawSync(pack.subarray(block.offset, block.offset + block.bytes));
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
