import { shuffledFolds } from "../../learning/features/folds.ts";
import { categoryFrequencies, encodeFrequencies } from "../../learning/features/frequency-encoding.ts";
import {
  encodeCategories,
  encodeOutOfFold,
  measureCategoryMeans,
} from "../../learning/features/target-encoding.ts";
import type { DenseMatrix } from "../../learning/matrix.ts";
import type { Draw } from "../making/draw.ts";
import type { View } from "../making/method.ts";
import type { TextTable } from "./read-table.ts";

/** A column of all rows: numbers with gaps, or the codes of categories. */
export type TableColumn =
  | { readonly name: string; readonly kind: "number"; readonly values: Float64Array }
  | { readonly name: string; readonly kind: "category"; readonly codes: Int32Array; readonly count: number };

export type CategoryEncoding = "codes" | "indicators" | "means" | "frequencies";

export function numberColumn(name: string, values: Float64Array): TableColumn {
  return { name, kind: "number", values };
}

/** Categories that occur less than `rare` times share one code. */
export function categoryColumn(name: string, texts: readonly string[], rare = 1): TableColumn {
  const counts = new Map<string, number>();
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1);
  const codeOf = new Map<string, number>();
  const codes = Int32Array.from(texts, (text) => {
    const own = (counts.get(text) ?? 0) < rare ? "" : text;
    if (!codeOf.has(own)) codeOf.set(own, codeOf.size);
    return codeOf.get(own) ?? 0;
  });
  return { name, kind: "category", codes, count: codeOf.size };
}

/** Every column but these: numbers where all cells are, categories otherwise. */
export function columnsOf(table: TextTable, leftOut: readonly string[], rare: number): TableColumn[] {
  return table.header
    .filter((name) => !leftOut.includes(name))
    .map((name) => {
      const numbers = table.numbers(name);
      return numbers.some((value) => !Number.isNaN(value))
        ? numberColumn(name, numbers)
        : categoryColumn(name, table.texts(name), rare);
    });
}

const SMOOTHING = 10;
const FOLDS = 5;

/** Some columns of a table, categories as numbers in one of four ways. `meaning` is the number whose means are taken. */
export function tableView(
  columns: readonly TableColumn[],
  all: number,
  encoding: CategoryEncoding,
  meaning: Float64Array,
): View<DenseMatrix> {
  return {
    name: `${columns.length} of ${all} columns, categories as ${encoding}`,
    of(train, asked) {
      const parts = columns.map((column) => encode(column, encoding, meaning, train, asked));
      return {
        train: gather(parts.map(([known]) => known)),
        asked: gather(parts.map(([, wanted]) => wanted)),
      };
    },
  };
}

/** A view with its share of the columns and its encoding drawn. */
export function drawTableView(
  draw: Draw,
  columns: readonly TableColumn[],
  meaning: Float64Array,
  serious: boolean,
): View<DenseMatrix> {
  const share = draw.pick(serious ? [0.7, 0.9, 1, 1, 1] : [0.2, 0.4, 0.6, 0.8, 1, 1, 1]);
  const encodings: CategoryEncoding[] = serious
    ? ["indicators", "means", "means"]
    : ["codes", "indicators", "means", "frequencies"];
  const chosen = draw.some(columns, Math.max(2, Math.round(share * columns.length)));
  const view = tableView(chosen, columns.length, draw.pick(encodings), meaning);
  // Two draws of as many columns are two participants: the first few names tell them apart.
  const which =
    share < 1
      ? ` (${chosen
          .slice(0, 3)
          .map(({ name }) => name)
          .join(", ")} …)`
      : "";
  return { ...view, name: `${view.name}${which}` };
}

/** For the rows learned from and for those asked for, each a list of columns. */
function encode(
  column: TableColumn,
  encoding: CategoryEncoding,
  meaning: Float64Array,
  train: Int32Array,
  asked: Int32Array,
): [Float64Array[], Float64Array[]] {
  const pick = (values: ArrayLike<number>, rows: Int32Array) => Float64Array.from(rows, (row) => values[row]);
  if (column.kind === "number") return [[pick(column.values, train)], [pick(column.values, asked)]];
  const [known, wanted] = [pick(column.codes, train), pick(column.codes, asked)];
  switch (encoding) {
    case "codes":
      return [[known], [wanted]];
    case "frequencies": {
      const frequencies = categoryFrequencies(known);
      return [[encodeFrequencies(known, frequencies)], [encodeFrequencies(wanted, frequencies)]];
    }
    case "means": {
      const target = pick(meaning, train);
      const folds = shuffledFolds(train.length, FOLDS, train.length);
      const rows = Int32Array.from({ length: train.length }, (_, i) => i);
      const means = measureCategoryMeans(known, target, rows, SMOOTHING);
      return [[encodeOutOfFold(known, target, folds, SMOOTHING)], [encodeCategories(wanted, means)]];
    }
    case "indicators": {
      const indicators = (codes: Float64Array) =>
        Array.from({ length: column.count }, (_, code) => codes.map((own) => Number(own === code)));
      return [indicators(known), indicators(wanted)];
    }
  }
}

function gather(parts: readonly Float64Array[][]): DenseMatrix {
  const columns = parts.flat();
  const rows = columns[0].length;
  const values = new Float64Array(rows * columns.length);
  for (const [j, column] of columns.entries())
    for (let row = 0; row < rows; row++) values[row * columns.length + j] = column[row];
  return { rows, columns: columns.length, values };
}
