import fs from "node:fs";
import path from "node:path";
import { originalAggregate } from "../../src/analysis/aggregate/original-aggregate.ts";
import { arrangeSeeds } from "../../src/analysis/aggregate/seeds.ts";
import { readReports } from "../../src/analysis/reports.ts";
import splits from "../../src/competitions/splits.json" with { type: "json" };
import { decimalPlaces } from "../../src/leaderboards/decimal.ts";
import { printedDecimals } from "../../src/leaderboards/fragile.ts";
import { Leaderboard } from "../../src/leaderboards/leaderboard-schema.ts";
import { medalPositions, thresholdsFromScores } from "../../src/leaderboards/medal-rule.ts";
import { readLeaderboardCsv } from "../../src/leaderboards/read-leaderboard.ts";
import { quantilePlace, standing } from "../../src/leaderboards/standing.ts";

// `npm run soak -- published-figures <folder>`: what may not be shipped, compared where somebody has it. The folder
// holds `leaderboards/<id>.csv` (the full human boards) and `reports/<agent>/<group>/*.json` (published gradings).
const ROWS = [
  {
    agent: "Famou-Agent",
    padMissing: false,
    expected: ["62.12 ± 1.52", "36.84 ± 1.52", "33.33 ± 0.00", "43.56 ± 0.89"],
  },
  {
    agent: "Operand-reconstructed",
    padMissing: true,
    expected: ["63.64 ± 0.00", "33.33 ± 0.88", "20.00 ± 0.00", "39.56 ± 0.44"],
  },
];

const folder = process.argv[2];
const problems: string[] = [];
if (folder === undefined) {
  console.log("nothing compared: name the folder that holds leaderboards/ and reports/");
} else {
  const boards = fs.readdirSync(path.join(folder, "leaderboards")).map((name) => path.parse(name).name);
  for (const id of boards) compareBoard(id, path.join(folder, "leaderboards", `${id}.csv`));
  for (const row of ROWS) compareRow(row, path.join(folder, "reports", row.agent));
  console.log(`${boards.length} boards and ${ROWS.length} rows compared, ${problems.length} differ`);
  for (const problem of problems) console.log(problem);
}
process.exitCode = problems.length > 0 ? 1 : 0;

function compareBoard(id: string, file: string): void {
  const expect = (what: string, good: boolean) => good || problems.push(`${id}: ${what}`);
  const summary = fs.readFileSync(path.resolve("src/competitions", id, "leaderboard.json"), "utf8");
  const board = Leaderboard.parse(JSON.parse(summary));
  const read = readLeaderboardCsv(fs.readFileSync(file, "utf8"));
  if (read.status === "invalid") {
    problems.push(`${id}: ${read.reason}`);
    return;
  }
  const { scores } = read;
  for (const [name, value] of Object.entries(thresholdsFromScores(scores) ?? {})) {
    expect(`${name} is ${value}`, board[name as keyof Leaderboard] === value);
  }
  const places = board.quantiles.map((_, i) => quantilePlace(i, scores.length));
  expect(
    "quantiles",
    places.every((place, i) => scores[place] === board.quantiles[i]),
  );
  expect("precision", printedDecimals(board) === Math.min(5, Math.max(...Array.from(scores, decimalPlaces))));
  for (const score of new Set([...scores, ...scores.map((one, i) => (one + (scores[i + 1] ?? 0)) / 2)])) {
    const [counted, estimated] = [standing(score, board, scores), standing(score, board)];
    const distance = Math.abs((counted?.percentile ?? Number.NaN) - (estimated?.percentile ?? Number.NaN));
    if (!(distance <= 1.5)) problems.push(`${id}: the standing of ${score} is ${distance} points off`);
  }
  for (const medal of ["gold", "silver", "bronze"] as const) {
    const rank = standing(board[medal], board)?.rank ?? Number.POSITIVE_INFINITY;
    expect(`rank of ${medal}`, rank <= medalPositions(scores.length)[medal]);
  }
}

function compareRow({ agent, padMissing, expected }: (typeof ROWS)[number], groups: string): void {
  const files = fs
    .readdirSync(groups)
    .flatMap((group) =>
      fs.readdirSync(path.join(groups, group)).map((file) => path.join(groups, group, file)),
    );
  const read = readReports(files);
  if (!read.ok) {
    problems.push(`${agent}: ${read.message}`);
    return;
  }
  const got = (["low", "medium", "high", "split75"] as const).map((split) => {
    const outcome = arrangeSeeds(read.reports, { competitions: splits[split], padMissing });
    if (!outcome.ok) return outcome.message;
    const { mean, standard_error } = originalAggregate(outcome.seeds).metrics.any_medal_percentage;
    return `${mean.toFixed(2)} ± ${standard_error.toFixed(2)}`;
  });
  if (got.join() !== expected.join()) problems.push(`${agent}: ${got.join(" | ")}`);
}
