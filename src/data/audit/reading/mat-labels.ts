import fs from "node:fs";
import type { AuditContext } from "../audit-context.ts";
import type { Finding } from "../audit-schema.ts";
import { type MatArray, matArrays } from "./mat-file.ts";
import { type PublicFile, spread } from "./public-files.ts";

const LABEL =
  /(?:^|\.)(?:labels?|targets?|annotations?|ground_?truth|truth|class(?:es)?|y_?true|gestures?)(?:\.|$)/i;

/**
 * MATLAB files of the test set with a variable or field that is called a label and is not empty. The values need not
 * equal the answers: recordings of gestures name what the answers number.
 */
export function findLabelledMatFiles({ files, limits, omit }: AuditContext): Finding[] {
  const candidates = files.filter(
    (file) => file.side === "test" && file.location !== null && /\.mat$/i.test(file.path),
  );
  const chosen = spread(candidates, limits.filesPerFamily);
  if (chosen.length < candidates.length)
    omit({ file: "*.mat", reason: `of ${candidates.length} MATLAB files ${chosen.length} were opened` });
  const labelled: { file: PublicFile; label: MatArray }[] = [];
  let opened = 0;
  for (const file of chosen) {
    const arrays = file.bytes <= limits.archiveBytes ? matArrays(fs.readFileSync(file.location!)) : null;
    if (arrays === null) {
      omit({ file: file.path, reason: "it is not a MATLAB 5 file we can read" });
      continue;
    }
    opened++;
    const label = arrays.find(({ path, leaf, elements }) => leaf && elements > 0 && LABEL.test(path));
    if (label !== undefined) labelled.push({ file, label });
  }
  if (labelled.length === 0) return [];
  const [{ file, label }] = labelled;
  const shown = label.text === "" ? "" : ` (the first reads "${label.text.slice(0, 40)}")`;
  return [
    {
      check: "answers-in-files",
      severity: "leak",
      file: file.path,
      evidence: {
        what: `the array "${label.path}" is filled in ${labelled.length} of ${opened} MATLAB files of the test set${shown}`,
        column: label.path,
        figure: labelled.length / opened,
        measuredOn: opened,
      },
      message: "MATLAB files of the test set contain labels.",
      nextStep: `Strip "${label.path}" from the test files when preparing, or leave the files out.`,
    },
  ];
}
