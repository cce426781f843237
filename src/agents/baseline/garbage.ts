import v8 from "node:v8";
import vm from "node:vm";

let collect: (() => void) | null = null;

/**
 * Frees what is no longer used, now. The collector looks at its own heap and hardly sees the large blocks outside that
 * hang on it: between two fits they would pile up far beyond the budget.
 */
export function collectGarbage(): void {
  if (collect === null) {
    v8.setFlagsFromString("--expose-gc");
    collect = vm.runInNewContext("gc") as () => void;
  }
  collect();
}
