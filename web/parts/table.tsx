import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { place, setQuery } from "../state/route.ts";

export interface Column<Row> {
  title: string;
  cell: (row: Row) => ComponentChildren;
  /** What it is sorted by; a column without it cannot be. */
  by?: (row: Row) => number | string | null;
  number?: boolean;
  /** Only where there is room. */
  wide?: boolean;
}

const STEP = 100;

/** A table that can be sorted by its headings; how stands in the address. */
export function Table<Row>({
  name,
  columns,
  rows,
  keyOf,
  label,
  markedKey = null,
  kindOf = () => "",
}: {
  /** For the address: two tables of a page need two names. */
  name: string;
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  label: string;
  markedKey?: string | null;
  /** A class for a row. */
  kindOf?: (row: Row) => string;
}) {
  const [most, setMost] = useState(STEP);
  const chosen = place.value.query[`${name}-by`] ?? "";
  const [title, down] = chosen.startsWith("-") ? [chosen.slice(1), true] : [chosen, false];
  const by = title === "" ? undefined : columns.find((column) => column.title === title)?.by;
  const sorted = by === undefined ? rows : rows.toSorted((a, b) => compared(by(a), by(b), down));
  return (
    <>
      <div class="scroll" tabIndex={0} role="region" aria-label={label}>
        <table class="plain sortable">
          <thead>
            <tr>
              {columns.map((column) => (
                <th
                  key={column.title}
                  scope="col"
                  class={`${column.number ? "number" : ""} ${column.wide ? "only-wide" : ""}`}
                  aria-sort={
                    by !== undefined && column.title === title
                      ? down
                        ? "descending"
                        : "ascending"
                      : undefined
                  }
                >
                  {column.by === undefined ? (
                    column.title || <span class="hidden">mark</span>
                  ) : (
                    <button
                      type="button"
                      onClick={() =>
                        setQuery({
                          [`${name}-by`]: column.title === title && !down ? `-${title}` : column.title,
                        })
                      }
                    >
                      {column.title}
                      <span aria-hidden="true">{column.title === title ? (down ? " ↓" : " ↑") : ""}</span>
                    </button>
                  )}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sorted.slice(0, most).map((row) => (
              <tr key={keyOf(row)} class={`${kindOf(row)} ${keyOf(row) === markedKey ? "marked" : ""}`}>
                {columns.map((column) => (
                  <td
                    key={column.title}
                    class={`${column.number ? "number" : ""} ${column.wide ? "only-wide" : ""}`}
                  >
                    {column.cell(row)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {rows.length > most && (
        <p class="more">
          <button type="button" onClick={() => setMost(most + 5 * STEP)}>
            Show more
          </button>{" "}
          <span class="soft">
            {most} of {rows.length.toLocaleString("en-US")}
          </span>
        </p>
      )}
    </>
  );
}

/** What is not known comes last, whichever way. */
function compared(a: number | string | null, b: number | string | null, down: boolean): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  const order = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
  return down ? -order : order;
}
