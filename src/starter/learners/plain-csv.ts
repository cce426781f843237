import fs from "node:fs";

/**
 * The columns of a public file as texts. Read without pandas' rules, by which a word like "null" would be missing; the
 * files of these competitions have no quotes.
 */
export function readPlainCsv(path: string): ReadonlyMap<string, readonly string[]> {
  const text = fs.readFileSync(path, "utf8");
  if (text.includes('"')) throw new Error(`${path} has quotes, which this reader does not know.`);
  const [header, ...rows] = text
    .trimEnd()
    .split("\n")
    .map((line) => line.split(","));
  return new Map(header.map((name, column) => [name, rows.map((cells) => cells[column])]));
}

/** The text of a submission: each id with its value. */
export function plainCsv(header: string, ids: readonly string[], value: (row: number) => string): string {
  return `${header}\n${ids.map((id, row) => `${id},${value(row)}\n`).join("")}`;
}
