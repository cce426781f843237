import path from "node:path";
import type { Competition } from "../../competitions/competition.ts";
import type { AuditLimits } from "./audit-limits.ts";
import { groupKind } from "./checks/group-names.ts";
import { cellsSize, clipCell } from "./reading/plain-cell.ts";
import { readRecords } from "./reading/record-stream.ts";

/** One column of the answers, a cell for each row that was kept. */
export interface AnswerColumn {
  name: string;
  cells: string[];
}

export interface Answers {
  location: string;
  /** Rows in the file as far as it was read; `ids` may be fewer. */
  rows: number;
  complete: boolean;
  header: string[];
  idColumns: string[];
  /** One text per kept row; the parts of an id of several columns are joined by `ID_SEPARATOR`. */
  ids: string[];
  /** Columns by name: the targets and the groups; where the file has no target column of the facts, all of them. */
  columns: Map<string, AnswerColumn>;
  /** Different values of each column, up to `DOMAIN` of them. */
  domains: Map<string, Set<string>>;
  /** The row of an id as a table or a file name spells it, with or without an extension. */
  find(id: string): number | undefined;
}

export const ID_SEPARATOR = "\u001f";
const DOMAIN = 50;

/** Reads the private answers; null when the file is missing or is not a table. */
export function readAnswers(competition: Competition, location: string, limits: AuditLimits): Answers | null {
  const { id: idNames, target: targetNames } = competition.columns;
  const ids: string[] = [];
  const columns = new Map<string, AnswerColumn>();
  const domains = new Map<string, Set<string>>();
  let header: string[] | null = null;
  let idColumns: string[] = [];
  let rows = 0;
  let bytes = 0;
  const end = readRecords(location, path.basename(location), limits.tableBytes, (names, part) => {
    if (header !== null || part !== "") return null;
    header = names;
    idColumns = answerIds(names, idNames, targetNames);
    const positions = idColumns.map((name) => names.indexOf(name));
    for (const name of names) domains.set(name, new Set());
    for (const name of keptColumns(names, idColumns, targetNames)) columns.set(name, { name, cells: [] });
    return (cells) => {
      rows++;
      for (const [i, name] of names.entries()) {
        const domain = domains.get(name)!;
        if (domain.size <= DOMAIN) domain.add(clipCell(cells[i]));
      }
      if (ids.length >= limits.answerRows || bytes >= limits.answerBytes) return true;
      const kept = [positions.map((at) => cells[at]).join(ID_SEPARATOR)];
      ids.push(kept[0]);
      for (const [name, column] of columns) {
        const cell = clipCell(cells[names.indexOf(name)]);
        column.cells.push(cell);
        kept.push(cell);
      }
      bytes += cellsSize(kept);
      return true;
    };
  });
  if (header === null || rows === 0) return null;
  const complete = !end.cut && end.problem === null && ids.length === rows;
  return { location, rows, complete, header, idColumns, ids, columns, domains, find: finder(ids) };
}

/** The whole cells of a few rows of one column, which are clipped in memory. */
export function readWholeCells(
  answers: Answers,
  column: string,
  wanted: ReadonlySet<number>,
): Map<number, string> {
  const found = new Map<number, string>();
  readRecords(answers.location, path.basename(answers.location), Number.POSITIVE_INFINITY, (names, part) => {
    const at = names.indexOf(column);
    if (part !== "" || at < 0) return null;
    let row = 0;
    return (cells) => {
      if (wanted.has(row)) found.set(row, cells[at]);
      row++;
      return found.size < wanted.size;
    };
  });
  return found;
}

function answerIds(header: string[], idNames: readonly string[], targetNames: readonly string[]): string[] {
  const named = idNames.filter((name) => header.includes(name));
  if (named.length > 0) return named;
  const likely = header.find((name) => /(^|_)id$|^id/i.test(name) && !targetNames.includes(name));
  return likely === undefined ? [] : [likely];
}

function keptColumns(header: string[], idColumns: string[], targetNames: readonly string[]): string[] {
  const others = header.filter((name) => !idColumns.includes(name));
  const targets = others.filter((name) => targetNames.includes(name));
  if (targets.length === 0) return others;
  return others.filter((name) => targets.includes(name) || groupKind(name) !== null || isSize(name));
}

/** Width and height of a picture are facts about the question, not answers. */
export function isSize(column: string): boolean {
  return /width|height/i.test(column);
}

function finder(ids: readonly string[]): (id: string) => number | undefined {
  const rows = new Map<string, number>();
  for (const [row, id] of ids.entries()) if (!rows.has(id)) rows.set(id, row);
  for (const [row, id] of ids.entries()) {
    const stem = withoutExtension(id);
    if (!rows.has(stem)) rows.set(stem, row);
  }
  return (id) => rows.get(id) ?? (id.includes(".") ? rows.get(withoutExtension(id)) : undefined);
}

function withoutExtension(name: string): string {
  return name.replace(/\.[a-z][a-z0-9]{1,4}$/i, "");
}
