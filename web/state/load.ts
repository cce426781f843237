import { useEffect, useRef, useState } from "preact/hooks";
import { type Change, listen } from "./live.ts";

export type Ask = Record<string, string>;

export type Loaded<T> =
  | { status: "loading" }
  | { status: "failed"; message: string }
  | { status: "loaded"; data: T };

interface Exported {
  /** Which file holds the answer to what. */
  files: Record<string, string>;
  note: string;
  /** The trial whose search tree is the only page. */
  tree?: { group: string; trial: string };
  /** The standings are the only page. */
  standings?: true;
}

declare global {
  var mlebenchExport: Exported | undefined;
  /** In a page that is one file: all the data, by what would be asked for. */
  var mlebenchInside: [string, unknown][] | undefined;
  var mlebenchData: ((key: string, value: unknown) => void) | undefined;
}

/** Pages that were written to a folder have their data in scripts beside them: a page from disk may fetch nothing. */
export const exported: Exported | null = globalThis.mlebenchExport ?? null;

function keyOf(name: string, ask: Ask): string {
  const pairs = Object.entries(ask).sort(([a], [b]) => (a < b ? -1 : 1));
  return `${name}?${pairs.map((pair) => pair.map(encodeURIComponent).join("=")).join("&")}`;
}

export async function load<T>(name: string, ask: Ask = {}): Promise<T> {
  if (exported !== null) return (await fromScript(keyOf(name, ask))) as T;
  const response = await fetch(`/api/${keyOf(name, ask)}`, { headers: { accept: "application/json" } });
  const value = (await response.json().catch(() => null)) as { message?: string } | null;
  if (!response.ok) throw new Error(value?.message ?? `The server answered with ${response.status}.`);
  return value as T;
}

/** Whether an answer can be had: an export holds some of them only. */
export function holds(name: string, ask: Ask): boolean {
  return exported === null || Object.hasOwn(exported.files, keyOf(name, ask));
}

/** The sets of groups whose comparison an export holds, in the order in which they are compared. */
export const comparisons: readonly string[][] = Object.keys(exported?.files ?? {}).flatMap((key) => {
  const groups = new URLSearchParams(/^report\?(.*)$/.exec(key)?.[1] ?? "").get("groups")?.split("|") ?? [];
  return groups.length > 1 ? [groups] : [];
});

const waiting = new Map<string, (value: unknown) => void>();
const arrived = new Map<string, unknown>(globalThis.mlebenchInside ?? []);
globalThis.mlebenchData = (key, value) => {
  arrived.set(key, value);
  waiting.get(key)?.(value);
};

function fromScript(key: string): Promise<unknown> {
  if (arrived.has(key)) return Promise.resolve(arrived.get(key));
  const file = exported!.files[key];
  if (file === undefined)
    return Promise.reject(new Error("This is not part of the export; the viewer itself shows it."));
  return new Promise((resolve, reject) => {
    waiting.set(key, resolve);
    const script = document.createElement("script");
    script.src = `data/${file}`;
    script.onerror = () => reject(new Error(`data/${file} is missing from the export.`));
    document.head.append(script);
  });
}

const AGAIN_MS = 250;

/**
 * What a page shows, asked for again when something it depends on has changed on disk. While that is under way, and when
 * it fails for a moment, what was there stays.
 */
export function useData<T>(name: string, ask: Ask, concerns?: (change: Change) => boolean): Loaded<T> {
  const [state, setState] = useState<{ key: string; loaded: Loaded<T> }>({
    key: "",
    loaded: { status: "loading" },
  });
  const key = keyOf(name, ask);
  const concerning = useRef(concerns);
  concerning.current = concerns;
  useEffect(() => {
    let current = true;
    let busy = false;
    let again = false;
    const fetchIt = async () => {
      busy = true;
      again = false;
      try {
        const data = await load<T>(name, ask);
        if (current) setState({ key, loaded: { status: "loaded", data } });
      } catch (error) {
        if (current) setState({ key, loaded: { status: "failed", message: (error as Error).message } });
      }
      setTimeout(() => {
        busy = false;
        if (again && current) void fetchIt();
      }, AGAIN_MS);
    };
    void fetchIt();
    const stop = listen((change) => {
      if (!concerning.current?.(change)) return;
      if (busy) again = true;
      else void fetchIt();
    });
    return () => {
      current = false;
      stop();
    };
  }, [key]);
  return state.key === key ? state.loaded : { status: "loading" };
}
