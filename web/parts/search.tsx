import { setQuery } from "../state/route.ts";

/** Narrows the list beside it; what is typed stands in the address, and `/` goes here from anywhere on the page. */
export function Search({ label, value, clears }: { label: string; value: string; clears?: string }) {
  return (
    <input
      type="search"
      aria-label={label}
      placeholder="Search  /"
      value={value}
      onInput={(event) =>
        setQuery({ q: event.currentTarget.value, ...(clears === undefined ? {} : { [clears]: "" }) })
      }
    />
  );
}
