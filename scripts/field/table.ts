import fs from "node:fs";
import { readRecords } from "../../src/analysis/trial-records.ts";
import { loadCompetition } from "../../src/competitions/catalogue.ts";
import { writeFileAtomically } from "../../src/files/write-file.ts";
import { bestRung } from "../../src/leaderboards/best-rung.ts";
import { isBetter, reaches } from "../../src/leaderboards/leaderboard.ts";
import type { Leaderboard } from "../../src/leaderboards/leaderboard-schema.ts";
import { shortMetric } from "../../src/reporters/text/demo.ts";
import { boardAsItIs, spreadInNoise } from "./publish.ts";

const PAGE = "docs/starter.md";
const BEGIN = "<!-- made by npm run field -- --table -->";
const END = "<!-- end of the table -->";
const TITLES = [
  "competition",
  "metric",
  "sample",
  "baseline",
  "field best",
  "best rung",
  "gold",
  "baseline's medal",
  "baseline among rungs",
  "noise",
  "bronze to gold, in noise",
];

/**
 * Writes the table of docs/starter.md anew from the boards. The baseline's scores are those of a run group or a
 * grading report, and without one those that the table has already. With `check` nothing is written, and false means
 * that the table is not what the boards say.
 */
export async function publishTable(
  ids: readonly string[],
  baseline: string | undefined,
  check: boolean,
): Promise<boolean> {
  const page = fs.readFileSync(PAGE, "utf8");
  const [begin, end] = [page.indexOf(BEGIN), page.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${PAGE} has no place for the table: ${BEGIN} … ${END}`);
  const scores = baseline === undefined ? scoresOf(page.slice(begin, end)) : scoresOfRuns(baseline);
  const rows = [];
  for (const id of ids) rows.push(await rowOf(id, scores.get(id) ?? null));
  const lines = [TITLES, TITLES.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`);
  const made = `${page.slice(0, begin)}${BEGIN}\n\n${lines.join("\n")}\n\n${page.slice(end)}`;
  process.stdout.write(`${lines.join("\n")}\n`);
  if (!check && made !== page) writeFileAtomically(PAGE, made);
  return !check || made === page;
}

async function rowOf(id: string, baseline: number | null): Promise<string[]> {
  const loaded = await loadCompetition(id);
  const board = boardAsItIs(id);
  if (!loaded || board === null) throw new Error(`${id} has no board: npm run field -- --competition ${id}`);
  const { metric, sampleScore } = loaded.competition;
  const { lowerIsBetter, made } = board;
  const spread = spreadInNoise(board);
  return [
    `\`${id}\``,
    shortMetric(metric.name, lowerIsBetter),
    figure(sampleScore ?? null),
    figure(baseline),
    figure(made?.scores?.[0] ?? null),
    figure(bestRung(board)?.score ?? null),
    figure(board.gold),
    baseline === null ? "–" : medalOf(baseline, board),
    baseline === null ? "–" : placeAmongRungs(baseline, board),
    made?.noise === undefined ? "–" : `±${figure(made.noise)}`,
    spread === null ? "–" : spread.toFixed(1),
  ];
}

function medalOf(score: number, board: Leaderboard): string {
  const medals = ["gold", "silver", "bronze"] as const;
  return medals.find((medal) => reaches(score, board[medal], board.lowerIsBetter)) ?? "none";
}

/** "1 of 8": only rungs that are better stand before it. */
function placeAmongRungs(score: number, { made, lowerIsBetter }: Leaderboard): string {
  const rungs = made?.rungs ?? [];
  const better = rungs.filter((rung) => isBetter(rung.score, score, lowerIsBetter)).length;
  return `${better + 1} of ${rungs.length + 1}`;
}

function figure(value: number | null): string {
  return value === null ? "–" : String(Number(value.toPrecision(4)));
}

/** The baseline's column of the table that is there. */
function scoresOf(table: string): Map<string, number> {
  const rows = table.split("\n").map((line) => line.split("|").map((cell) => cell.trim()));
  const found = rows.flatMap(([, id = "", , , score = ""]): [string, number][] =>
    id.startsWith("`") && Number.isFinite(Number(score)) ? [[id.replaceAll("`", ""), Number(score)]] : [],
  );
  return new Map(found);
}

function scoresOfRuns(place: string): Map<string, number> {
  const outcome = readRecords([place]);
  if (!outcome.ok) throw new Error(outcome.message);
  const records = outcome.agents.flatMap((agent) => agent.records);
  return new Map(
    records.flatMap(({ competitionId, grade }): [string, number][] =>
      grade?.score == null ? [] : [[competitionId, grade.score]],
    ),
  );
}
