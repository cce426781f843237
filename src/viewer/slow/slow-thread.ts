import { Worker } from "node:worker_threads";
import type { Answer, Ask } from "../routes/route.ts";
import type { SlowOrder, SlowPlace, SlowReply } from "./slow-routes.ts";

/** Its memory goes back when nobody has asked for so long. */
const IDLE_MS = 10_000;
/** Records that somebody made enormous end the thread, not the server. */
const MAX_MEGABYTES = 1024;

export interface SlowThread {
  answer(name: string, ask: Ask): Promise<Answer>;
  /** Something changed: answers under way may be of before, and are not given to who asks from now on. */
  forget(): void;
  close(): void;
}

/** Works answers out beside the server, so that other pages and what happens now do not wait. In the built package only. */
export function openSlowThread(place: SlowPlace): SlowThread {
  const waiting = new Map<number, (answer: Answer) => void>();
  /** The same question asked twice is answered once: two tabs, or a reader who reloads. */
  const asked = new Map<string, Promise<Answer>>();
  let worker: Worker | null = null;
  let idle: NodeJS.Timeout | null = null;
  let count = 0;

  function start(): Worker {
    const started = new Worker(new URL("../viewer/slow/slow-worker.js", import.meta.url), {
      workerData: place,
      resourceLimits: { maxOldGenerationSizeMb: MAX_MEGABYTES },
    });
    started.on("message", ({ number, answer }: SlowReply) => settle(number, answer));
    started.on("error", () => {});
    started.on("exit", () => {
      if (worker !== started) return;
      worker = null;
      for (const number of [...waiting.keys()])
        settle(number, { ok: false, status: 400, message: "That is too much to be worked out here." });
    });
    // Somebody who presses Ctrl-C does not wait for it.
    started.unref();
    return started;
  }

  function settle(number: number, answer: Answer): void {
    waiting.get(number)?.(answer);
    waiting.delete(number);
    if (waiting.size > 0) return;
    idle = setTimeout(close, IDLE_MS);
    idle.unref();
  }

  function close(): void {
    if (idle !== null) clearTimeout(idle);
    idle = null;
    void worker?.terminate();
    worker = null;
  }

  return {
    answer(name, ask) {
      const key = JSON.stringify([name, ask]);
      const known = asked.get(key);
      if (known !== undefined) return known;
      if (idle !== null) clearTimeout(idle);
      idle = null;
      worker ??= start();
      const number = ++count;
      const answer = new Promise<Answer>((resolve) => waiting.set(number, resolve));
      worker.postMessage({ number, name, ask } satisfies SlowOrder);
      asked.set(key, answer);
      void answer.then(() => {
        if (asked.get(key) === answer) asked.delete(key);
      });
      return answer;
    },
    forget: () => asked.clear(),
    close,
  };
}
