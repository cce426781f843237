export type DownloadProgress = {
  phase: "download" | "verify";
  doneBytes: number;
  /** Null where the server does not say. */
  totalBytes: number | null;
  /** Over the last seconds; null until there is something to measure. Bytes kept from earlier do not count. */
  bytesPerSecond: number | null;
  secondsLeft: number | null;
};

type Settings = {
  phase: DownloadProgress["phase"];
  doneBytes: number;
  totalBytes: number | null;
  now: () => number;
  report: (progress: DownloadProgress) => void;
};

const windowMs = 10_000;
const reportEveryMs = 200;

/** Counts bytes and reports them a few times a second; `finish` reports the last state whatever the time. */
export function createMeter({ phase, doneBytes, totalBytes, now, report }: Settings) {
  const samples = [{ at: now(), done: doneBytes }];
  let done = doneBytes;
  let reportedAt = Number.NEGATIVE_INFINITY;

  function tell(at: number) {
    reportedAt = at;
    samples.push({ at, done });
    while (samples.length > 2 && at - samples[1].at >= windowMs) samples.shift();
    const [oldest] = samples;
    const seconds = (at - oldest.at) / 1000;
    const bytesPerSecond = seconds > 0 ? (done - oldest.done) / seconds : null;
    const secondsLeft =
      bytesPerSecond !== null && bytesPerSecond > 0 && totalBytes !== null
        ? Math.max(0, totalBytes - done) / bytesPerSecond
        : null;
    report({ phase, doneBytes: done, totalBytes, bytesPerSecond, secondsLeft });
  }

  return {
    add(bytes: number): void {
      done += bytes;
      const at = now();
      if (at - reportedAt >= reportEveryMs) tell(at);
    },
    finish(): void {
      tell(now());
    },
  };
}
