import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { diskProblem, lacksSpace } from "./disk.ts";
import type { Answer } from "./exchange.ts";
import { type KaggleProblem, kaggleProblem } from "./messages.ts";
import { partialPath } from "./partial-file.ts";
import { createMeter, type DownloadProgress } from "./progress.ts";

export type Received = { status: "received"; bytes: number };

/** An md5 that is fed while bytes are written, and worth something only while none was missed. */
export type RunningMd5 = { bytes: number; update: (chunk: Buffer) => void; hex: () => string };

/** Starts at byte 0 of a file. `hex` may be asked at any time. */
export function createRunningMd5(): RunningMd5 {
  const hash = createHash("md5");
  const running = {
    bytes: 0,
    update(chunk: Buffer) {
      hash.update(chunk);
      running.bytes += chunk.length;
    },
    hex: () => hash.copy().digest("hex"),
  };
  return running;
}

export type Receiving = {
  target: string;
  competition: string | null;
  /** Where the body begins in the file. */
  from: number;
  size: number | null;
  md5: RunningMd5;
  now: () => number;
  onProgress: (progress: DownloadProgress) => void;
};

/** Writes a body into the partial file and flushes it, also when the body breaks off: what has come is kept. */
export async function receive(answer: Answer, job: Receiving): Promise<Received | KaggleProblem> {
  const { target, competition, from, size, md5 } = job;
  const folder = path.dirname(target);
  const tooSmall = size === null ? null : lacksSpace(competition, folder, size - from);
  if (tooSmall !== null) {
    answer.discard();
    return tooSmall;
  }
  let file: fs.promises.FileHandle;
  try {
    file = await fs.promises.open(partialPath(target), from === 0 ? "w" : "r+");
  } catch (error) {
    answer.discard();
    return diskProblem(error, competition, folder);
  }
  const meter = createMeter({
    phase: "download",
    doneBytes: from,
    totalBytes: size,
    now: job.now,
    report: job.onProgress,
  });
  let position = from;
  let broken: KaggleProblem | null = null;
  try {
    for await (const chunk of bodyOf(answer)) {
      if ("status" in chunk) {
        broken = chunk;
        break;
      }
      await writeAll(file, chunk, position);
      if (md5.bytes === position) md5.update(chunk);
      position += chunk.length;
      meter.add(chunk.length);
    }
    await file.sync();
  } catch (error) {
    answer.discard();
    return diskProblem(error, competition, folder);
  } finally {
    await file.close();
  }
  meter.finish();
  if (broken !== null) return broken;
  if (size !== null && position !== size) {
    return kaggleProblem("TRUNCATED", competition, `the download ended after ${position} of ${size} bytes`);
  }
  return { status: "received", bytes: position };
}

/** The body, and its failure as a last value: so a failing disk and a failing network are never mistaken for each other. */
async function* bodyOf(answer: Answer): AsyncGenerator<Buffer | KaggleProblem> {
  const body = answer.body();
  for (;;) {
    let next: IteratorResult<Buffer>;
    try {
      next = await body.next();
    } catch (error) {
      yield answer.explain(error);
      return;
    }
    if (next.done) return;
    yield next.value;
  }
}

async function writeAll(file: fs.promises.FileHandle, chunk: Buffer, position: number): Promise<void> {
  for (let at = 0; at < chunk.length; ) {
    const { bytesWritten } = await file.write(chunk, at, chunk.length - at, position + at);
    at += bytesWritten;
  }
}
