import fs from "node:fs";
import path from "node:path";
import type { Command } from "commander";
import { loadCompetition } from "../../../competitions/catalogue.ts";
import type { KaggleClient } from "../../../data/kaggle/client.ts";
import { downloadLeaderboard } from "../../../data/kaggle/leaderboard.ts";
import { dataFolder } from "../../../data/place/data-folder.ts";
import { connectToKaggle } from "../../../data/prepare/kaggle-access.ts";
import { addChoiceOptions, type ChoiceOptions, chosenIds } from "../../choose-competitions.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { addDataOptions, type DataOptions } from "../../options.ts";
import { print, printError, printJson, printNote } from "../../print.ts";

type Options = DataOptions & ChoiceOptions & { force?: boolean; json?: boolean };

export const command: CliCommand = {
  define(command: Command) {
    const download = command
      .command("download-leaderboard")
      .description("download full human leaderboards into the data folder");
    addDataOptions(addChoiceOptions(download))
      .option("--force", "replace leaderboards that are there already")
      .option("--json", "print the result as JSON")
      .addHelpText("after", "\nExample:\n  $ mlebench dev download-leaderboard -c leaf-classification")
      .action(action(downloadLeaderboards));
    command.addHelpText("after", "\nExample:\n  $ mlebench dev download-leaderboard --all");
  },
};

interface BoardResult {
  competitionId: string;
  status: "downloaded" | "kept" | "failed";
  message: string;
  nextStep: string | null;
}

async function downloadLeaderboards(options: Options): Promise<ExitCode> {
  const chosen = chosenIds(options);
  if ("message" in chosen) {
    printError(
      "NO_COMPETITION",
      chosen.message,
      "name some: mlebench dev download-leaderboard -c <id>, or --all",
    );
    return 2;
  }
  const shipped = await notOfKaggle(chosen.ids);
  // A competition that comes with its data is not asked for, and needs no account.
  const client = shipped.size === chosen.ids.length ? null : connectToKaggle((message) => printNote(message));
  if (client?.status === "failed") {
    printError(client.code, client.message, client.next.replaceAll("\n", "\n       "));
    return 3;
  }
  const dataDir = dataFolder(options.dataDir);
  const interrupted = new AbortController();
  process.once("SIGINT", () => interrupted.abort());
  const results: BoardResult[] = [];
  for (const competitionId of chosen.ids) {
    if (interrupted.signal.aborted) return 130;
    const there = fs.existsSync(path.join(dataDir, competitionId, "leaderboard.csv"));
    const result: BoardResult =
      client === null || shipped.has(competitionId)
        ? {
            competitionId,
            status: "failed",
            message: `${competitionId} is not a competition of Kaggle; its board comes with it.`,
            nextStep: `see it: mlebench show ${competitionId}`,
          }
        : there && !options.force
          ? {
              competitionId,
              status: "kept",
              message: "is there already; --force replaces it",
              nextStep: null,
            }
          : await download(client, competitionId, dataDir, interrupted.signal);
    results.push(result);
    if (!options.json && result.status !== "failed") print(`${competitionId}: ${result.message}`);
    else if (!options.json) printError("NO_LEADERBOARD", result.message, result.nextStep);
  }
  if (options.json) printJson(results);
  const failed = results.filter(({ status }) => status === "failed").length;
  return failed === 0 ? 0 : failed === results.length ? 3 : 1;
}

async function notOfKaggle(ids: readonly string[]): Promise<Set<string>> {
  const loaded = await Promise.all(ids.map((id) => loadCompetition(id)));
  return new Set(ids.filter((_, i) => loaded[i]?.competition.shippedRaw !== undefined));
}

async function download(
  client: KaggleClient,
  competitionId: string,
  dataDir: string,
  signal: AbortSignal,
): Promise<BoardResult> {
  const outcome = await downloadLeaderboard(client, { id: competitionId, dataDir }, { signal });
  if (outcome.status === "failed")
    return { competitionId, status: "failed", message: outcome.message, nextStep: outcome.next };
  const message = `${outcome.teams} teams (${outcome.board} board), ${outcome.file}`;
  return { competitionId, status: "downloaded", message, nextStep: null };
}
