/**
 * One entry of a starter field: an honest solution that sees the public files only. Its bytes follow from its
 * settings alone, never from the clock, so that the field can be made again.
 */
export interface Solution {
  /** Unique within the field, and telling: "ridge, 12 of 30 columns, half the rows, l2 3". */
  readonly name: string;
  /** The kind of method it belongs to, as counted in the leaderboard's account of itself: "linear", "boosting". */
  readonly family: string;
  /** The text of `submission.csv`. */
  solve(): string | Promise<string>;
}

/** How the field of one competition is drawn: at least a hundred different solutions, each cheap. */
export interface Field {
  readonly competitionId: string;
  /** Reads the public folder once; the solutions share what was read. `seed` fixes all that is drawn. */
  open(publicFolder: string, seed: number): Solution[] | Promise<Solution[]>;
}
