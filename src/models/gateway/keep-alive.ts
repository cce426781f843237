import type { Exchange } from "./exchange.ts";

export interface KeepAlive {
  /** The reply's own bytes are flowing: `atBorder` says whether an event has just ended. */
  flowed(atBorder: boolean): void;
  stop(): void;
}

/**
 * Keeps a streamed reply alive while nothing comes, in the way its protocol's clients accept; where they accept none (Gemini),
 * it does nothing. It begins the reply if need be, so that a failure after that is told inside the stream.
 */
export function keepAlive({ client, protocol, streamed }: Exchange, everyMs: number): KeepAlive {
  const text = protocol.keepAlive;
  if (!streamed || text === null) return { flowed: () => {}, stop: () => {} };
  let atBorder = true;
  const timer = setInterval(() => {
    if (!atBorder || client.gone.aborted) return;
    if (!client.started)
      client.begin(200, { "content-type": "text/event-stream", "cache-control": "no-cache" });
    client.writeAside(text);
  }, everyMs);
  return {
    flowed(border) {
      atBorder = border;
      timer.refresh();
    },
    stop: () => clearInterval(timer),
  };
}
