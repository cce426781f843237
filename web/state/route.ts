import { signal } from "@preact/signals";

/** Where the reader is: it stands in the address, so that every page can be linked to. */
export interface Place {
  page: string;
  /** The parts behind the page's name: ids of a group, a trial, a competition. */
  ids: string[];
  query: Record<string, string>;
}

export const place = signal<Place>(read());

function read(): Place {
  const [path, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  const [page, ...ids] = path.split("/").map(decoded);
  return {
    page:
      page ||
      (globalThis.mlebenchExport?.tree
        ? "tree"
        : globalThis.mlebenchExport?.standings
          ? "standings"
          : "runs"),
    ids,
    query: Object.fromEntries(new URLSearchParams(query)),
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function hrefTo(
  page: string,
  ids: readonly string[] = [],
  query: Record<string, string> = {},
): string {
  const path = [page, ...ids].map(encodeURIComponent).join("/");
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `#/${path}${search === "" ? "" : `?${search}`}`;
}

export function go(href: string): void {
  location.hash = href;
}

/** Filters and open parts belong to the address, but not each to a step of the history. */
export function setQuery(change: Record<string, string>): void {
  const { page, ids, query } = place.value;
  history.replaceState(null, "", hrefTo(page, ids, { ...query, ...change }));
  place.value = read();
}

addEventListener("hashchange", () => {
  const before = place.value;
  place.value = read();
  if (before.page !== place.value.page || before.ids.join() !== place.value.ids.join()) scrollTo(0, 0);
});
