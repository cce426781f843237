import { labelText } from "../../competitions/preparing/splits/own-split.ts";
import { type Column, cellText, isMissing } from "../../table/columns/column.ts";
import type { Table } from "../../table/table.ts";
import { type InitRefusal, refusal } from "./schema.ts";
import { columnNamed, repeatedValues } from "./table.ts";

export interface IdChoice {
  column: string;
  made: boolean;
  why: string;
  /** A column that looked like an id but tells too much, and is left out. */
  leftOut: string | null;
}

interface IdRequest {
  table: Table;
  target: Column;
  wanted: string | null;
  dropped: readonly string[];
  /** Names an id of our own must not have. */
  taken: ReadonlySet<string>;
  /** Neighbours in time resemble each other; where test comes later that gives nothing away. */
  forwardInTime: boolean;
}

const ID_NAME = /^(id|uuid|guid|key|index|row|row_?(id|no|number)|unnamed: 0|.+[_ .-]id)$/i;
const ID_IN_CAMEL_CASE = /[a-z](Id|ID)$/;

/** The column that names the rows, or one to be made. */
export function chooseId(request: IdRequest): IdChoice | InitRefusal {
  const { table, wanted, dropped, target } = request;
  if (wanted !== null) return askedId(request, wanted);
  const candidate = table.header.find((name) => {
    const column = table.column(name)!;
    const named = ID_NAME.test(name) || ID_IN_CAMEL_CASE.test(name);
    if (!named || name === target.name || dropped.includes(name)) return false;
    return column.kind !== "float" && repeatedValues(column) === null;
  });
  if (candidate === undefined)
    return { column: freeName(request), made: true, why: "no column names the rows", leftOut: null };
  const tells = request.forwardInTime ? null : tellingOrder(table.column(candidate)!, target);
  if (tells === null)
    return { column: candidate, made: false, why: "by its name, and no value twice", leftOut: null };
  return {
    column: freeName(request),
    made: true,
    why: `"${candidate}" names the rows but tells the target (${tells}), so it is left out`,
    leftOut: candidate,
  };
}

function askedId(request: IdRequest, wanted: string): IdChoice | InitRefusal {
  const column = columnNamed(request.table, wanted, "--id");
  if ("code" in column) return column;
  if (wanted === request.target.name || request.dropped.includes(wanted))
    return refusal(
      "BAD_ID",
      `"${wanted}" is the target or dropped, and cannot be the id too.`,
      "Name another column with --id.",
    );
  const repeated = repeatedValues(column);
  if (repeated !== null)
    return refusal(
      "DUPLICATED_IDS",
      `"${wanted}" does not name each row: ${repeated.repeated} rows have a value that occurred before or none, such as ${JSON.stringify(repeated.example)}.`,
      `Leave --id out, and ids are made. If the rows of one "${wanted}" belong together: --group "${wanted}".`,
    );
  const tells = request.forwardInTime ? null : tellingOrder(column, request.target);
  if (tells !== null)
    return refusal(
      "ID_LEAKS",
      `The id "${wanted}" tells the target: ${tells}.`,
      `Leave --id out and add --drop "${wanted}": ids that tell nothing are made.`,
    );
  return { column: wanted, made: false, why: "asked for", leftOut: null };
}

function freeName({ table, taken }: IdRequest): string {
  for (let i = 1; ; i++) {
    const name = i === 1 ? "row_id" : `row_id_${i}`;
    if (!table.header.includes(name) && !taken.has(name)) return name;
  }
}

const MIN_ROWS = 20;
const TELLING = 0.3;
const BEYOND_CHANCE = 5;

/**
 * Whether rows that are neighbours by id resemble each other in the target, as in a table that was sorted by it: then
 * an agent can read answers off the ids of train. In words, or null.
 */
function tellingOrder(id: Column, target: Column): string | null {
  const rows = Array.from({ length: target.length }, (_, row) => row).filter(
    (row) => !isMissing(target, row),
  );
  if (rows.length < MIN_ROWS) return null;
  const keys = rows.map((row) => ({ row, key: cellText(id, row) }));
  const isNumber = id.kind === "int" || id.kind === "uint";
  keys.sort((a, b) => (isNumber ? id.numbers[a.row] - id.numbers[b.row] : a.key < b.key ? -1 : 1));
  const order = keys.map(({ row }) => row);
  const isQuantity = target.kind === "int" || target.kind === "uint" || target.kind === "float";
  const distinct = new Set(order.map((row) => labelText(target, row))).size;
  const figure =
    isQuantity && distinct > 10
      ? serialCorrelation(order.map((row) => target.numbers[row]))
      : equalNeighbours(order.map((row) => labelText(target, row)));
  if (figure < TELLING || figure * Math.sqrt(order.length) < BEYOND_CHANCE) return null;
  return `neighbours by id resemble each other (${figure.toFixed(2)}; 0 is chance, 1 a sorted table)`;
}

function serialCorrelation(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  let product = 0;
  let square = 0;
  for (let i = 0; i < values.length; i++) {
    square += (values[i] - mean) ** 2;
    if (i > 0) product += (values[i] - mean) * (values[i - 1] - mean);
  }
  return square === 0 ? 0 : product / square;
}

/** How many more neighbours are equal than chance would give: 0 for chance, 1 for all. */
function equalNeighbours(labels: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const chance = [...counts.values()].reduce((sum, count) => sum + (count / labels.length) ** 2, 0);
  const equal = labels.filter((label, i) => i > 0 && label === labels[i - 1]).length / (labels.length - 1);
  return (equal - chance) / (1 - chance);
}
