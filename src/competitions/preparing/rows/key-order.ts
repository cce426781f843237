import type { PrintMode } from "../../../table/columns/column-kinds.ts";
import { compareCodePoints } from "../../../table/rows/code-point-order.ts";
import type { RawCsv } from "./raw-csv.ts";

const FLOATS: ReadonlySet<PrintMode> = new Set(["int", "float", "int-as-float", "gappy-int"]);

/** How pandas orders the groups of a column, given its cells as printed: numbers by value, anything else as texts. */
export function keyOrder(csv: RawCsv, column: string): (a: string, b: string) => number {
  const modes = csv.modes.get(column)!;
  if (modes.every((mode) => mode === "int")) return (a, b) => Number(BigInt(a) - BigInt(b));
  return modes.every((mode) => FLOATS.has(mode)) ? (a, b) => Number(a) - Number(b) : compareCodePoints;
}
