const ESCAPES = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, "g");

const BREAKS = /[\n\r\t\v\f\u0085\u2028\u2029]+/g;

/** Columns of even width, two blanks apart; cells may carry colour. `right` names the columns of numbers. */
export function textTable(cells: readonly (readonly string[])[], right: readonly number[] = []): string[] {
  const widths: number[] = [];
  // A cell may come from anybody; it never becomes two lines.
  const rows = cells.map((row) => row.map((cell) => cell.replace(BREAKS, " ")));
  for (const row of rows) {
    row.forEach((cell, i) => {
      widths[i] = Math.max(widths[i] ?? 0, visibleLength(cell));
    });
  }
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const padding = " ".repeat(widths[i] - visibleLength(cell));
        return right.includes(i) ? padding + cell : cell + padding;
      })
      .join("  ")
      .trimEnd(),
  );
}

/** Without the escapes that colour it. */
export function visibleLength(cell: string): number {
  return cell.replace(ESCAPES, "").length;
}
