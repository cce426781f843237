import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { type HeldLock, lockOwner, takeLock, usualSilence } from "../../files/lock-file.ts";
import { removeStale } from "../../files/lock-record.ts";
import { makeFolder } from "../../files/make-folder.ts";
import type { PaceLimits, SharedPace } from "../transport/pace.ts";
import { turnsIn } from "./turns.ts";

/** When the next call may start, by the clocks of the machines, which a cluster keeps together. */
const Start = z.object({ schema: z.literal("mlebench/pace"), version: z.literal(1), next: z.number() });

const LOOK_AGAIN_MS = 300;
/** Clocks that differ by more are no clocks. */
const MAX_WAIT_MS = 20 * 60_000;

/**
 * The pace of one provider for processes that share a folder: a lock for each call it may have under way, and the time of the
 * next start. Where the folder cannot be used, each process has its own pace only.
 */
export function sharePace(folder: string, address: string, limits: PaceLimits): SharedPace {
  const place = path.join(folder, createHash("sha256").update(address).digest("hex").slice(0, 12));
  const start = path.join(place, "start.json");
  const takeTurn = turnsIn(place, "pace-lock");
  const watched = new Map<string, { mark: string; since: number }>();
  const slots = Array.from({ length: limits.concurrency }, (_, i) => path.join(place, `slot-${i}.lock`));

  /** A free slot; null while all are taken. */
  function freeSlot(lookClosely: boolean): HeldLock | null {
    const taken = new Set(fs.existsSync(place) ? fs.readdirSync(place) : []);
    for (const file of slots) {
      if (taken.has(path.basename(file)) && !(lookClosely && isLeft(file))) continue;
      const outcome = takeLock(file, "pace-lock", { beats: true });
      if (outcome.status === "locked") return outcome;
    }
    return null;
  }

  /** Whether nobody holds it any more: its process is gone, or its counter has stood still for long. */
  function isLeft(file: string): boolean {
    const owner = lockOwner(file);
    if (owner === null) return true;
    const seen = watched.get(file);
    if (seen?.mark !== owner.mark) watched.set(file, { mark: owner.mark, since: performance.now() });
    else if (owner.elsewhere && performance.now() - seen.since > usualSilence()) {
      removeStale(file, (text) => text === owner.mark);
      return true;
    }
    return false;
  }

  /** Milliseconds until this call may start; its start is booked then. */
  async function bookStart(signal: AbortSignal): Promise<number> {
    const over = await takeTurn(signal);
    try {
      const now = Date.now();
      const wait = Math.max(0, nextStart() - now);
      const { callsPerMinute } = limits;
      if (callsPerMinute !== null) writeStart(now + wait + 60_000 / callsPerMinute);
      return wait;
    } finally {
      over();
    }
  }

  function nextStart(): number {
    try {
      const { next } = Start.parse(JSON.parse(fs.readFileSync(start, "utf8")));
      return next > Date.now() + MAX_WAIT_MS ? 0 : next;
    } catch {
      return 0;
    }
  }

  function writeStart(next: number): void {
    makeFolder(place);
    const draft = `${start}.${process.pid}.tmp`;
    fs.writeFileSync(draft, `${JSON.stringify({ schema: "mlebench/pace", version: 1, next })}\n`);
    fs.renameSync(draft, start);
  }

  return {
    async take(signal) {
      let slot: HeldLock | null = null;
      try {
        for (let looks = 0; slot === null; looks++) {
          slot = freeSlot(looks % 10 === 0);
          if (slot === null) await sleep(LOOK_AGAIN_MS * (0.5 + Math.random()), undefined, { signal });
        }
        await sleep(await bookStart(signal), undefined, { signal });
      } catch {
        slot?.release();
        signal.throwIfAborted();
        return () => {};
      }
      const held = slot;
      return () => {
        try {
          held.release();
        } catch {
          // Its counter stands still from now on, and others will find that out.
        }
      };
    },
    async pause(milliseconds) {
      try {
        const over = await takeTurn(AbortSignal.timeout(MAX_WAIT_MS));
        try {
          writeStart(Math.max(nextStart(), Date.now() + milliseconds));
        } finally {
          over();
        }
      } catch {
        // The others will be told by the provider itself.
      }
    },
  };
}
