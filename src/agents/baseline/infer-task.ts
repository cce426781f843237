import { type Cells, distinctCells, everyCell, isNumberColumn } from "./reading/cells.ts";
import { columnOf, type TextTable } from "./reading/text-table.ts";
import type { PublicView, RowAnswer, Task } from "./task.ts";
import { findSeparation } from "./validation/separation.ts";

const DATE = /^\d{4}-\d{2}-\d{2}/;
const RUNS = /^\d+ \d+( \d+ \d+)*$/;
const PIXEL_ID = /^(.+)_(\d+)_(\d+)$/;

/** What there is to be done, from the tables, folders and metric alone. */
export function inferTask(view: PublicView): Task {
  const { sample, train, test, metric, media } = view;
  const [id, ...targets] = sample.header;
  if (train === null) {
    const [clean] = view.twinFolders;
    if (clean !== undefined && targets.length === 1 && PIXEL_ID.test(sample.columns[0].at(0) ?? ""))
      return { shape: "restored pixels", clean };
    return unknown("there is no train.csv that can be read");
  }
  if (test === null && media === null) return unknown("there is neither test.csv nor a file for each id");
  const known = targets.map((target) => columnOf(train, target));
  if (targets.length > 1 && known.some((cells) => cells === null)) {
    // A column that is also given for the test rows is a feature, even if its values are the names of the classes.
    const column = train.header.find(
      (name) => (test === null || columnOf(test, name) === null) && holdsAll(columnOf(train, name), targets),
    );
    if (column === undefined) return unknown("the training table lacks the columns to be predicted");
    return rows(view, { kind: "probabilities", column });
  }
  const cells = known[0];
  if (cells === null) {
    const list = train.header.find((name) => name !== id && holdsLists(train, test, name));
    if (metric.name === "map-at-k" && list !== undefined) return { shape: "ranked list", known: list };
    return unknown(`the training table has no column ${targets[0]}`);
  }
  if (media?.kind === "pictures" && metric.name === "dice" && everyCell(cells, (cell) => RUNS.test(cell)))
    return { shape: "masks" };
  if (metric.name === "edit-distance") {
    const source = train.header.find(
      (name) => name !== id && name !== targets[0] && columnOf(test ?? train, name),
    );
    return source === undefined
      ? unknown("there is nothing to translate from")
      : { shape: "sequence", source };
  }
  const isSeries =
    id !== undefined &&
    train.header.length === 2 &&
    everyCell(columnOf(train, id) ?? [], (cell) => DATE.test(cell));
  if (isSeries && isNumberColumn(cells)) return { shape: "forecast", date: id };
  const answer = answerOf(view, cells);
  return answer === null ? unknown("what the answers are made of is unclear") : rows(view, answer);
}

function answerOf({ sample, metric }: PublicView, cells: Cells): RowAnswer | null {
  const isNumber = isNumberColumn(cells);
  const distinct = countDistinct(cells);
  switch (metric.name) {
    case "kappa":
      return isNumber ? { kind: "grade" } : null;
    case "rmse":
    case "rmsle":
    case "mae":
      return isNumber ? { kind: "number" } : null;
    case "auc":
    case "log-loss":
      return distinct === 2 ? { kind: "probability" } : null;
    case "accuracy":
    case "macro-f1":
      return { kind: "label" };
    case "micro-f1":
      return { kind: "label set" };
  }
  if (!isNumber) return { kind: "label" };
  if (distinct === 2)
    return everyCell(sample.columns[1], (cell) => /^\d+$/.test(cell))
      ? { kind: "label" }
      : { kind: "probability" };
  return { kind: "number" };
}

function rows({ sample, train, test }: PublicView, answer: RowAnswer): Task {
  const used = new Set([...sample.header, answer.kind === "probabilities" ? answer.column : ""]);
  const separation = train === null ? ({ by: "chance" } as const) : findSeparation(train, test, used);
  return { shape: "rows", answer, separation };
}

function holdsAll(cells: Cells | null, names: readonly string[]): boolean {
  const values = new Set(distinctCells(cells ?? []));
  return names.every((name) => values.has(name));
}

/** Whether train and test both have the column, and it holds lists of words between blanks. */
function holdsLists(train: TextTable, test: TextTable | null, name: string): boolean {
  const own = columnOf(train, name) ?? [];
  if (test === null || columnOf(test, name) === null) return false;
  let lists = 0;
  for (const cell of own) if (cell.includes(" ")) lists++;
  return lists > own.length / 3;
}

function countDistinct(cells: Cells): number {
  let count = 0;
  for (const _ of distinctCells(cells)) count++;
  return count;
}

function unknown(why: string): Task {
  return { shape: "unknown", why };
}
