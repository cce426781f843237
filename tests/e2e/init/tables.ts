import { formatCells } from "../../soak/mutations/cells.ts";

/** Numbers that look random and are the same on every run. */
function noise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

interface Row {
  number: number;
  x: number;
  y: number;
  colour: string;
  /** Between −0.5 and 0.5. */
  error: number;
}

/** A table whose last columns the caller makes; `x`, `y` and `colour` tell something about them. */
export function table(
  header: readonly string[],
  cells: (row: Row) => readonly (string | number)[],
  rows = 200,
) {
  const next = noise(7);
  const lines = Array.from({ length: rows }, (_, number) => {
    const row = {
      number,
      x: next(),
      y: next(),
      colour: ["red", "green", "blue"][Math.floor(next() * 3)],
      error: next() - 0.5,
    };
    return [row.x.toFixed(4), row.y.toFixed(4), row.colour, ...cells(row).map(String)];
  });
  return formatCells([["x", "y", "colour", ...header], ...lines]);
}

export const price = ({ x, colour, error }: Row) =>
  (50 + 30 * x + (colour === "red" ? 8 : 0) + 4 * error).toFixed(2);
export const answer = ({ x, error }: Row) => (x + error > 0.55 ? "yes" : "no");
export const kind = ({ x, y, error }: Row) => (x + error / 2 > 0.6 ? "oak" : y > 0.5 ? "ash" : "elm");
