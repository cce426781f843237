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

const GAP = 2;
const ESCAPE = `(?:${String.fromCharCode(27)}\\[[0-9;]*m)+`;
const PAINTED = new RegExp(`^(${ESCAPE})(.*?)(${ESCAPE})$`, "s");

interface Fit {
  /** The columns of numbers. */
  right: readonly number[];
  width: number;
  /** Columns that may go where there is no room for them, the least useful first; the first row names them. */
  drop?: readonly number[];
}

/**
 * The same table within a width: cells are broken between words, the widest column first; where that is not enough,
 * columns are left out, and a last line says which. A word is never broken, since a reader may want to paste it.
 */
export function fittedTable(
  cells: readonly (readonly string[])[],
  { right, width, drop = [] }: Fit,
): string[] {
  const shown = new Set((cells[0] ?? []).map((_, i) => i));
  const dropped: number[] = [];
  let widths = narrowed(cells, shown, width);
  for (const column of drop) {
    if (totalOf(widths, shown) <= width) break;
    shown.delete(column);
    dropped.push(column);
    widths = narrowed(cells, shown, width);
  }
  const kept = [...shown];
  const rows = cells.flatMap((row) => {
    const parts = kept.map((i) => brokenCell(row[i] ?? "", widths[i]));
    const height = Math.max(...parts.map((lines) => lines.length));
    return Array.from({ length: height }, (_, line) => parts.map((lines) => lines[line] ?? ""));
  });
  const numbers = kept.flatMap((column, i) => (right.includes(column) ? [i] : []));
  const titles = dropped
    .map((column) => cells[0][column].replace(ESCAPES, ""))
    .filter((title) => title !== "");
  return [
    ...textTable(rows, numbers),
    ...(titles.length > 0 ? [`(no room for: ${titles.reverse().join(", ")})`] : []),
  ];
}

const totalOf = (widths: readonly number[], shown: ReadonlySet<number>) =>
  [...shown].reduce((sum, i) => sum + widths[i] + GAP, -GAP);

/** How wide each column is when the widest have given as much as their longest words allow. */
function narrowed(
  cells: readonly (readonly string[])[],
  shown: ReadonlySet<number>,
  width: number,
): number[] {
  const all = (of: (cell: string) => number) =>
    (cells[0] ?? []).map((_, i) => Math.max(...cells.map((row) => of(row[i] ?? ""))));
  const widths = all(visibleLength);
  const least = all((cell) => Math.max(...cell.split(" ").map(visibleLength)));
  for (;;) {
    const excess = totalOf(widths, shown) - width;
    const able = [...shown].filter((i) => widths[i] > least[i]);
    if (!(excess > 0) || able.length === 0) return widths;
    const widest = able.reduce((a, b) => (widths[b] > widths[a] ? b : a));
    widths[widest] = Math.max(least[widest], widths[widest] - excess);
  }
}

/** Lines of a cell; each carries the colour of the whole. */
function brokenCell(cell: string, width: number): string[] {
  if (visibleLength(cell) <= width) return [cell];
  const [, before = "", inner = cell, after = ""] = PAINTED.exec(cell) ?? [];
  const lines: string[] = [];
  for (const word of inner.split(" ")) {
    const last = lines.at(-1);
    if (last !== undefined && visibleLength(last) + 1 + visibleLength(word) <= width)
      lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${before}${line}${after}`);
}
