import fs from "node:fs";
import zlib from "node:zlib";
import { openPlain } from "../../files/plain-file.ts";
import { readRows } from "../../files/window.ts";
import type { KeptCall } from "./read.ts";
import { TranscriptLine, transcriptPaths } from "./store.ts";

const PIECE = 8 * 2 ** 20;
/** Larger than any body the gateway takes. */
const MAX_BLOCK = 256 * 2 ** 20;
/** Blocks are kept for the calls that follow, which say most of it again. */
const MAX_HELD = 64 * 2 ** 20;

type Block = NonNullable<TranscriptLine["block"]>;
interface Place {
  block: Block;
  at: number;
  length: number;
}

/** The bodies of some calls, without reading those of all others; what is damaged or missing is left out. */
export function readCalls(folder: string, wanted: readonly number[]): Map<number, KeptCall> {
  return new Map([...eachCall(folder, wanted)].map((kept) => [kept.call, kept]));
}

/** The same one after the other, for whoever need not hold them all at once. */
export function* eachCall(folder: string, wanted: readonly number[]): Generator<KeptCall> {
  const paths = transcriptPaths(folder);
  const places = new Map<string, Place>();
  const lines = new Map<number, TranscriptLine>();
  const last = Math.max(...wanted);
  for (let offset = 0; ; ) {
    const { rows, next } = readRows(paths.index, offset, PIECE);
    if (next <= offset) break;
    offset = next;
    let seen = -1;
    for (const row of rows) {
      const line = parseLine(row);
      if (line === null) continue;
      seen = Math.max(seen, line.call);
      let at = 0;
      for (const [hash, length] of line.block?.pieces ?? []) {
        places.set(hash, { block: line.block!, at, length });
        at += length;
      }
      if (wanted.includes(line.call)) lines.set(line.call, line);
    }
    if (seen >= last) break;
  }
  yield* joined(paths.pack, lines, places);
}

function* joined(
  pack: string,
  lines: ReadonlyMap<number, TranscriptLine>,
  places: ReadonlyMap<string, Place>,
): Generator<KeptCall> {
  const blocks = new Map<number, Buffer | null>();
  let held = 0;
  let handle: number | null = null;
  try {
    handle = openPlain(pack, { maxBytes: Number.POSITIVE_INFINITY, links: "refuse" });
  } catch {
    // Without it there are the lines, and their notes.
  }
  const contentOf = (block: Block): Buffer | null => {
    const known = blocks.get(block.offset);
    if (known !== undefined) return known;
    const content = handle === null ? null : inflated(handle, block);
    held += content?.length ?? 0;
    if (held > MAX_HELD) {
      blocks.clear();
      held = content?.length ?? 0;
    }
    blocks.set(block.offset, content);
    return content;
  };
  const bodyOf = (hashes: readonly string[] | null): Buffer | null => {
    const parts = hashes?.map((hash) => {
      const place = places.get(hash);
      const content = place === undefined ? null : contentOf(place.block);
      return content === null ? null : content.subarray(place!.at, place!.at + place!.length);
    });
    return parts === undefined || parts.some((part) => part === null)
      ? null
      : Buffer.concat(parts as Buffer[]);
  };
  try {
    for (const [call, { protocol, request, reply, note }] of [...lines].sort(([a], [b]) => a - b))
      yield { call, protocol, request: bodyOf(request), reply: bodyOf(reply), note };
  } finally {
    if (handle !== null) fs.closeSync(handle);
  }
}

function inflated(handle: number, { offset, bytes }: Block): Buffer | null {
  if (bytes > MAX_BLOCK || offset < 0 || bytes < 0) return null;
  try {
    const packed = Buffer.alloc(bytes);
    const count = fs.readSync(handle, packed, 0, bytes, offset);
    return zlib.inflateRawSync(packed.subarray(0, count), { maxOutputLength: MAX_BLOCK });
  } catch {
    return null;
  }
}

function parseLine(row: string): TranscriptLine | null {
  try {
    const parsed = TranscriptLine.safeParse(JSON.parse(row));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
