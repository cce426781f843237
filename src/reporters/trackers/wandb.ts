import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import type { Results } from "../../analysis/results.ts";
import { type TrackedRun, trackedRuns } from "./tracked-run.ts";

/**
 * Offline runs as W&B's own client leaves them, by their names below `wandb/`: `wandb sync <folder>` sends them whenever
 * somebody wishes; nothing is sent here. A run is a log of protocol-buffer records in LevelDB's framing.
 */
export function wandbFiles(results: Results): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  for (const run of trackedRuns(results)) {
    const id = createHash("sha256")
      .update(`${run.summary.agent}\n${run.summary.id}`)
      .digest("hex")
      .slice(0, 8);
    const stamp = new Date(run.startedAt ?? 0)
      .toISOString()
      .replaceAll(/[-:]/g, "")
      .slice(0, 15)
      .replace("T", "_");
    files.set(`offline-run-${stamp}-${id}/run-${id}.wandb`, framed(recordsOf(run, id, results.title)));
  }
  return files;
}

/** Numbers of the fields in W&B's record. */
const RECORD = { num: 1, history: 2, summary: 3, run: 17, exit: 18 } as const;
const RUN = { id: 1, project: 3, config: 4, group: 6, jobType: 7, name: 8, tags: 10, startTime: 17 } as const;
const ITEM = { key: 1, json: 16 } as const;

function recordsOf(run: TrackedRun, id: string, title: string): Buffer[] {
  const { summary, settings, final, history, startedAt, endedAt } = run;
  const config = Object.entries(settings).map(([key, value]) => item(1, key, value));
  const start = Math.floor((startedAt ?? 0) / 1000);
  const records: Buffer[] = [
    message(
      RECORD.run,
      bytes(RUN.id, id),
      bytes(RUN.project, "mlebench"),
      message(RUN.config, ...config),
      bytes(RUN.group, title),
      bytes(RUN.jobType, summary.agent),
      bytes(RUN.name, `${summary.competitionId} seed ${summary.seed}`),
      bytes(RUN.tags, summary.state),
      message(RUN.startTime, integer(1, start)),
    ),
    ...history.map(({ elapsedSeconds, time, score }, step) =>
      message(
        RECORD.history,
        item(1, "score", score),
        item(1, "_runtime", elapsedSeconds),
        item(1, "_timestamp", time / 1000),
        item(1, "_step", step),
        message(2, integer(1, step)),
      ),
    ),
    message(RECORD.summary, ...Object.entries(final).map(([key, value]) => item(1, key, value))),
    message(
      RECORD.exit,
      integer(1, run.failed ? 1 : 0),
      integer(2, Math.round(((endedAt ?? startedAt ?? 0) - (startedAt ?? 0)) / 1000)),
    ),
  ];
  return records.map((record, i) => Buffer.concat([integer(RECORD.num, i + 1), record]));
}

/** A named value: protocol buffers carry it as JSON. */
function item(field: number, key: string, value: unknown): Buffer {
  return message(field, bytes(ITEM.key, key), bytes(ITEM.json, JSON.stringify(value)));
}

function varint(value: number): Buffer {
  const out: number[] = [];
  let rest = BigInt(Math.trunc(value));
  do {
    const low = Number(rest & 127n);
    rest >>= 7n;
    out.push(rest > 0n ? low | 128 : low);
  } while (rest > 0n);
  return Buffer.from(out);
}

function integer(field: number, value: number): Buffer {
  return Buffer.concat([varint(field * 8), varint(Math.max(0, value))]);
}

function bytes(field: number, value: string | Buffer): Buffer {
  const content = Buffer.from(value);
  return Buffer.concat([varint(field * 8 + 2), varint(content.length), content]);
}

function message(field: number, ...parts: Buffer[]): Buffer {
  return bytes(field, Buffer.concat(parts));
}

const BLOCK = 32_768;
const HEAD = 7;
const FULL = 1;
const FIRST = 2;
const MIDDLE = 3;
const LAST = 4;

/** LevelDB's log in blocks of 32 KiB, behind W&B's own seven bytes, with zlib's checksum in place of LevelDB's. */
function framed(records: readonly Buffer[]): Uint8Array {
  const ident = Buffer.from([...Buffer.from(":W&B"), 0xe1, 0xbe, 0]);
  const out: Buffer[] = [ident];
  let position = ident.length;
  const put = (chunk: Buffer) => {
    out.push(chunk);
    position += chunk.length;
  };
  for (const record of records) {
    for (let from = 0, isFirst = true; isFirst || from < record.length; isFirst = false) {
      let room = BLOCK - (position % BLOCK);
      if (room < HEAD) {
        put(Buffer.alloc(room));
        room = BLOCK;
      }
      const part = record.subarray(from, from + room - HEAD);
      from += part.length;
      const isLast = from === record.length;
      const type = isFirst ? (isLast ? FULL : FIRST) : isLast ? LAST : MIDDLE;
      const head = Buffer.alloc(HEAD);
      head.writeUInt32LE(crc32(part, crc32(Buffer.from([type]))));
      head.writeUInt16LE(part.length, 4);
      head.writeUInt8(type, 6);
      put(head);
      put(part);
    }
  }
  return Buffer.concat(out);
}
