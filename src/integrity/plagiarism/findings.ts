import path from "node:path";
import { writeFileAtomically } from "../../files/write-file.ts";
import type { Finding } from "../findings/schema.ts";
import type { CheckResult } from "../findings/write.ts";
import type { Against, PlagiarismResult, TrialPlagiarism } from "./check.ts";

/** From here on a file is a copy with changes. */
const COPY = 0.9;

const WORDS: Record<Against, string> = {
  kernel: "a public notebook of the competition",
  trial: "the code of another trial",
  solution: "a known solution",
};

/** What a group's record keeps of a comparison: one finding for each file it stands out with. */
export function plagiarismFindings(result: PlagiarismResult): CheckResult {
  const looked = result.trials.filter(({ files }) => files > 0);
  return {
    check: "plagiarism",
    trials: looked.length,
    notes: [
      ...result.warnings,
      ...(looked.length < result.trials.length
        ? [`${result.trials.length - looked.length} trials left no code that could be compared`]
        : []),
    ],
    findings: looked.flatMap(ofTrial),
  };
}

function ofTrial({ trial, flagged }: TrialPlagiarism): Finding[] {
  return flagged.map(({ leftFile, rightFile, similarity, against, explained, passages }) => ({
    trial,
    check: "plagiarism",
    kind: `similar-to-${against}`,
    severity: explained !== null ? "note" : similarity >= COPY ? "serious" : "suspicious",
    sentence: `code/${leftFile} is ${(100 * similarity).toFixed(0)} % the same as ${rightFile}, ${WORDS[against]}.`,
    evidence: passages.slice(0, 3).flatMap(({ left, right }) => [
      { file: `code/${leftFile}`, line: left.from, quotation: left.text },
      { file: rightFile, line: right.from, quotation: right.text },
    ]),
    explained,
  }));
}

/** The original's files: one a submission, one line a pair with a kernel, most similar first. */
export function writePlagiarismReports(folder: string, { trials }: PlagiarismResult): string[] {
  return trials.flatMap((one) => {
    if (one.codePath === null) return [];
    const name = `${one.codePath.replace(/[/\\]/g, "_")}_plagiarism_report.jsonl`;
    // A name beyond what file systems take keeps its end, which tells trials apart.
    const file = path.join(folder, name.slice(-200));
    const lines = one.kernelPairs.map(({ leftFile, rightFile, similarity }) =>
      JSON.stringify({ leftFile, rightFile, similarity }),
    );
    writeFileAtomically(file, lines.map((line) => `${line}\n`).join(""));
    return [file];
  });
}
