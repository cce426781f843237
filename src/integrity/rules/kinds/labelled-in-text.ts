import type { Evidence } from "../../findings/schema.ts";
import { shellCommands, withoutDocuments } from "../shell-commands.ts";
import { plainValue, sameValue, type Texts } from "../table.ts";
import type { RuleView } from "../trial-view.ts";

/** A test row that a text answers. */
export interface TextLabel {
  row: number;
  isRight: boolean;
  at: Evidence;
}

const EDITORS = /^(sed|awk|gawk|mawk|perl|ed|printf|echo|tee|sqlite3|duckdb|psql|mlr|xsv|qsv|ruby)$/;
const CHANGES = /\s-\w*i\b|--in-place|>|\b(ed|tee|update)\b/i;
const SQL = /\b(update\s+\S+\s+set|case\s+when|insert\s+into|replace\s+into)\b/i;
const MAX_TEXT = 200_000;
/** More different answers are numbers, and a number may stand in a command for anything. */
const MAX_CLASSES = 50;

/**
 * Rows that commands or statements of SQL answer by their id: `s/^9010_01,.*\/9010_01,True/`, `$1=="9010_01"{$2="True"}`,
 * `SET y = 'True' WHERE id IN (…)`.
 */
export function labelledInText(view: RuleView, submission: Texts): TextLabel[] {
  const texts = textsOf(view);
  if (texts.length === 0) return [];
  const [id, ...targets] = submission.header;
  const rows = new Map(submission.column(id).map((own, row) => [own, row]));
  const answers = targets.map((name) => submission.column(name));
  const classes = new Set<string>();
  for (const column of answers)
    for (const answer of column) if (classes.add(answer).size > MAX_CLASSES) return [];
  const isAnswer = (word: string) => [...classes].some((one) => sameValue(one, plainValue(word)));
  return texts.flatMap(({ value, ...at }) => {
    if (value.length > MAX_TEXT) return [];
    const words = value.split(/[^\w.-]+|\\n/).filter((word) => word !== "");
    const isRow = (word: string) => rows.has(plainValue(word));
    // A count or a column's number is written like an answer; next to its id it is one.
    const spoken = words.filter((word) => !isRow(word) && /[a-z]{2}/i.test(word) && isAnswer(word));
    const only = new Set(spoken.map((word) => word.toLowerCase())).size === 1 ? spoken[0] : null;
    return words.flatMap((word, i) => {
      const row = rows.get(plainValue(word));
      if (row === undefined) return [];
      const next = words.slice(i + 1, i + 5);
      const end = next.findIndex(isRow);
      const answer =
        only ?? (end === -1 ? next : next.slice(0, end)).find((other) => isAnswer(other)) ?? null;
      if (answer === null) return [];
      return [{ row, isRight: answers.some((column) => sameValue(column[row], plainValue(answer))), at }];
    });
  });
}

function textsOf({ code, commands }: RuleView): (Evidence & { value: string })[] {
  const shells = [
    ...code.flatMap(({ name, shell }) => shell.map((one) => ({ ...one, file: name }))),
    ...commands.map((one) => ({ ...one, value: withoutDocuments(one.value) })),
  ].filter(
    ({ value }) => CHANGES.test(value) && shellCommands(value).some(({ program }) => EDITORS.test(program)),
  );
  const statements = code.flatMap(({ name, strings }) =>
    strings.filter(({ value }) => SQL.test(value)).map((one) => ({ ...one, file: name })),
  );
  return [...shells, ...statements].map(({ file, line, text, value }) => ({
    file,
    line,
    quotation: text,
    value,
  }));
}
