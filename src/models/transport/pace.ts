/** What one provider may be asked at a time; shared by all trials of a group. */
export interface Pace {
  /** Waits for a turn. Fails with the signal's reason. Whoever got one must give it back. */
  take(signal: AbortSignal, who?: object): Promise<() => void>;
  /** The provider has asked for a pause: nobody starts before it is over. */
  pause(milliseconds: number): void;
}

export interface PaceLimits {
  concurrency: number;
  callsPerMinute: number | null;
}

/** The same for several processes. */
export interface SharedPace {
  take(signal: AbortSignal): Promise<() => void>;
  pause(milliseconds: number): Promise<void>;
}

interface Waiter {
  who: object;
  signal: AbortSignal;
  start(done: () => void): void;
  fail(reason: unknown): void;
}

const NOBODY = {};

/** The one with the fewest calls under way comes first, so that a trial that asks for hundreds at once holds up no other. */
function createPace({ concurrency, callsPerMinute }: PaceLimits, shared: SharedPace | null): Pace {
  let running = 0;
  let pausedUntil = 0;
  let nextStart = 0;
  const queue: Waiter[] = [];
  const runningOf = new Map<object, number>();
  let timer: NodeJS.Timeout | undefined;
  let asking: Promise<unknown> = Promise.resolve();

  function advance(): void {
    clearTimeout(timer);
    timer = undefined;
    while (queue.length > 0 && running < concurrency) {
      const wait = Math.max(pausedUntil, nextStart) - performance.now();
      if (wait > 0) {
        timer = setTimeout(advance, wait);
        return;
      }
      // A minute's calls are spread over the minute: a burst is what providers refuse.
      if (callsPerMinute !== null)
        nextStart = Math.max(performance.now(), nextStart) + 60_000 / callsPerMinute;
      begin(queue.splice(indexOfNext(), 1)[0]);
    }
  }

  function indexOfNext(): number {
    const counts = queue.map(({ who }) => runningOf.get(who) ?? 0);
    return counts.indexOf(Math.min(...counts));
  }

  function begin(waiter: Waiter): void {
    const { who, signal } = waiter;
    count(who, 1);
    if (shared === null) {
      waiter.start(once(() => count(who, -1)));
      return;
    }
    // One at a time asks the others.
    const slot = asking.then(() => shared.take(signal));
    asking = slot.catch(() => {});
    slot.then(
      (release) =>
        waiter.start(
          once(() => {
            release();
            count(who, -1);
          }),
        ),
      (reason) => {
        count(who, -1);
        waiter.fail(reason);
      },
    );
  }

  function count(who: object, by: 1 | -1): void {
    running += by;
    const now = (runningOf.get(who) ?? 0) + by;
    if (now === 0) runningOf.delete(who);
    else runningOf.set(who, now);
    if (by < 0) advance();
  }

  return {
    take(signal, who = NOBODY) {
      return new Promise((resolve, reject) => {
        if (signal.aborted) {
          reject(signal.reason);
          return;
        }
        const onAbort = () => {
          const index = queue.indexOf(waiter);
          if (index >= 0) queue.splice(index, 1);
          reject(signal.reason);
        };
        const waiter: Waiter = {
          who,
          signal,
          start(done) {
            signal.removeEventListener("abort", onAbort);
            // Whoever went away while the other processes were asked has heard of it.
            if (signal.aborted) done();
            else resolve(done);
          },
          fail: reject,
        };
        signal.addEventListener("abort", onAbort, { once: true });
        queue.push(waiter);
        advance();
      });
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds);
      void shared?.pause(milliseconds);
    },
  };
}

function once(work: () => void): () => void {
  let open = true;
  return () => {
    if (!open) return;
    open = false;
    work();
  };
}

/** One pace for each provider's address. */
export interface Paces {
  of(address: string, limits: PaceLimits): Pace;
}

/** `share`: where other processes ask the same providers. */
export function createPaces(share?: (address: string, limits: PaceLimits) => SharedPace): Paces {
  const all = new Map<string, Pace>();
  return {
    of(address, limits) {
      const known = all.get(address) ?? createPace(limits, share?.(address, limits) ?? null);
      all.set(address, known);
      return known;
    },
  };
}
