import path from "node:path";
import { readWindow } from "../../files/window.ts";
import { pageText } from "../../trials/state/page-text.ts";
import { answer, countOf, gone, type Route, wrong } from "./route.ts";

export interface LogPart {
  text: string;
  from: number;
  to: number;
  size: number;
}

const NAMES = new Set(["run.log", "stdout.log", "stderr.log"]);
const MAX_BYTES = 128 * 1024;

/** A part of a log: its end, what came since an offset, or what stands before one. */
export const log: Route = (store, { group = "", trial = "", name = "run.log", from, before }) => {
  const folder = store.trialFolder(group, trial);
  if (folder === null) return gone(`The trial ${trial}`);
  if (!NAMES.has(name)) return wrong(`${name} is not a log.`);
  const file = path.join(folder, name);
  const start = before === undefined ? null : Math.max(0, countOf(before, 0) - MAX_BYTES);
  const at = start ?? (from === undefined ? "end" : countOf(from, 0));
  const most = start === null ? MAX_BYTES : countOf(before, 0) - start;
  const window = readWindow(file, at, most);
  if (window === null) return answer({ text: "", from: 0, to: 0, size: 0 } satisfies LogPart);
  const { bytes, skipped } =
    from === undefined ? fromLine(window.bytes, window.from) : { bytes: window.bytes, skipped: 0 };
  const part: LogPart = {
    text: pageText(bytes),
    from: window.from + skipped,
    to: window.to,
    size: window.size,
  };
  return answer(part);
};

/** A part from the middle begins with a whole line, unless there is none. */
function fromLine(bytes: Buffer, at: number): { bytes: Buffer; skipped: number } {
  const first = at === 0 ? -1 : bytes.indexOf(0x0a);
  return first === -1 || first === bytes.length - 1
    ? { bytes, skipped: 0 }
    : { bytes: bytes.subarray(first + 1), skipped: first + 1 };
}
