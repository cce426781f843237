import { type Command, Option } from "commander";
import { competitionFacts } from "../../analysis/competition-facts.ts";
import { type Scorecard, scorecard } from "../../analysis/scorecard.ts";
import type { ReplayTrial } from "../../analysis/scorecard-replay.ts";
import { readRequest, type ScorecardRequest } from "../../analysis/scorecard-request.ts";
import { readRecords } from "../../analysis/trial-records.ts";
import { resolveSplit, SPLIT_NAMES } from "../../competitions/splits.ts";
import { scorecardLines } from "../../reporters/scorecard-text.ts";
import { action, type CliCommand, type ExitCode } from "../command.ts";
import { COMPETITIONS_FOLDER_VARIABLE } from "../options.ts";
import { paint, print, printError, printJson } from "../print.ts";

interface Options {
  request?: string;
  split?: string;
  qualityMap?: ScorecardRequest["scoring"]["qualityMap"];
  replay?: ScorecardRequest["scoring"]["replay"];
  strictArtifacts?: boolean;
  competitions?: string;
  json?: boolean;
}

/** How a trial is run again; null as long as nothing here can. */
const REPLAY: ReplayTrial | null = null;

export const command: CliCommand = {
  define(command: Command) {
    command
      .argument("<groups...>", "graded run groups; name=path gives an agent a name")
      .option("--request <file>", "JSON with competitionIds, seed, taskWeights, resourceBudgets and scoring")
      .option("--split <name>", `the tasks that count: ${SPLIT_NAMES.join(", ")}, or a text file of ids`)
      .addOption(
        new Option("--quality-map <map>", "what a percentile is worth").choices(["percentile", "calibrated"]),
      )
      .addOption(
        new Option(
          "--replay <mode>",
          "how replays count: not at all, by their hashes, or by running them again",
        ).choices(["none", "declared", "execute"]),
      )
      .option("--strict-artifacts", "a task without valid metrics.json and report.md counts for nothing")
      .addOption(
        new Option("--competitions <dir>", "folder with competitions of your own").env(
          COMPETITIONS_FOLDER_VARIABLE,
        ),
      )
      .option("--json", "print the scorecards as JSON")
      .addHelpText(
        "after",
        `
Five dimensions: metric quality 55 %, efficiency, reproducibility and operations 15 % each, artifact validity as a
diagnostic. Without --request or --split, the tasks are those the group was run on.

Examples:
  $ mlebench scorecard runs/my-group
  $ mlebench scorecard runs/my-group --request request.json --strict-artifacts --json`,
      )
      .action(action(run));
  },
};

async function run(places: string[], options: Options): Promise<ExitCode> {
  const asked = readRequest(options.request);
  if (!asked.ok) return refuse("BAD_REQUEST", asked.message);
  const request = withOptions(asked.request, options);
  if (typeof request === "string") return refuse("UNKNOWN_SPLIT", request);
  if (request.scoring.replay === "execute" && REPLAY === null)
    return refuse("NO_REPLAY", "Trials cannot be run again here; use --replay declared.");
  const read = readRecords(places);
  if (!read.ok) return refuse("NO_TRIALS", read.message);
  for (const note of read.notes) printError("NOTE", note);
  if (read.agents.every(({ records }) => records.every(({ grade }) => grade === null)))
    return refuse(
      "NOT_GRADED",
      "None of the trials is graded; grade the group first: mlebench grade <group>",
    );
  const ids = read.agents.flatMap(({ records }) => records.map(({ competitionId }) => competitionId));
  const facts = await competitionFacts([...new Set(ids)], options.competitions);
  const cards: Scorecard[] = [];
  for (const { name, records } of read.agents)
    cards.push(await scorecard({ agent: name, records, facts, request, replay: REPLAY }));
  if (options.json) printJson({ schema: "mlebench/scorecards", version: 1, cards });
  else
    for (const [i, card] of cards.entries()) {
      if (i > 0) print("");
      for (const line of scorecardLines(card, paint)) print(line);
    }
  return cards.some(({ seeds }) => seeds.some(({ caps }) => caps.length > 0)) ? 1 : 0;
}

/** Options win over the request file. */
function withOptions(request: ScorecardRequest, options: Options): ScorecardRequest | string {
  const { scoring } = request;
  const split = options.split === undefined ? null : resolveSplit(options.split);
  if (split !== null && !split.ok) return split.message;
  return {
    ...request,
    competitionIds: split === null ? request.competitionIds : [...split.ids],
    scoring: {
      qualityMap: options.qualityMap ?? scoring.qualityMap,
      replay: options.replay ?? scoring.replay,
      strictArtifacts: options.strictArtifacts ?? scoring.strictArtifacts,
    },
  };
}

function refuse(code: string, message: string): ExitCode {
  printError(code, message, "see: mlebench scorecard --help");
  return 2;
}
