import type { IncomingMessage, ServerResponse } from "node:http";
import { HEADERS } from "./http/respond.ts";
import type { Store } from "./store.ts";
import { type Change, type Watcher, watchRuns } from "./watch.ts";

const KEEP_ALIVE_MS = 20_000;
const MAX_READERS = 64;
const MAX_WAITING_BYTES = 2 ** 18;

export interface Live {
  join(request: IncomingMessage, response: ServerResponse): void;
  close(): void;
}

/** Server-sent events: what has changed, never the content. Files are watched only while somebody looks. */
export function openLive(store: Store): Live {
  const readers = new Set<ServerResponse>();
  let watcher: Watcher | null = null;
  let alive: NodeJS.Timeout | null = null;

  const tell = (changes: Change[]) => {
    const text = `event: changed\ndata: ${JSON.stringify(changes)}\n\n`;
    for (const reader of [...readers]) write(reader, text);
  };

  /** One that takes nothing any more, as a computer that sleeps, must not have us keep everything for it: it asks again. */
  function write(reader: ServerResponse, text: string): void {
    if (reader.writableLength > MAX_WAITING_BYTES) reader.destroy();
    else reader.write(text);
  }

  store.onFacts((group) => tell([{ group, trial: null }]));

  function leave(reader: ServerResponse): void {
    readers.delete(reader);
    if (readers.size > 0) return;
    watcher?.close();
    watcher = null;
    if (alive !== null) clearInterval(alive);
    alive = null;
  }

  return {
    join(request, response) {
      if (readers.size >= MAX_READERS) {
        response.writeHead(503, { ...HEADERS, "retry-after": "5" }).end();
        return;
      }
      response.writeHead(200, { ...HEADERS, "content-type": "text/event-stream" });
      response.write("retry: 1000\n\n");
      readers.add(response);
      // Whoever listens from now on reads anew first: what changed a moment ago, unwatched, is told by nobody.
      store.forget(null);
      request.on("close", () => leave(response));
      watcher ??= watchRuns(store, tell);
      alive ??= setInterval(() => {
        for (const reader of [...readers]) write(reader, ": alive\n\n");
      }, KEEP_ALIVE_MS);
      alive.unref();
    },
    close() {
      for (const reader of [...readers]) {
        reader.end();
        leave(reader);
      }
    },
  };
}
