import type { PlagiarismResult } from "../../integrity/plagiarism/check.ts";
import { plural } from "../../wording/counts.ts";
import { safeText } from "../../wording/safe-text.ts";
import type { Paint } from "./grade.ts";
import { textTable } from "./table.ts";

const MAX_ROWS = 30;

/** Each trial by its most similar file that nothing explains, most similar first. */
export function plagiarismLines({ trials, threshold }: PlagiarismResult, paint: Paint): string[] {
  const pairs = trials.reduce((sum, one) => sum + one.kernelPairs.length + one.otherPairs.length, 0);
  const open = trials.filter(({ flagged }) => flagged.some(({ explained }) => explained === null));
  const ordered = trials.toSorted((a, b) => (b.max?.similarity ?? -1) - (a.max?.similarity ?? -1));
  const rows = ordered
    .slice(0, MAX_ROWS)
    .map(({ trial, max }) => [
      max === null
        ? "–"
        : paint(max.similarity >= threshold ? "red" : "dim", `${(100 * max.similarity).toFixed(0)} %`),
      safeText(trial),
      max === null ? "" : `${safeText(max.leftFile)} ~ ${safeText(max.rightFile)}`,
    ]);
  return [
    `${plural(trials.length, "trial")}, ${plural(pairs, "pair")} compared; ${open.length} at or above ${(100 * threshold).toFixed(0)} %`,
    "",
    ...textTable([["similar", "trial", "files"].map((title) => paint("dim", title)), ...rows], [0]),
    ...(ordered.length > MAX_ROWS ? [`… and ${ordered.length - MAX_ROWS} more`] : []),
  ];
}
