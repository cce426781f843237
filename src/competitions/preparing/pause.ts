import type { Preparation } from "../preparer.ts";

/** Lets the event loop run, so that an interruption is noticed, and ends the preparation if there was one. */
export async function pause(preparation: Pick<Preparation, "signal">): Promise<void> {
  await new Promise(setImmediate);
  preparation.signal.throwIfAborted();
}
