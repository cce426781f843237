import { randomUUID } from "node:crypto";
import fs from "node:fs";
import path from "node:path";

/** A reading that took longer than this to take is taken again: the machine was busy in between. */
const QUICK_MS = 3;
const TRIES = 5;
/** What two readings differ by when nothing has happened to the clock. */
const JITTER_MS = 100;
/** Files that were not seen before a jump were written around it; after this time there are none left. */
const AROUND_MS = 2000;

/**
 * The clock by which a file system stamps changes, beside the one that never jumps. The first may be set at any time,
 * and on a shared disk it may be another machine's; so it is read off a file, and read again and again.
 */
export interface FileClock {
  /** To be called often: a jump is found between two calls. */
  look(): void;
  /** Whether a file that was stamped so was changed after a moment of the clock that never jumps. */
  isAfter(stampMs: number, moment: number): boolean;
  close(): void;
}

export function openFileClock(folder: string, stampNow = stamper(folder)): FileClock {
  /** What the file system's clock is ahead of ours, as it was before the last jump, and as it is now. */
  let before: number | null = null;
  let ahead: number | null = null;
  let jumpedAt = 0;

  function look(): void {
    const found = reading(stampNow);
    if (found === null) return;
    const now = performance.now();
    if (ahead !== null && Math.abs(found - ahead) > JITTER_MS) {
      before = ahead;
      jumpedAt = now;
    } else if (now - jumpedAt > AROUND_MS) before = null;
    ahead = found;
  }

  look();
  return {
    look,
    isAfter(stampMs, moment) {
      // Nothing can have been written after a moment that is yet to come.
      if (performance.now() <= moment) return false;
      look();
      const now = ahead ?? Date.now() - performance.now();
      // Around a jump a stamp may mean two moments; what may be late does not count.
      return stampMs > moment + Math.min(now, before ?? now);
    },
    close: stampNow.close,
  };
}

export interface Stamper {
  /** Changes a file, and returns what it was stamped with; null where that fails. */
  (): number | null;
  close(): void;
}

/** Changes a file that has no name any more: nothing of it stays. */
function stamper(folder: string): Stamper {
  let handle: number | null = null;
  try {
    const file = path.join(folder, `.${randomUUID()}.tmp`);
    handle = fs.openSync(file, "wx", 0o600);
    fs.unlinkSync(file);
  } catch {
    // Without it the system's own clock has to do.
  }
  const stampNow = () => {
    if (handle === null) return null;
    try {
      fs.fchmodSync(handle, 0o600);
      return fs.fstatSync(handle).ctimeMs;
    } catch {
      return null;
    }
  };
  return Object.assign(stampNow, {
    close() {
      if (handle !== null) fs.closeSync(handle);
      handle = null;
    },
  });
}

function reading(stampNow: Stamper): number | null {
  let best: { ahead: number; took: number } | null = null;
  for (let i = 0; i < TRIES && (best === null || best.took > QUICK_MS); i++) {
    const start = performance.now();
    const stamp = stampNow();
    const took = performance.now() - start;
    if (stamp === null) return null;
    if (best === null || took < best.took) best = { ahead: stamp - start, took };
  }
  return best?.ahead ?? null;
}
