import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import { type Capture, captureFile, fileState } from "./capture-file.ts";
import type { EventLog } from "./events.ts";
import { openFileClock } from "./file-clock.ts";
import type { FinalSubmission, SubmissionVersion } from "./schema.ts";

export interface WatchLimits {
  /** The largest submission that is read at all. */
  fileBytes: number;
  /** Beyond these, versions are only hashed; the last one is kept whatever happens. */
  versions: number;
  totalBytes: number;
}

export const WATCH_LIMITS: WatchLimits = {
  fileBytes: 8 * 2 ** 30,
  versions: 10_000,
  totalBytes: 64 * 2 ** 30,
};

/** Copies lie on the host: together they take no more than the agent may, and so does each, be it sparse. */
export function watchLimits(diskBytes = Number.POSITIVE_INFINITY): WatchLimits {
  return {
    ...WATCH_LIMITS,
    fileBytes: Math.min(WATCH_LIMITS.fileBytes, diskBytes),
    totalBytes: Math.min(WATCH_LIMITS.totalBytes, diskBytes),
  };
}

const POLL_MS = 500;
/** How long a file must stay the same before a copy is worth taking: half-written versions help nobody. */
const SETTLE_MS = 60;
/** A file that never settles is copied all the same. */
const IMPATIENT_MS = 3000;
/** Refusals that are written down one by one; an agent may provoke a million of them. */
const MAX_REFUSALS = 100;

const STOOD_THERE = "it stood there at the end";

/** How often the last look is tried again before it is given up, and how long it waits in between. */
const STANDING_TRIES = 20;
const STANDING_PAUSE_MS = 250;

export interface SubmissionWatch {
  versions: readonly SubmissionVersion[];
  /**
   * Takes a copy of what stands right now, settled or not, and says which version counts if the end was at this moment
   * of the clock that never jumps. Bytes written after it never count, however long it took to stop the agent.
   */
  standing(endedAt: number): Promise<FinalSubmission>;
  /** No look is under way any more when it settles. */
  stop(): Promise<void>;
}

/**
 * Keeps every version of submission.csv that the agent leaves, each content once, with the time it was seen.
 * The agent owns the file and may do anything to it at any time; it never learns that somebody looks.
 */
export function watchSubmissions(
  folder: string,
  copies: string,
  events: EventLog,
  {
    startedAt,
    deadline,
    limits,
    header,
  }: {
    startedAt: number;
    deadline: number;
    limits: WatchLimits;
    /** What a version's first line becomes before it is kept. */
    header?: ((line: string) => string) | undefined;
  },
): SubmissionWatch {
  const file = path.join(folder, "submission.csv");
  const versions: SubmissionVersion[] = [];
  const onDisk = new Set<string>();
  let keptBytes = 0;
  let refusals = 0;
  let handled: string | null = null;
  let lastSeen: string | null = null;
  let unsettledSince: number | null = null;
  let looking: Promise<void> = Promise.resolve();
  let queued = false;
  let stopped = false;

  makeFolder(copies);
  const clock = openFileClock(copies);

  /** Whether it is late is asked once: the answer decides what is kept, and a second one might be another. */
  async function take(force: boolean, end = deadline): Promise<{ capture: Capture; isLate: boolean }> {
    const room = versions.length < limits.versions && keptBytes < limits.totalBytes;
    const capture = await captureFile(file, copies, {
      maxBytes: limits.fileBytes,
      keep: room || force,
      header,
    });
    if (capture.status === "captured") {
      if (clock.isAfter(capture.changedAt, end)) {
        removeCopy(capture);
        return { capture, isLate: true };
      }
      record(capture);
    } else if (capture.status === "refused" && handled !== capture.state) refuse(capture);
    if (capture.status !== "absent") handled = capture.state;
    return { capture, isLate: false };
  }

  /** Of what is late nothing is kept. */
  function removeCopy({ sha256 }: Extract<Capture, { status: "captured" }>): void {
    if (!onDisk.has(sha256)) fs.rmSync(path.join(copies, `${sha256}.csv`), { force: true });
  }

  function record({ sha256, bytes, kept }: Extract<Capture, { status: "captured" }>): void {
    if (versions.at(-1)?.sha256 === sha256 && (versions.at(-1)!.kept || !kept)) return;
    if (kept && !onDisk.has(sha256)) {
      onDisk.add(sha256);
      keptBytes += bytes;
    }
    const elapsedSeconds = (performance.now() - startedAt) / 1000;
    const entry = { sha256, bytes, elapsedSeconds: round(elapsedSeconds), kept: onDisk.has(sha256) };
    const { time } = events.append("submission", entry);
    versions.push({ ...entry, time });
  }

  /** What stands there was changed after the end: the last one seen before it counts. */
  function lastBefore(endedAt: number, { sha256 }: { sha256: string }): FinalSubmission {
    const seconds = (endedAt - startedAt) / 1000;
    const last = versions.findLast(({ kept, elapsedSeconds }) => kept && elapsedSeconds <= seconds);
    if (last?.sha256 === sha256) return { sha256, why: STOOD_THERE };
    const late = "what stood there was written after the end";
    return last === undefined
      ? { sha256: null, why: `${late}, and nothing was seen before` }
      : { sha256: last.sha256, why: `${late}; this one was the last seen before` };
  }

  function refuse({ why }: Extract<Capture, { status: "refused" }>): void {
    if (++refusals <= MAX_REFUSALS) events.append("submission-refused", { why });
  }

  async function look(): Promise<void> {
    clock.look();
    const state = await fileState(file);
    if (state === null && handled !== null) {
      handled = null;
      if (++refusals <= MAX_REFUSALS) events.append("submission-removed");
    }
    if (state === null || state === handled) {
      lastSeen = state;
      unsettledSince = null;
      return;
    }
    const now = performance.now();
    unsettledSince ??= now;
    if (state !== lastSeen && now - unsettledSince < IMPATIENT_MS) {
      lastSeen = state;
      setTimeout(request, SETTLE_MS).unref();
      return;
    }
    unsettledSince = null;
    await take(false);
  }

  /** Looks are taken one after the other; requests that arrive meanwhile make one more. */
  function request(): void {
    if (queued || stopped) return;
    queued = true;
    looking = looking.then(async () => {
      queued = false;
      // A copy that could not be written is tried again with the next look; the last one is not forgiven.
      if (!stopped) await look().catch(() => {});
    });
  }

  const watcher = watchFolder(folder, request);
  const poll = setInterval(request, POLL_MS);
  return {
    versions,
    async standing(endedAt) {
      // It is the last look: another one beside it would find what is late once more.
      stopped = true;
      await looking;
      const { capture, isLate } = await patiently(() => take(true, endedAt));
      switch (capture.status) {
        case "captured":
          return isLate ? lastBefore(endedAt, capture) : { sha256: capture.sha256, why: STOOD_THERE };
        case "refused":
          return { sha256: null, why: `what stood there at the end was refused: ${capture.why}` };
        case "absent":
          return {
            sha256: null,
            why: versions.length === 0 ? "there never was one" : "the agent had removed it at the end",
          };
      }
    },
    async stop() {
      stopped = true;
      clearInterval(poll);
      watcher?.close();
      await looking;
      clock.close();
    },
  };
}

/** A shortage of ours, such as of descriptors, may pass; what lasts is the harness's failure and not forgiven. */
async function patiently<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work();
    } catch (error) {
      if (tries === STANDING_TRIES) throw error;
      await new Promise((resolve) => setTimeout(resolve, STANDING_PAUSE_MS));
    }
  }
}

function round(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/** Changes are noticed at once where the system tells about them; polling covers the rest. */
function watchFolder(folder: string, changed: () => void): fs.FSWatcher | null {
  try {
    const watcher = fs.watch(folder, { persistent: false }, changed);
    watcher.on("error", () => watcher.close());
    return watcher;
  } catch {
    return null;
  }
}
