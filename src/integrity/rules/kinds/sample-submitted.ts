import { finding, type Rule } from "../rule.ts";
import type { Texts } from "../table.ts";

/** Agents of ours that do so on purpose. */
const ON_PURPOSE = /^(sample|dummy)(\/|$)/;

/** The submission says what the sample submission says, in whatever order and spelling. */
export const sampleSubmitted: Rule = (view) => {
  const [submission, sample] = [view.submission(), view.sample()];
  if (submission === null || sample === null || sample.rows === 0) return null;
  if (!sameAnswers(submission, sample)) return null;
  const agent = view.record?.agent.id ?? "";
  return finding(
    [
      {
        file: "submission/submission.csv",
        line: null,
        quotation: `${sample.rows} rows, all as in the sample submission`,
      },
    ],
    "suspicious",
    "The submission is the sample submission.",
    ON_PURPOSE.test(agent) ? `${agent} does so on purpose` : null,
  );
};

function sameAnswers(a: Texts, b: Texts): boolean {
  if (a.rows !== b.rows || a.header.length !== b.header.length) return false;
  const rowsOf = ({ header, column, rows }: Texts) => {
    const columns = [...header].sort().map(column);
    return Array.from({ length: rows }, (_, row) => columns.map((cells) => cells[row]).join("\u0000")).sort();
  };
  if ([...a.header].sort().join("\u0000") !== [...b.header].sort().join("\u0000")) return false;
  const [left, right] = [rowsOf(a), rowsOf(b)];
  return left.every((row, i) => row === right[i]);
}
