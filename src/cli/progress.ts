import { durationText } from "../wording/durations.ts";
import { forTerminal } from "./print.ts";

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
        process.stderr.write(`\r\x1b[2K${forTerminal(line)}`);
      } else if (Math.floor((done * 10) / total) > shownTenth) {
        shownTenth = Math.floor((done * 10) / total);
        process.stderr.write(`${forTerminal(line)}\n`);
      }
    },
    end(): void {
      if (open) process.stderr.write("\r\x1b[2K");
    },
  };
}
