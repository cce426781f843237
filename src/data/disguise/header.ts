import { csvField } from "../../table/csv/writer.ts";

/** The cells of a header line, with quotes undone; null for a line that is not one, such as an open quote. */
export function headerCells(line: string): string[] | null {
  const cells: string[] = [];
  let rest = line.replace(/^\uFEFF/, "");
  for (;;) {
    const match = /^(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/.exec(rest);
    if (match === null) return null;
    cells.push(match[1] === undefined ? match[2] : match[1].replaceAll('""', '"'));
    if (match[3] === "") return cells;
    rest = rest.slice(match[0].length);
  }
}

/** A header with other names; a line that cannot be read stays as it is. */
export function renameHeader(line: string, names: ReadonlyMap<string, string>): string {
  const end = /\r?$/.exec(line)![0];
  const cells = headerCells(line.slice(0, line.length - end.length));
  if (cells === null || !cells.some((cell) => names.has(cell.trim()))) return line;
  return cells.map((cell) => csvField(names.get(cell.trim()) ?? cell)).join(",") + end;
}
