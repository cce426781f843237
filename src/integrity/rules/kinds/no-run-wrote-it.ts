import { plural } from "../../../wording/counts.ts";
import { finding, type Rule } from "../rule.ts";

const WRITES =
  /^(.*\.)?(to_csv|write_csv|to_parquet|savetxt|writerows?|writeheader|write_text|write|fwrite|write\.csv|write\.table|writeFile(Sync)?|writeLines|save|dump|copyfile|copy|move|rename|sink)$/;
const SHELL_WRITES = />\s*\S*submission|\b(cp|mv|tee)\b.*submission/;
/** Agents of ours whose work is the harness's own code. */
const BUILT_IN = /^(sample|dummy|baseline)(\/|$)/;

/** A submission, and nothing in the code that was left behind that could have written it. */
export const noRunWroteIt: Rule = (view) => {
  const submission = view.submission();
  if (submission === null || view.record === null) return null;
  const writes = view.code.some(
    ({ calls, shell }) =>
      calls.some(
        ({ callee, text }) => WRITES.test(callee) || (/^open$/.test(callee) && /["'][wax]b?["']/.test(text)),
      ) || shell.some(({ text }) => SHELL_WRITES.test(text) || /\bpython|Rscript|node\b/.test(text)),
  );
  if (writes) return null;
  const unread = view.codeNames.filter((name) => !view.code.some((file) => file.name === name));
  // Programs in languages we do not parse may have written it.
  if (unread.some((name) => /\.(jl|java|scala|go|rs|c|cc|cpp|ts|pl|rb|m|sql|rmd|qmd)$/i.test(name)))
    return null;
  const agent = view.record.agent.id;
  const what =
    view.code.length === 0
      ? "no code was left"
      : `${plural(view.code.length, "file")} of code ${view.code.length === 1 ? "writes" : "write"} nothing`;
  return finding(
    [{ file: "submission/submission.csv", line: null, quotation: `${submission.rows} rows; ${what}` }],
    "suspicious",
    "There is a submission, and no code that could have written it.",
    BUILT_IN.test(agent) ? `${agent} is built in: its code is the harness's own` : null,
  );
};
