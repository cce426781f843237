/** What one provider may be asked at a time; shared by all trials of a group. */
export interface Pace {
  /** Waits for a turn. Fails with the signal's reason. Whoever got one must give it back. */
  take(signal: AbortSignal): Promise<() => void>;
  /** The provider has asked for a pause: nobody starts before it is over. */
  pause(milliseconds: number): void;
}

export interface PaceLimits {
  concurrency: number;
  callsPerMinute: number | null;
}

interface Waiter {
  start(): void;
}

/** First come, first served. */
function createPace({ concurrency, callsPerMinute }: PaceLimits): Pace {
  let running = 0;
  let pausedUntil = 0;
  let nextStart = 0;
  const queue: Waiter[] = [];
  let timer: NodeJS.Timeout | undefined;

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
      running++;
      queue.shift()!.start();
    }
  }

  return {
    take(signal) {
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
          start() {
            signal.removeEventListener("abort", onAbort);
            let open = true;
            resolve(() => {
              if (!open) return;
              open = false;
              running--;
              advance();
            });
          },
        };
        signal.addEventListener("abort", onAbort, { once: true });
        queue.push(waiter);
        advance();
      });
    },
    pause(milliseconds) {
      pausedUntil = Math.max(pausedUntil, performance.now() + milliseconds);
    },
  };
}

/** One pace for each provider's address. */
export interface Paces {
  of(address: string, limits: PaceLimits): Pace;
}

export function createPaces(): Paces {
  const all = new Map<string, Pace>();
  return {
    of(address, limits) {
      const known = all.get(address) ?? createPace(limits);
      all.set(address, known);
      return known;
    },
  };
}
