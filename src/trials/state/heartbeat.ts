import fs from "node:fs";
import os from "node:os";
import { z } from "zod";
import { readPlainText } from "../../files/plain-file.ts";
import type { TrialProgress } from "../trial/request.ts";

const EVERY_MS = 1000;
const MAX_BYTES = 2 ** 20;

/**
 * `heartbeat.json` in a trial's folder while it runs: how far it is, for anybody who sees the folder. `beat` counts up
 * as long as whoever runs the trial lives; a reader on another host watches whether it moves and compares no clocks.
 */
export const Heartbeat = z.looseObject({
  schema: z.literal("mlebench/heartbeat"),
  version: z.literal(1),
  beat: z.int(),
  host: z.string(),
  pid: z.int(),
  executor: z.string(),
  /** What the executor calls the job; null where it has no name for it. */
  jobId: z.string().nullable(),
  attempt: z.int(),
  elapsedSeconds: z.number(),
  timeSeconds: z.number(),
  peakMemoryBytes: z.number(),
  cpuSeconds: z.number(),
  submissions: z.int(),
  lastLine: z.string(),
});
export type Heartbeat = z.infer<typeof Heartbeat>;

export interface JobPlace {
  executor: string;
  jobId: string | null;
}

export interface HeartbeatWriter {
  show(progress: TrialProgress): void;
  end(): void;
}

/** Writes the heartbeat of one attempt, once a second at most. A disk that is full for a moment ends nothing. */
export function startHeartbeat(file: string, place: JobPlace, attempt: number): HeartbeatWriter {
  let beat = 0;
  let writtenAt = Number.NEGATIVE_INFINITY;
  return {
    show(progress) {
      const now = performance.now();
      if (now - writtenAt < EVERY_MS) return;
      writtenAt = now;
      const { elapsedSeconds, timeSeconds, usage, submissions, lastLine } = progress;
      const heartbeat: Heartbeat = {
        schema: "mlebench/heartbeat",
        version: 1,
        beat: ++beat,
        host: os.hostname(),
        pid: process.pid,
        ...place,
        attempt,
        elapsedSeconds,
        timeSeconds,
        peakMemoryBytes: usage.peakMemoryBytes,
        cpuSeconds: usage.cpuSeconds,
        submissions,
        lastLine,
      };
      try {
        // Renamed, so that nobody reads half of it, but never flushed: it is worth nothing after a crash.
        fs.writeFileSync(`${file}.tmp`, `${JSON.stringify(heartbeat)}\n`);
        fs.renameSync(`${file}.tmp`, file);
      } catch {
        return;
      }
    },
    end() {
      for (const name of [file, `${file}.tmp`]) fs.rmSync(name, { force: true });
    },
  };
}

/** Null when there is none that this version understands. */
export function readHeartbeat(file: string): Heartbeat | null {
  try {
    return Heartbeat.parse(JSON.parse(readPlainText(file, { maxBytes: MAX_BYTES })));
  } catch {
    return null;
  }
}
