import type { Evidence, TrialView } from "../view.ts";

/** The last line of a Python traceback, of an uncaught error of Node, of R, Julia, Rust or a signal. */
const EXCEPTION =
  /^(?:\[Container\] )?\s*(?:Uncaught )?(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception|Interrupt|Exit|Warning: Uncaught)\b(?::|$)|Segmentation fault|core dumped|^Execution halted|^panicked at|thread '.*' panicked/;
const HARMLESS = /Warning\b/;

/** It ended with an error, or left a traceback and no valid submission. The exception comes with it. */
export function crashed({ record: { trial }, scored, troubled, lastLine }: TrialView): Evidence[] {
  if (!troubled) return [];
  const outcome = trial?.outcome;
  const line = lastLine(EXCEPTION);
  const exception = line !== null && !HARMLESS.test(line.text) ? [line] : [];
  if (outcome?.stopReason === "failed")
    return [{ source: "measurement", where: "trial.json", text: outcome.message }, ...exception];
  const otherwiseExplained = outcome != null && outcome.stopReason !== "exited";
  return scored || otherwiseExplained ? [] : exception;
}
