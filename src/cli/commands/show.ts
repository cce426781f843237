import fs from "node:fs";
import type { Command } from "commander";
import { type LoadedCompetition, loadCompetition } from "../../competitions/catalogue.ts";
import { nearestIds } from "../../competitions/splits.ts";
import { canGrade, canRun, dataFolder } from "../../data/place/data-folder.ts";
import { howToPrepare } from "../../data/place/prepare-command.ts";
import { type ReadBoard, readBoard } from "../../leaderboards/board-files.ts";
import type { Leaderboard } from "../../leaderboards/leaderboard-schema.ts";
import { action, type CliCommand, type ExitCode } from "../command.ts";
import { addDataOptions, type DataOptions } from "../options.ts";
import { paint, print, printError, printJson } from "../print.ts";

type Options = DataOptions & { json?: boolean; description?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    addDataOptions(command)
      .argument("<competition-id>", "see: mlebench list")
      .option("--description", "print the task's description, as an agent gets it")
      .option("--json", "print the facts as JSON")
      .addHelpText("after", "\nExample:\n  $ mlebench show leaf-classification")
      .action(action(run));
  },
};

async function run(id: string, options: Options): Promise<ExitCode> {
  const loaded = await loadCompetition(id, options.competitions);
  if (!loaded) {
    const nearest = nearestIds(id);
    printError(
      "UNKNOWN_COMPETITION",
      `There is no competition "${id}".`,
      nearest.length > 0 ? `did you mean: ${nearest.join(", ")}` : "list them all: mlebench list",
    );
    return 2;
  }
  const dataDir = dataFolder(options.dataDir);
  const board = readBoard(loaded, dataDir);
  const { grade: _, ...facts } = loaded.competition;
  const state = { dataDir, canGrade: canGrade(dataDir, facts), canRun: canRun(dataDir, facts) };
  const competitionsDir = options.competitions;
  if (options.description) print(fs.readFileSync(new URL("description.md", loaded.folder), "utf8").trimEnd());
  else if (options.json) printJson({ ...facts, leaderboard: board?.summary ?? null, data: state });
  else for (const line of factLines(loaded, board, { ...state, competitionsDir })) print(line);
  return 0;
}

interface DataState {
  dataDir: string;
  competitionsDir: string | undefined;
  canGrade: boolean;
  canRun: boolean;
}

function factLines(loaded: LoadedCompetition, board: ReadBoard | null, state: DataState): string[] {
  const { competition } = loaded;
  const { id, name, category, complexity, contest, dataSizeGB, opened, closed, metric, columns, files } =
    competition;
  const field = (title: string, value: string) => `  ${paint("dim", title.padEnd(12))}${value}`;
  const few = (names: readonly string[]) =>
    names.length > 6 ? `${names.slice(0, 6).join(", ")}, … (${names.length} in all)` : names.join(", ");
  const lines = [
    `${paint("bold", name)} (${id})`,
    field("kind", `${category}, complexity ${complexity}, ${contest} contest`),
    field("data", dataSizeGB === null ? "size unknown" : `${dataSizeGB} GB`),
    field("dates", opened && closed ? `${opened} to ${closed}` : "unknown"),
    field("metric", `${metric.name}, ${metric.direction === "maximize" ? "higher" : "lower"} is better`),
    field("submission", `${[...columns.id].join(", ") || "no id column"} → ${few(columns.target)}`),
    field("answers", files.answers),
  ];
  if (board) {
    const { gold, silver, bronze, median, teams, source, crowded } = board.summary;
    const { made } = board.leaderboard;
    lines.push(field("medals", `gold ${gold}  silver ${silver}  bronze ${bronze}  median ${median}`));
    lines.push(
      field(
        "board",
        `${teams} ${made ? "solutions" : "teams"} (${source})${crowded ? ", crowded: medals are largely luck" : ""}${board.fullScores && !made ? ", full board at hand" : ""}`,
      ),
    );
  }
  if (board?.leaderboard.made) lines.push(field("made by", madeText(board.leaderboard.made)));
  for (const { name, score } of board?.leaderboard.made?.rungs ?? [])
    lines.push(field("rung", `${score}  ${name}`));
  for (const { defect, v2 } of competition.errata ?? []) lines.push(field("erratum", `${defect} v2: ${v2}`));
  lines.push(field("prepared", preparedText(loaded, state)));
  return lines;
}

function madeText({ by, families }: NonNullable<Leaderboard["made"]>): string {
  const kinds = Object.entries(families).map(([family, count]) => `${count} ${family}`);
  return `${by}: ${kinds.join(", ")}`;
}

function preparedText(
  loaded: LoadedCompetition,
  { dataDir, competitionsDir, canGrade, canRun }: DataState,
): string {
  if (canRun) return `yes, in ${dataDir}`;
  if (canGrade) return `answers only, in ${dataDir}: enough to grade`;
  return `no (${dataDir}); ${howToPrepare(loaded, { dataDir, competitionsDir })}`;
}
