import fs from "node:fs";
import path from "node:path";
import { loadCompetition } from "../../src/competitions/catalogue.ts";
import type { Checksums } from "../../src/data/place/checksums-schema.ts";
import { writeFileAtomically } from "../../src/files/write-file.ts";
import type { Leaderboard, Rung } from "../../src/leaderboards/leaderboard-schema.ts";
import { type Account, accountOf, boardOf, type Entry } from "../../src/starter/making/board.ts";

const FOLDER = "src/competitions";

/** The board as it is; null before the first field was made. */
export function boardAsItIs(id: string): Leaderboard | null {
  const file = boardFile(id);
  return fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, "utf8")) : null;
}

/** A field that was just run, with the rungs that stand on the board already. */
export async function publishField(
  id: string,
  entries: readonly Entry[],
  seed: number,
  check: boolean,
): Promise<boolean> {
  const made = { seed, answers: answersOf(id) };
  const account = accountOf(entries, await directionOf(id), made);
  const before = boardAsItIs(id);
  // Rungs that were scored on other answers say nothing about these.
  const { rungs, noise } = before && isOfTheseAnswers(id, before) ? before.made! : {};
  const board = await boardWith(id, account, rungs ?? [], noise);
  return publish(id, board, `${entries.length} solutions`, check);
}

/** Rungs that were just made, with the field that stands on the board already. */
export async function publishRungs(
  id: string,
  rungs: readonly Rung[],
  noise: number | undefined,
  { check, kept }: { readonly check: boolean; readonly kept: readonly Rung[] },
): Promise<boolean> {
  const { made } = boardAsItIs(id)!;
  const { seed, answers, families, scores = [] } = made!;
  const board = await boardWith(id, { seed, answers, families, scores }, rungs, noise);
  for (const rung of rungs) {
    const before = made?.rungs?.find(({ name }) => name === rung.name);
    const same =
      before?.sha256 === rung.sha256 ? "same bytes" : before?.score === rung.score ? "same score" : "";
    const how = kept.includes(rung) ? "kept" : same;
    console.error(`  ${String(rung.score).padEnd(10)} ${rung.name}${how === "" ? "" : ` (${how})`}`);
  }
  return publish(id, board, `${rungs.length} rungs`, check);
}

async function boardWith(id: string, account: Account, rungs: readonly Rung[], noise: number | undefined) {
  const before = boardAsItIs(id);
  return boardOf(account, rungs, await directionOf(id), {
    ...(noise === undefined ? {} : { noise }),
    ...(before?.earlier === undefined ? {} : { earlier: before.earlier }),
  });
}

async function directionOf(id: string) {
  const loaded = await loadCompetition(id);
  if (!loaded) throw new Error(`there is no competition ${id}`);
  return loaded.competition.metric.direction;
}

/** Writes the board, or only compares it. False if it differs from the one that is there and none was written. */
function publish(id: string, board: Leaderboard, what: string, check: boolean): boolean {
  const file = boardFile(id);
  const text = `${JSON.stringify(board, null, 2)}\n`;
  const same = fs.existsSync(file) && fs.readFileSync(file, "utf8") === text;
  if (!check && !same) writeFileAtomically(file, text);
  const { gold, silver, bronze, median } = board;
  const spread = spreadInNoise(board);
  console.error(
    `${id}: ${what}; gold ${gold}, silver ${silver}, bronze ${bronze}, median ${median}; bronze to gold ${spread === null ? "unmeasured" : `${spread.toFixed(1)} × noise`}; ${same ? "as before" : check ? "DIFFERS" : "written"}`,
  );
  return same || !check;
}

/** Whether a board was made on the answers that are prepared today. */
export function isOfTheseAnswers(id: string, { made }: Leaderboard): boolean {
  return made?.answers === answersOf(id);
}

function answersOf(id: string): string {
  const checksums: Checksums = JSON.parse(fs.readFileSync(path.join(FOLDER, id, "checksums.json"), "utf8"));
  return checksums.private["test.csv"];
}

/** How far gold is from bronze, in standard deviations of a score; null where these were not measured. */
export function spreadInNoise({ gold, bronze, made }: Leaderboard): number | null {
  return made?.noise ? Math.abs(gold - bronze) / made.noise : null;
}

function boardFile(id: string): string {
  return path.join(FOLDER, id, "leaderboard.json");
}
