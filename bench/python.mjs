// Debian's Python with pandas and scikit-learn, for figures side by side; every suite works without it.
import { spawnSync } from "node:child_process";

export const PYTHON = "/usr/bin/python3";
const MISSING =
  "No side-by-side figures: pandas and scikit-learn are not installed. Install them: bash scripts/install-bench-tools.sh";

/** Says once, on standard error, how to get it when one of the modules is missing. */
export function hasPython(modules = "pandas, sklearn") {
  const found = spawnSync(PYTHON, ["-c", `import ${modules}`]).status === 0;
  if (!found) console.error(MISSING);
  return found;
}
