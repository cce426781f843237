import path from "node:path";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { fileTimestamp } from "../../../grading/report.ts";
import { csvField, csvRow } from "../../../table/csv/writer.ts";
import type { JudgedTrial } from "./judge.ts";
import { QUESTIONS } from "./questions.ts";

/** The original's table and summary, under its names and with its columns. */
export function writeJudgement(
  folder: string,
  judged: readonly JudgedTrial[],
  now: Date,
): { table: string; summary: string } {
  const stamp = fileTimestamp(now);
  const names = QUESTIONS.map(({ id, material }) => `${material}_${id}`);
  const header = csvRow([
    "competition_id",
    "submission_path",
    ...names.flatMap((name) => [name, `${name}_binarized`]),
  ]);
  const rows = judged.map(({ competitionId, submissionPath, answers }) =>
    csvRow(
      [
        competitionId,
        submissionPath ?? "",
        ...answers.flatMap(({ text, verdict }) => [text, verdict === null ? "" : verdict ? "True" : "False"]),
      ].map((cell) => csvField(cell)),
    ),
  );
  const table = path.join(folder, `analysis_${stamp}.csv`);
  writeFileAtomically(table, [header, ...rows].join(""));
  const summary = path.join(folder, `analysis_summary_${stamp}.json`);
  const shares = Object.fromEntries(
    names.map((name, i) => {
      const yes = judged.filter(({ answers }) => answers[i].verdict === true).length;
      return [name, `${((100 * yes) / Math.max(1, judged.length)).toFixed(1)}%`];
    }),
  );
  writeFileAtomically(summary, `${JSON.stringify(shares, null, 2)}\n`);
  return { table, summary };
}
