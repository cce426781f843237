import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { badCompetition } from "../wording/bad-competition.ts";
import { bestRung } from "./best-rung.ts";
import { isCrowded } from "./crowded.ts";
import type { Thresholds } from "./leaderboard.ts";
import type { Leaderboard } from "./leaderboard-schema.ts";
import { readLeaderboardCsv } from "./read-leaderboard.ts";

export interface ReadBoard {
  leaderboard: Leaderboard;
  /** Every team's score, when the user has the full board. */
  fullScores: Float64Array | null;
  summary: Thresholds & {
    source: string;
    crowded: boolean;
    /** The strongest reference solution, and how far chance moves its score; null on a board without rungs. */
    bestRung: { name: string; score: number; noise: number | null } | null;
  };
}

/** By what a record names the board it was graded on. */
export type NamedBoard = Pick<Leaderboard, "teams" | "gold" | "silver" | "bronze" | "median">;

/**
 * The leaderboard of a competition: the figures that lie in its folder, and the full board from
 * `<data>/<id>/leaderboard.csv` if the user has put one there. Null when the competition has no board.
 */
export function readBoard(
  { competition, folder }: { competition: { id: string }; folder: URL },
  dataDir: string,
  named?: NamedBoard,
): ReadBoard | null {
  let text: string;
  try {
    text = fs.readFileSync(new URL("leaderboard.json", folder), "utf8");
  } catch {
    return null;
  }
  const newest = parseBoard(text, fileURLToPath(new URL("leaderboard.json", folder)));
  const leaderboard = named === undefined ? newest : boardNamed(newest, named);
  const { teams, lowerIsBetter, gold, silver, bronze, median, source } = leaderboard;
  const rung = bestRung(leaderboard);
  return {
    leaderboard,
    fullScores:
      readFullScores(path.join(dataDir, competition.id, "leaderboard.csv")) ?? madeScores(leaderboard),
    summary: {
      ...{ source, teams, lowerIsBetter, gold, silver, bronze, median, crowded: isCrowded(leaderboard) },
      bestRung: rung && { name: rung.name, score: rung.score, noise: leaderboard.made?.noise ?? null },
    },
  };
}

/** A board that was made here has the scores of everybody on it. */
function madeScores({ made }: Leaderboard): Float64Array | null {
  if (made?.scores === undefined) return null;
  return Float64Array.from([...made.scores, ...(made.rungs ?? []).map(({ score }) => score)]);
}

/** The one among this board and those it replaced that has these figures; this one if none has. */
function boardNamed(newest: Leaderboard, named: NamedBoard): Leaderboard {
  const keys = ["teams", "gold", "silver", "bronze", "median"] as const;
  const isNamed = (board: NamedBoard) => keys.every((key) => board[key] === named[key]);
  const replaced = isNamed(newest) ? undefined : newest.earlier?.find(isNamed);
  return replaced === undefined ? newest : { schema: newest.schema, version: newest.version, ...replaced };
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

type Check = [field: string, allowed: string, holds: (value: unknown) => boolean];

const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);

const CHECKS: readonly Check[] = [
  ["source", "a string that is not empty", (value) => typeof value === "string" && value !== ""],
  ["teams", "a whole number from 1", (value) => Number.isInteger(value) && (value as number) >= 1],
  ["lowerIsBetter", "true or false", (value) => typeof value === "boolean"],
  ["gold", "a number", isNumber],
  ["silver", "a number", isNumber],
  ["bronze", "a number", isNumber],
  ["median", "a number", isNumber],
  [
    "quantiles",
    "a list of 101 numbers, from best to worst",
    (value) => Array.isArray(value) && value.length === 101 && value.every(isNumber),
  ],
];

/**
 * What is wrong with a board, one sentence each, with the field, the value and what is allowed. By hand, since grading
 * reads a board each time and loading a schema library would cost more than the grading itself.
 */
function boardProblems(value: unknown): string[] {
  if (value === null || typeof value !== "object" || Array.isArray(value))
    return ["the whole is not an object; see docs/add-a-competition.md"];
  const board = value as Record<string, unknown>;
  const problems = CHECKS.filter(([field, , holds]) => !holds(board[field])).map(([field, allowed]) =>
    field in board
      ? `${field} is ${shortText(board[field])}; allowed is ${allowed}`
      : `${field} is missing; allowed is ${allowed}`,
  );
  return problems.length > 0 ? problems : orderProblems(board);
}

function orderProblems(board: Record<string, unknown>): string[] {
  const { gold, silver, bronze, quantiles, lowerIsBetter } = board;
  const sign = lowerIsBetter ? 1 : -1;
  const bestFirst = (scores: readonly number[]) =>
    scores.every((score, i) => i === 0 || sign * (score - scores[i - 1]) >= 0);
  const better = lowerIsBetter ? "lower" : "higher";
  return [
    ...(bestFirst([gold, silver, bronze] as number[])
      ? []
      : [
          `gold ${gold}, silver ${silver}, bronze ${bronze} are not from best to worst, where ${better} is better`,
        ]),
    ...(bestFirst(quantiles as number[])
      ? []
      : [`quantiles do not run from best to worst, where ${better} is better`]),
  ];
}

function shortText(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
