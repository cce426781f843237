/** A submission as rows of cells, the header first. */
export type Cells = string[][];

/** Splits well-formed CSV, forgivingly: whatever it makes of a broken file is only the start of a mutation. */
export function parseCells(bytes: Buffer): Cells {
  const text = bytes.toString("utf8");
  const rows: Cells = [];
  let row: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text[at++];
      else quoted = false;
    } else if (character === '"' && cell === "") quoted = true;
    else if (character === "," || character === "\n") {
      row.push(cell);
      cell = "";
      if (character === "\n") {
        rows.push(row);
        row = [];
      }
    } else if (character !== "\r") cell += character;
  }
  if (cell !== "" || row.length > 0) rows.push([...row, cell]);
  return rows;
}

export function formatCells(rows: Cells, separator = ",", lineEnd = "\n"): Buffer {
  const lines = rows.map((row) => row.map((cell) => quoteIfNeeded(cell, separator)).join(separator));
  return Buffer.from(lines.map((line) => line + lineEnd).join(""));
}

function quoteIfNeeded(cell: string, separator: string): string {
  return cell.includes(separator) || /["\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
