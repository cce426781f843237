import type { Evidence, TrialView } from "../view.ts";

const SAID = /No space left on device|ENOSPC|Disk quota exceeded|EDQUOT/;

export function diskFull({ record: { trial }, troubled, lastLine }: TrialView): Evidence[] {
  const found: Evidence[] = [];
  if (trial?.outcome?.stopReason === "disk")
    found.push({ source: "measurement", where: "trial.json", text: trial.outcome.message });
  const line = troubled ? lastLine(SAID) : null;
  return line === null ? found : [...found, line];
}
