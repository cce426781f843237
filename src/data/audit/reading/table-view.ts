import path from "node:path";
import type { Competition } from "../../../competitions/competition.ts";
import { type Answers, ID_SEPARATOR } from "../answers.ts";
import type { AuditLimits } from "../audit-limits.ts";
import type { Omission } from "../audit-schema.ts";
import { createRowKeeper, type KeptRows } from "./kept-rows.ts";
import { clipCell } from "./plain-cell.ts";
import type { PublicFile } from "./public-files.ts";
import { isTableName, type RowTaker, readRecords } from "./record-stream.ts";

const MAX_CELLS = 2e6;

export interface TableRow {
  /** Counted from 1. */
  number: number;
  cells: string[];
}

/** A row of a public table that carries an id of the test set. */
interface JoinedRow extends TableRow {
  answer: number;
}

/** What is kept of a public table. */
export interface TableView {
  file: PublicFile;
  /** The key of a list inside a JSON file, else empty. */
  part: string;
  columns: string[];
  rows: number;
  /** Rows evenly spread over the table. */
  sample: TableRow[];
  joined: JoinedRow[];
  /** Positions of the columns that hold the id, where the table has them. */
  idPositions: number[];
  /** `sample`: the sample submission. `train`: has the target. `test`: has ids of the test set. `side`: neither. */
  role: "sample" | "train" | "test" | "side";
}

/** Reads every public table once, keeping a spread of its rows and those that belong to the test set. */
export function readTables(
  files: readonly PublicFile[],
  competition: Competition,
  answers: Answers | null,
  limits: AuditLimits,
  onTable: (file: string) => void,
): { tables: TableView[]; notScanned: Omission[] } {
  const tables: TableView[] = [];
  const notScanned: Omission[] = [];
  const seen = new Set<string>();
  const keepRows = createRowKeeper(limits.sampleBytes);
  const chosen = tableFiles(files, limits.filesPerFamily / 10);
  notScanned.push(...chosen.notScanned);
  for (const file of chosen.files) {
    // A table often lies there twice, once packed: its twin would only repeat the findings.
    const twin = `${path.basename(file.path)}\0${file.bytes}`;
    if (seen.has(twin)) continue;
    seen.add(twin);
    onTable(file.path);
    const end = readRecords(file.location!, file.path, limits.tableBytes, (columns, part) => {
      const mostRows = Math.min(limits.sampleRows, Math.floor(MAX_CELLS / columns.length));
      const kept = { sample: keepRows<TableRow>(mostRows), joined: keepRows<JoinedRow>(mostRows) };
      const view = newView(file, part, columns, answers, kept);
      tables.push(view);
      return rowTaker(view, answers, kept);
    });
    if (end.cut)
      notScanned.push({ file: file.path, reason: `only its first ${limits.tableBytes} bytes were read` });
    if (end.problem !== null)
      notScanned.push({ file: file.path, reason: `it is not a table we can read: ${end.problem}` });
  }
  for (const view of tables) {
    joinByContent(view, answers);
    view.role = roleOf(view, competition, answers);
  }
  return { tables, notScanned };
}

/** Reads all rows of a table again. */
export function rereadRows(view: TableView, limits: AuditLimits, take: RowTaker): void {
  readRecords(view.file.location!, view.file.path, limits.tableBytes, (_, part) =>
    part === view.part ? take : null,
  );
}

/** One table per record (a notebook, a recording) is not a table of the task: of many in a folder the first are read. */
function tableFiles(files: readonly PublicFile[], mostPerFolder: number) {
  const perFolder = new Map<string, number>();
  const chosen = files.filter((file) => {
    if (file.location === null || !isTableName(file.path)) return false;
    const folder = path.dirname(file.path);
    const count = (perFolder.get(folder) ?? 0) + 1;
    perFolder.set(folder, count);
    return folder === "." || count <= mostPerFolder;
  });
  const notScanned = [...perFolder]
    .filter(([folder, count]) => folder !== "." && count > mostPerFolder)
    .map(([folder, count]) => ({
      file: folder,
      reason: `of its ${count} tables ${mostPerFolder} were read as tables`,
    }));
  return { files: chosen, notScanned };
}

interface KeptOfTable {
  sample: KeptRows<TableRow>;
  joined: KeptRows<JoinedRow>;
}

function newView(
  file: PublicFile,
  part: string,
  columns: string[],
  answers: Answers | null,
  { sample, joined }: KeptOfTable,
): TableView {
  const positions = answers?.idColumns.map((name) => columns.indexOf(name)) ?? [];
  const idPositions = positions.includes(-1) ? [] : positions;
  return {
    file,
    part,
    columns,
    rows: 0,
    sample: sample.rows,
    joined: joined.rows,
    idPositions,
    role: "side",
  };
}

function rowTaker(view: TableView, answers: Answers | null, { sample, joined }: KeptOfTable): RowTaker {
  const answerOf = (cells: string[]) =>
    answers === null || view.idPositions.length === 0
      ? undefined
      : answers.find(view.idPositions.map((at) => cells[at]).join(ID_SEPARATOR));
  return (cells) => {
    view.rows++;
    const answer = answerOf(cells);
    const sampled = sample.wantsNext();
    const joins = answer !== undefined && joined.wantsNext();
    if (!sampled && !joins) return true;
    const row = { number: view.rows, cells: cells.map(clipCell) };
    if (sampled) sample.keep(row);
    if (joins) joined.keep({ ...row, answer });
    return true;
  };
}

const MIN_MATCHES = 3;

/** A table may call the id otherwise: the column most of whose values are ids of the test set. Numbers match too easily. */
function joinByContent(view: TableView, answers: Answers | null): void {
  if (answers === null || answers.idColumns.length !== 1 || view.idPositions.length > 0) return;
  if (answers.ids.slice(0, 100).every((id) => /^[\d.]*$/.test(id))) return;
  let best = { at: -1, matches: MIN_MATCHES - 1 };
  for (const at of view.columns.keys()) {
    const matched = new Set(view.sample.map(({ cells }) => answers.find(cells[at])));
    matched.delete(undefined);
    if (matched.size > best.matches) best = { at, matches: matched.size };
  }
  if (best.at < 0) return;
  view.idPositions = [best.at];
  for (const row of view.sample) {
    const answer = answers.find(row.cells[best.at]);
    if (answer !== undefined) view.joined.push({ ...row, answer });
  }
}

function roleOf(view: TableView, competition: Competition, answers: Answers | null): TableView["role"] {
  if (isSampleSubmission(view.file.path, competition)) return "sample";
  const hasTarget = competition.columns.target.some((name) => view.columns.includes(name));
  const joinedShare = view.joined.length / Math.max(1, Math.min(view.rows, answers?.ids.length ?? 1));
  if (view.file.side === "train" || (hasTarget && view.file.side !== "test" && joinedShare < 0.5))
    return "train";
  return view.file.side === "test" || joinedShare >= 0.5 ? "test" : "side";
}

/** By its name, wherever it lies: some competitions have it twice, or packed. */
export function isSampleSubmission(file: string, competition: Competition): boolean {
  const name = path.basename(file).toLowerCase();
  const official = path.basename(competition.files.sampleSubmission).toLowerCase();
  return name === official || /sample[_-]?submission/.test(name);
}
