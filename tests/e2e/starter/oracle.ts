import fs from "node:fs";
import type { Competition } from "../../../src/competitions/competition.ts";
import { type Cells, formatCells, parseCells } from "../../soak/mutations/cells.ts";

/** A submission that no one can beat. For tests alone: it is made from the answers. */
export function perfectSubmission({ columns }: Pick<Competition, "columns">, answers: Buffer): Cells {
  const [header, ...rows] = parseCells(answers);
  const places = [...columns.id, ...columns.target].map((name) => header.indexOf(name));
  return [header, ...rows].map((row) => places.map((place) => row[place]));
}

/** Writes rows of cells as a CSV file and returns its path. */
export function writeCells(file: string, cells: Cells): string {
  fs.writeFileSync(file, formatCells(cells));
  return file;
}
