import { signal } from "@preact/signals";

export interface Change {
  group: string | null;
  trial: string | null;
}

type Listener = (change: Change) => void;

const AGAIN_MS = 5000;
const listeners = new Set<Listener>();
/** Whether changes on disk reach this page; null in pages that were written to a folder. */
export const connected = signal<boolean | null>(null);

export function listen(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/**
 * Changes are heard while somebody looks: a browser has six connections for a server, and a seventh tab would wait for
 * ever if each of them held one.
 */
export function startListening(): void {
  let source: EventSource | null = null;
  let missed = false;

  function open(): void {
    const opened = new EventSource("/api/live");
    source = opened;
    opened.addEventListener("open", () => {
      connected.value = true;
      // What happened in between was not heard.
      if (missed) for (const listener of listeners) listener({ group: null, trial: null });
      missed = false;
    });
    opened.addEventListener("error", () => {
      connected.value = false;
      missed = true;
      // A browser gives up where it is refused, as it is when too many look.
      if (opened.readyState === EventSource.CLOSED) setTimeout(() => source === opened && open(), AGAIN_MS);
    });
    opened.addEventListener("changed", ({ data }) => {
      for (const change of JSON.parse(data) as Change[]) for (const listener of listeners) listener(change);
    });
  }

  function look(): void {
    if (document.hidden) {
      source?.close();
      source = null;
      missed = true;
    } else if (source === null) open();
  }

  document.addEventListener("visibilitychange", look);
  look();
}

/** A change of the list of groups concerns everybody: a group may have come or gone. */
export const ofGroup = (group: string) => (change: Change) => change.group === null || change.group === group;

export const ofTrial = (group: string, trial: string) => (change: Change) =>
  change.group === null || (change.group === group && (change.trial === null || change.trial === trial));
