import { Worker } from "node:worker_threads";

/** An order to freeze a tree at a moment that is given by a thread which does nothing else. */
export interface FreezeAlarm {
  /** It is not given any more, unless it was already. */
  cancel(): void;
  /** When it was given, by this thread's `performance.now()`; null when it was not. */
  givenAt(): number | null;
}

export const NO_ALARM: FreezeAlarm = { cancel: () => {}, givenAt: () => null };

/**
 * The thread of the alarms. To start a process keeps the main thread for as long as a busy machine takes to run the new
 * one; with twenty trials that start at once, everybody's deadline would wait for that.
 */
const PROGRAM = `
const { parentPort } = require("node:worker_threads");
const fs = require("node:fs");
const LONGEST_MS = 2 ** 30;
const timers = new Map();
parentPort.on("message", ({ id, due, file, text, shared }) => {
  if (due === undefined) {
    clearTimeout(timers.get(id));
    timers.delete(id);
    return;
  }
  const state = new BigInt64Array(shared);
  const look = () => {
    const left = Number(due - process.hrtime.bigint()) / 1e6;
    if (left > 0) return void timers.set(id, setTimeout(look, Math.min(Math.ceil(left), LONGEST_MS)));
    timers.delete(id);
    if (Atomics.compareExchange(state, 0, 0n, 1n) !== 0n) return;
    try {
      fs.writeFileSync(file, text);
      Atomics.store(state, 1, process.hrtime.bigint());
    } catch {}
  };
  look();
});
`;

let thread: Worker | null = null;
let lastId = 0;

function alarmThread(): Worker {
  if (thread !== null) return thread;
  const started = new Worker(PROGRAM, { eval: true });
  started.unref();
  const gone = () => {
    if (thread === started) thread = null;
  };
  // Without it deadlines are kept by the main thread, as well as that can.
  started.on("error", gone).on("exit", gone);
  thread = started;
  return started;
}

/** Writes a word into a file of the kernel's at a moment of this thread's `performance.now()`. */
export function setFreezeAlarm(moment: number, file: string, text: string): FreezeAlarm {
  const id = ++lastId;
  const shared = new SharedArrayBuffer(16);
  const state = new BigInt64Array(shared);
  const due = process.hrtime.bigint() + BigInt(Math.round((moment - performance.now()) * 1e6));
  try {
    alarmThread().postMessage({ id, due, file, text, shared });
  } catch {
    return NO_ALARM;
  }
  return {
    cancel() {
      if (Atomics.compareExchange(state, 0, 0n, 1n) === 0n) thread?.postMessage({ id });
    },
    givenAt() {
      const given = Atomics.load(state, 1);
      return given === 0n ? null : performance.now() - Number(process.hrtime.bigint() - given) / 1e6;
    },
  };
}
