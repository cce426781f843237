import { sizeText } from "../../../wording/sizes.ts";
import type { Evidence, TrialView } from "../view.ts";

const SAID =
  /\bMemoryError\b|out of memory|std::bad_alloc|Cannot allocate memory|Unable to allocate [\d.]+ .iB|cannot allocate vector of size|OOM ?[Kk]ill/;
const NEARLY_ALL = 0.95;

/** Killed for its memory, or it said so itself, or it was killed while it held nearly all it was allowed. */
export function outOfMemory({ record: { trial }, troubled, lastLine }: TrialView): Evidence[] {
  const found: Evidence[] = [];
  const peak = trial?.measurements?.peakMemoryBytes ?? 0;
  const limit = trial?.limits.memoryBytes?.value ?? Number.POSITIVE_INFINITY;
  const measured: Evidence = {
    source: "measurement",
    where: "trial.json",
    text: `peak memory ${megabytes(peak)} of ${megabytes(limit)}`,
  };
  if (trial?.outcome?.stopReason === "memory") found.push(measured);
  else if (trial?.outcome?.signal === "SIGKILL" && peak >= NEARLY_ALL * limit) found.push(measured);
  const line = troubled ? lastLine(SAID) : null;
  return line === null ? found : [...found, line];
}

function megabytes(bytes: number): string {
  return Number.isFinite(bytes) ? sizeText(bytes) : "no limit";
}
