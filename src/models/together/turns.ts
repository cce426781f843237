import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type LockName, type LockOutcome, takeLock, waitForLock } from "../../files/lock-file.ts";

/** Waits for a turn and gives what ends it. Fails with the signal's reason. */
export type Turns = (signal: AbortSignal) => Promise<() => void>;

/** A holder decides within milliseconds; who sees one for so many looks has met a dead host's lock, and watches it. */
const MANY_LOOKS = 400;

/** One decision at a time among all processes that share a folder. Where it cannot be locked, nobody is kept from deciding. */
export function turnsIn(folder: string, name: LockName): Turns {
  const file = path.join(folder, "turn.lock");
  let last: Promise<unknown> = Promise.resolve();

  async function lockOf(signal: AbortSignal): Promise<() => void> {
    for (let looks = 1; ; looks++) {
      signal.throwIfAborted();
      let outcome: LockOutcome;
      try {
        outcome =
          looks % MANY_LOOKS === 0
            ? await waitForLock(file, name, { beats: true, signal })
            : takeLock(file, name, { beats: true });
      } catch (error) {
        // The last one to leave has tidied up in this very moment.
        if ((error as NodeJS.ErrnoException).code === "ENOENT" && looks < MANY_LOOKS) continue;
        return () => {};
      }
      if (outcome.status === "locked") return outcome.release;
      await sleep(4 + Math.random() * 16, undefined, { signal }).catch(() => {});
    }
  }

  /** Those of this process stand in line instead of asking the disk all at once. */
  return async (signal: AbortSignal) => {
    const before = last;
    let leave = () => {};
    last = new Promise<void>((resolve) => {
      leave = resolve;
    });
    await before;
    try {
      const release = await lockOf(signal);
      return () => {
        try {
          release();
        } finally {
          leave();
        }
      };
    } catch (error) {
      leave();
      throw error;
    }
  };
}
