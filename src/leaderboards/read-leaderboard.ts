/** A full board's scores in file order, or the first thing that is wrong with the file. */
export type LeaderboardFile =
  | { status: "read"; scores: Float64Array; teamsWithoutScore: number }
  | { status: "invalid"; reason: string };

type Row = { line: number; fields: string[] };
type Rows = { status: "read"; rows: Row[] } | { status: "invalid"; reason: string };

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$/i;
const NO_SCORE = new Set(["", "nan", "null", "none"]);

/**
 * Scores from a `leaderboard.csv` as Kaggle hands it out. The column is called `score` (that spelling first, then any
 * case). Teams without a score are left out and counted. Anything else odd makes the whole file invalid, since a row
 * with a stray comma would silently contribute the wrong number. The order is not checked: it is the direction.
 */
export function readLeaderboardCsv(text: string): LeaderboardFile {
  const parsed = splitRows(text.startsWith("\uFEFF") ? text.slice(1) : text);
  if (parsed.status === "invalid") return parsed;
  const [header, ...teams] = parsed.rows;
  if (header === undefined) return invalid("the file is empty");
  const column = scoreColumn(header.fields);
  if (column === -1) return invalid("no column is called score");

  const scores: number[] = [];
  for (const { line, fields } of teams) {
    if (fields.length !== header.fields.length) {
      return invalid(`line ${line} has ${fields.length} fields, the header has ${header.fields.length}`);
    }
    const cell = fields[column].trim();
    if (NO_SCORE.has(cell.toLowerCase())) continue;
    const score = NUMBER.test(cell) ? Number(cell) : Number.NaN;
    if (!Number.isFinite(score)) return invalid(`line ${line}: ${quoted(cell)} is not a score`);
    scores.push(score);
  }
  if (scores.length === 0) return invalid("the board has no scores");
  return {
    status: "read",
    scores: Float64Array.from(scores),
    teamsWithoutScore: teams.length - scores.length,
  };
}

function scoreColumn(header: string[]): number {
  const names = header.map((name) => name.trim());
  const exact = names.indexOf("score");
  return exact === -1 ? names.findIndex((name) => name.toLowerCase() === "score") : exact;
}

/** Comma-separated rows; quotes may hold commas, line ends and doubled quotes; blank lines are skipped. */
function splitRows(text: string): Rows {
  const rows: Row[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const row: Row = { line, fields: [] };
    for (;;) {
      const field = text[at] === '"' ? quotedField(text, at) : plainField(text, at);
      if (field === null) return invalid(`line ${line}: a quote is not closed, or text follows it`);
      row.fields.push(field.value);
      line += field.lineEnds;
      at = field.end + 1;
      if (text[field.end] !== ",") break;
    }
    if (text[at - 1] === "\r" && text[at] === "\n") at++;
    line++;
    if (row.fields.length > 1 || row.fields[0].trim() !== "") rows.push(row);
  }
  return { status: "read", rows };
}

type Field = { value: string; end: number; lineEnds: number };

const FIELD_END = /[,\r\n]/g;
const LINE_END = /\r\n?|\n/g;

function plainField(text: string, start: number): Field {
  FIELD_END.lastIndex = start;
  const end = FIELD_END.exec(text)?.index ?? text.length;
  return { value: text.slice(start, end), end, lineEnds: 0 };
}

function quotedField(text: string, start: number): Field | null {
  let close = text.indexOf('"', start + 1);
  while (close !== -1 && text[close + 1] === '"') close = text.indexOf('"', close + 2);
  if (close === -1) return null;
  const end = close + 1;
  if (end < text.length && !",\r\n".includes(text[end])) return null;
  const value = text.slice(start + 1, close).replaceAll('""', '"');
  return { value, end, lineEnds: value.match(LINE_END)?.length ?? 0 };
}

function invalid(reason: string): { status: "invalid"; reason: string } {
  return { status: "invalid", reason };
}

function quoted(cell: string): string {
  return JSON.stringify(cell.length > 40 ? `${cell.slice(0, 40)}…` : cell);
}
