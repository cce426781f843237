import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { badCompetition } from "../wording/bad-competition.ts";
import { boardProblems } from "./board-problems.ts";
import { isCrowded } from "./crowded.ts";
import type { Thresholds } from "./leaderboard.ts";
import type { Leaderboard } from "./leaderboard-schema.ts";
import { readLeaderboardCsv } from "./read-leaderboard.ts";

export interface ReadBoard {
  leaderboard: Leaderboard;
  /** Every team's score, when the user has the full board. */
  fullScores: Float64Array | null;
  summary: Thresholds & { source: string; crowded: boolean };
}

/**
 * The leaderboard of a competition: the figures that lie in its folder, and the full board from
 * `<data>/<id>/leaderboard.csv` if the user has put one there. Null when the competition has no board.
 */
export function readBoard(
  { competition, folder }: { competition: { id: string }; folder: URL },
  dataDir: string,
): ReadBoard | null {
  let text: string;
  try {
    text = fs.readFileSync(new URL("leaderboard.json", folder), "utf8");
  } catch {
    return null;
  }
  const leaderboard = parseBoard(text, fileURLToPath(new URL("leaderboard.json", folder)));
  const { teams, lowerIsBetter, gold, silver, bronze, median, source } = leaderboard;
  return {
    leaderboard,
    fullScores: readFullScores(path.join(dataDir, competition.id, "leaderboard.csv")),
    summary: { source, teams, lowerIsBetter, gold, silver, bronze, median, crowded: isCrowded(leaderboard) },
  };
}

function parseBoard(text: string, file: string): Leaderboard {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw badCompetition(`${file} is not JSON: ${(error as Error).message}`);
  }
  const problems = boardProblems(value);
  if (problems.length > 0) throw badCompetition(`${file}: ${problems.join("; ")}`);
  return value as Leaderboard;
}

function readFullScores(file: string): Float64Array | null {
  if (!fs.existsSync(file)) return null;
  const read = readLeaderboardCsv(fs.readFileSync(file, "utf8"));
  return read.status === "read" ? read.scores : null;
}
