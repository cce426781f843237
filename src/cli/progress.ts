import { durationText } from "../wording/durations.ts";
import { printNote, showInPlace } from "./print.ts";

const QUIET_MS = 2000;
const INTERVAL_MS = 100;

/** A line of progress on standard error, from the second second on: on a terminal in place, elsewhere every 10 %. */
export function progressLine(total: number) {
  const start = Date.now();
  let shownAt = 0;
  let shownTenth = 0;
  let open = false;
  return {
    show(done: number, what: string): void {
      const now = Date.now();
      if (now - start < QUIET_MS) return;
      const left =
        done < total
          ? `, ${durationText(Math.round(((now - start) / 1000 / done) * (total - done)))} left`
          : "";
      const line = `${done} of ${total}${left}  ${what}`;
      if (process.stderr.isTTY) {
        if (now - shownAt < INTERVAL_MS && done < total) return;
        shownAt = now;
        open = true;
        showInPlace(line);
      } else if (Math.floor((done * 10) / total) > shownTenth) {
        shownTenth = Math.floor((done * 10) / total);
        printNote(line);
      }
    },
    end(): void {
      if (open) showInPlace("");
    },
  };
}

/** For work that says how much there is only once it has begun: the line starts with its first report. */
export function lateProgressLine() {
  let line: ReturnType<typeof progressLine> | null = null;
  return {
    show(done: number, total: number, what: string): void {
      line ??= progressLine(total);
      line.show(done, what);
    },
    end: (): void => line?.end(),
  };
}
