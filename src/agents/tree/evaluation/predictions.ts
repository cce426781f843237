import { toNumber } from "../../baseline/reading/cells.ts";
import type { Direction } from "../engine/tree.ts";
import type { StepMetric } from "../journal/schema.ts";
import type { Carved } from "./carve.ts";
import { scoreRows } from "./score.ts";
import { type Rows, readRows } from "./table.ts";

export type Predictions =
  | {
      status: "complete";
      /** By id, hidden rows included. */
      cells: Map<string, readonly string[]>;
    }
  | { status: "wrong"; why: string };

/** What a script left, looked at as a grader would: columns, ids, numbers where the sample has numbers. */
export function readPredictions(file: string, sample: Rows, hiddenIds: Iterable<string>): Predictions {
  const table = readRows(file);
  if (table === null) return { status: "wrong", why: "submission.csv is not a table" };
  if (table.header.join("\n") !== sample.header.join("\n"))
    return {
      status: "wrong",
      why: `its columns are ${table.header.join(", ").slice(0, 200)}, the sample's are ${sample.header.join(", ").slice(0, 200)}`,
    };
  const cells = new Map(table.rows.map(([id, ...rest]) => [id, rest] as const));
  if (cells.size !== table.rows.length) return { status: "wrong", why: "an id stands in it twice" };
  const isNumber = sample.header
    .slice(1)
    .map((_, at) => sample.rows.every((row) => !Number.isNaN(toNumber(row[at + 1]))));
  let wanted = 0;
  for (const id of idsOf(sample, hiddenIds)) {
    const own = cells.get(id);
    if (own === undefined) return { status: "wrong", why: `the id ${id.slice(0, 100)} is missing` };
    const at = own.findIndex((cell, column) => isNumber[column] && Number.isNaN(toNumber(cell)));
    if (at !== -1)
      return { status: "wrong", why: `${sample.header[at + 1]} of ${id.slice(0, 100)} is not a number` };
    wanted += 1;
  }
  if (cells.size > wanted)
    return { status: "wrong", why: `it has ${cells.size} rows, ${wanted} are asked for` };
  return { status: "complete", cells };
}

function* idsOf(sample: Rows, hiddenIds: Iterable<string>) {
  for (const [id] of sample.rows) yield id;
  yield* hiddenIds;
}

export const hiddenIdsOf = ({ hidden }: Carved) => [...hidden.search.keys(), ...hidden.choice.keys()];

const FOLDS = 5;

/** The metric on hidden rows; null where they have none. */
export function measureHidden(
  carved: Carved,
  part: "search" | "choice" | "both",
  cells: ReadonlyMap<string, readonly string[]>,
  direction: Direction,
): StepMetric | null {
  const { hidden, scoring, sample } = carved;
  const rows = part === "both" ? [...hidden.search, ...hidden.choice] : [...hidden[part]];
  const classes = sample.header.slice(1);
  const score = (own: readonly (readonly [string, readonly string[]])[]) =>
    scoreRows(
      scoring,
      own.map(([, truth]) => truth),
      own.map(([id]) => cells.get(id) ?? []),
      classes,
    );
  const value = score(rows);
  if (value === null) return null;
  const folds = Array.from({ length: FOLDS }, (_, fold) => score(rows.filter((_, i) => i % FOLDS === fold)));
  const known = folds.filter((one) => one !== null);
  return {
    name: scoring.metric,
    value,
    direction,
    source: "hold-out",
    folds: known,
    spread: spreadOf(known),
  };
}

function spreadOf(values: readonly number[]): number | null {
  if (values.length < 2) return null;
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1));
}
