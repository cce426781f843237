import type { OwnSplitRule } from "../../competitions/preparing/splits/own-split.ts";
import { timesOf } from "../../competitions/preparing/splits/own-split.ts";
import { groupKind } from "../../data/audit/checks/group-names.ts";
import { type Column, cellText } from "../../table/columns/column.ts";
import type { Table } from "../../table/table.ts";
import { type InitRefusal, refusal } from "./schema.ts";
import { columnNamed } from "./table.ts";
import type { TargetKind } from "./target.ts";

export interface SplitChoice {
  rule: OwnSplitRule;
  why: string;
  /** What the author may want to consider. */
  notes: string[];
}

interface SplitRequest {
  table: Table;
  target: string;
  kind: TargetKind;
  group: string | null;
  time: string | null;
  dropped: readonly string[];
}

/** How to split: as asked, as a column evidently demands, or at random, each class keeping its share. */
export function chooseSplit(request: SplitRequest): SplitChoice | InitRefusal {
  const { table, group, time, kind } = request;
  if (group !== null && time !== null)
    return refusal("TWO_SPLITS", "--group and --time exclude each other.", "Give one of them.");
  if (group !== null) return askedGroup(request, group);
  if (time !== null) return askedTime(request, time);
  const usable = table.header.filter((name) => name !== request.target && !request.dropped.includes(name));
  const people = usable.find((name) => groupKind(name) === "people" && repeats(table.column(name)!));
  if (people !== undefined)
    return {
      rule: { by: "group", column: people },
      why: `"${people}" names people with several rows each, and a person's rows give each other away`,
      notes: [],
    };
  const series = usable.find((name) => isSeries(table.column(name)!));
  if (series !== undefined)
    return {
      rule: { by: "time", column: series },
      why: `the rows are in the order of the dates in "${series}", so test comes after train`,
      notes: [],
    };
  const notes = usable.flatMap((name) => hint(name, table.column(name)!));
  if (kind === "number") return { rule: { by: "rows" }, why: "rows at random", notes };
  return { rule: { by: "classes" }, why: "rows at random, each class with its share on both sides", notes };
}

function hint(name: string, column: Column): string[] {
  if (groupKind(name) === "others" && repeats(column))
    return [`If rows of one "${name}" belong together, split by it: --group "${name}"`];
  if (column.kind === "text" && timesOf(column) !== null)
    return [`If test should come after train: --time "${name}"`];
  return [];
}

function askedGroup(request: SplitRequest, name: string): SplitChoice | InitRefusal {
  const column = columnNamed(request.table, name, "--group");
  if ("code" in column) return column;
  const unusable = unusableFor(request, name, "--group");
  if (unusable !== null) return unusable;
  const groups = distinctOf(column);
  if (groups < 2)
    return refusal("BAD_GROUP", `"${name}" is the same in every row.`, "Name another column with --group.");
  return { rule: { by: "group", column: name }, why: "asked for", notes: [] };
}

function askedTime(request: SplitRequest, name: string): SplitChoice | InitRefusal {
  const column = columnNamed(request.table, name, "--time");
  if ("code" in column) return column;
  const unusable = unusableFor(request, name, "--time");
  if (unusable !== null) return unusable;
  if (timesOf(column) === null)
    return refusal(
      "BAD_TIME",
      `"${name}" does not say for every row when it was.`,
      "It must hold dates such as 2024-05-31 or 2024-05-31T12:00:00, or numbers, without gaps.",
    );
  return { rule: { by: "time", column: name }, why: "asked for", notes: [] };
}

function unusableFor({ target, dropped }: SplitRequest, name: string, option: string): InitRefusal | null {
  if (name !== target && !dropped.includes(name)) return null;
  return refusal(
    "BAD_SPLIT",
    `"${name}" is the target or dropped, and cannot decide the split.`,
    `Name another column with ${option}.`,
  );
}

/** Groups of two and more, and enough of them for two sides. */
function repeats(column: Column): boolean {
  const distinct = distinctOf(column);
  return distinct >= 5 && distinct <= column.length / 2;
}

function distinctOf(column: Column): number {
  return new Set(Array.from({ length: column.length }, (_, row) => cellText(column, row))).size;
}

/** Dates, hardly one twice, and the table sorted by them. */
function isSeries(column: Column): boolean {
  if (column.kind !== "text") return false;
  const times = timesOf(column);
  if (times === null) return false;
  const rising = times.every((time, row) => row === 0 || time >= times[row - 1]);
  return rising && new Set(times).size > 0.9 * times.length;
}
