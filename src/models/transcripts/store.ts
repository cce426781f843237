import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import zlib from "node:zlib";
import { z } from "zod";
import { makeFolder } from "../../files/make-folder.ts";
import { openAppending } from "../../files/plain-file.ts";
import { withoutSecrets } from "../masking.ts";
import { shapeOf } from "./split.ts";

export const TRANSCRIPT_MODES = ["none", "hashes", "full"] as const;
export type TranscriptMode = (typeof TRANSCRIPT_MODES)[number];

/** What a trial's bodies may take on disk, compressed. */
const MAX_PACK_BYTES = 512 * 2 ** 20;

/**
 * What the list of their pieces may take: a request of a million empty messages is a few kilobytes in the pack, and none here. The
 * reader takes 2 ** 28: a last line, which says that it is full, must fit in as well.
 */
const MAX_INDEX_BYTES = 2 ** 28 - 2 ** 20;
const MAX_PIECES = 4096;

/** A line of `model/transcript.jsonl`. */
export const TranscriptLine = z.object({
  /** The line of the ledger. */
  call: z.int(),
  protocol: z.string(),
  /** Hashes of the pieces, in order; null when bodies are not kept. */
  request: z.array(z.string()).nullable(),
  reply: z.array(z.string()).nullable(),
  /** Where this call's new pieces lie in `model/bodies.pack`: deflated together, one after the other. */
  block: z
    .object({ offset: z.int(), bytes: z.int(), pieces: z.array(z.tuple([z.string(), z.int()])) })
    .nullable(),
  note: z.string().nullable(),
});
export type TranscriptLine = z.infer<typeof TranscriptLine>;

export interface TranscriptStore {
  keep(call: number, protocol: string, request: Uint8Array, reply: Uint8Array): void;
  close(): void;
}

export function transcriptPaths(folder: string) {
  return { index: path.join(folder, "transcript.jsonl"), pack: path.join(folder, "bodies.pack") };
}

/** Keeps bodies by their content: what an earlier call sent already is not written again. */
export function openTranscripts(
  folder: string,
  mode: TranscriptMode,
  {
    maxBytes = MAX_PACK_BYTES,
    maxIndexBytes = MAX_INDEX_BYTES,
    secrets = [],
  }: { maxBytes?: number; maxIndexBytes?: number; secrets?: readonly string[] } = {},
): TranscriptStore {
  if (mode !== "full") return { keep: () => {}, close: () => {} };
  makeFolder(folder);
  const paths = transcriptPaths(folder);
  const index = openAppending(paths.index);
  const pack = openAppending(paths.pack);
  if (fs.fstatSync(index).size === 0)
    fs.writeSync(index, `${JSON.stringify({ schema: "mlebench/transcript", version: 1 })}\n`);
  const known = new Set<string>();
  let offset = fs.fstatSync(pack).size;
  let listed = fs.fstatSync(index).size;
  let full = false;

  function piecesOf(body: Uint8Array, cut: boolean): Uint8Array[] {
    const safe = withoutSecrets(body, secrets);
    const at = cut && safe === body ? thinned(shapeOf(body).cuts) : [];
    const borders = [0, ...at.filter((position) => position > 0), safe.length];
    return borders.slice(0, -1).map((start, i) => safe.subarray(start, borders[i + 1]));
  }

  return {
    keep(call, protocol, request, reply) {
      const fresh: { hash: string; piece: Uint8Array }[] = [];
      const hashesOf = (pieces: Uint8Array[]) =>
        pieces.map((piece) => {
          const hash = createHash("sha256").update(piece).digest("hex");
          if (!known.has(hash)) {
            known.add(hash);
            fresh.push({ hash, piece });
          }
          return hash;
        });
      const line: TranscriptLine = { call, protocol, request: null, reply: null, block: null, note: null };
      if (full) return;
      const hashes = { request: hashesOf(piecesOf(request, true)), reply: hashesOf(piecesOf(reply, false)) };
      const packed = zlib.deflateRawSync(Buffer.concat(fresh.map(({ piece }) => piece)), { level: 1 });
      const pieces = fresh.map(({ hash, piece }): [string, number] => [hash, piece.length]);
      const whole = { ...line, ...hashes, block: { offset, bytes: packed.length, pieces } };
      let row = `${JSON.stringify(whole)}\n`;
      const limit =
        offset + packed.length > maxBytes
          ? maxBytes
          : listed + row.length > maxIndexBytes
            ? maxIndexBytes
            : null;
      if (limit === null) {
        fs.writeSync(pack, packed);
        offset += packed.length;
      } else {
        full = true;
        line.note = `From here on bodies are not kept: they would take more than ${limit} bytes.`;
        row = `${JSON.stringify(line)}\n`;
      }
      fs.writeSync(index, row);
      listed += row.length;
    },
    close() {
      fs.closeSync(index);
      fs.closeSync(pack);
    },
  };
}

/** At most so many cuts, and always the same ones of a conversation that grows slowly: its pieces are found again. */
function thinned(cuts: readonly number[]): readonly number[] {
  let every = 1;
  while (cuts.length / every > MAX_PIECES) every *= 2;
  return every === 1 ? cuts : cuts.filter((_, i) => i % every === 0);
}
