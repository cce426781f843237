import path from "node:path";
import { type Command, Option } from "commander";
import { competitionFacts } from "../../../analysis/competition-facts.ts";
import type { ReplayTrial } from "../../../analysis/scorecard/replay.ts";
import { readRequest, type ScorecardRequest } from "../../../analysis/scorecard/request.ts";
import { type Scorecard, scorecard } from "../../../analysis/scorecard/scorecard.ts";
import { type AgentRecords, readRecords } from "../../../analysis/trial-records.ts";
import { resolveSplit, SPLIT_NAMES } from "../../../competitions/splits.ts";
import { writeFileAtomically } from "../../../files/write-file.ts";
import { scorecardMarkdown } from "../../../reporters/markdown/scorecard.ts";
import { trialProgressText } from "../../../reporters/text/run.ts";
import { scorecardLines } from "../../../reporters/text/scorecard.ts";
import type { SandboxKind } from "../../../sandbox/kind.ts";
import { sandboxes } from "../../../sandbox/kinds.ts";
import { replayTrial } from "../../../trials/replay/run.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { interruption } from "../../interruption.ts";
import { liveLines } from "../../live-lines.ts";
import { addCompetitionsOption, durationOption } from "../../options.ts";
import { paint, print, printError, printLines, writeOut } from "../../print.ts";
import { placesOf } from "../../resolve.ts";
import { addRunsOption, type RunsOptions } from "../../runs-folder.ts";

const FORMATS = {
  text: (cards: readonly Scorecard[]) => `${textLines(cards, (_, text) => text).join("\n")}\n`,
  markdown: scorecardMarkdown,
  json: (cards: readonly Scorecard[]) =>
    `${JSON.stringify({ schema: "mlebench/scorecards", version: 1, cards }, null, 2)}\n`,
} as const;

interface Options extends RunsOptions {
  request?: string;
  split?: string;
  qualityMap?: ScorecardRequest["scoring"]["qualityMap"];
  replay?: ScorecardRequest["scoring"]["replay"];
  replayTimeout?: number;
  replaySandbox?: SandboxKind;
  strictArtifacts?: boolean;
  dataDir?: string;
  competitions?: string;
  format: keyof typeof FORMATS;
  output?: string;
  json?: boolean;
}

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addCompetitionsOption(command))
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
      .option("--replay-timeout <time>", "end a replay after this, such as 10min", durationOption)
      .addOption(
        new Option(
          "--replay-sandbox <kind>",
          "where replays run (default: as the trial did, but never without isolation)",
        ).choices(Object.keys(sandboxes)),
      )
      .option("--strict-artifacts", "a task without valid metrics.json and report.md counts for nothing")
      .option("--data-dir <dir>", "prepared data for replays (default: the group's own)")
      .addOption(
        new Option("--format <format>", "how to write it").choices(Object.keys(FORMATS)).default("text"),
      )
      .option("-o, --output <file>", "write it into a file")
      .option("--json", "the same as --format json")
      .addHelpText(
        "after",
        `
Five dimensions: metric quality 55 %, efficiency, reproducibility and operations
15 % each, artifact validity as a diagnostic. Without --request or --split, the
tasks are those the group was run on. --replay execute runs each trial's
recorded command again, in a fresh sandbox without network, in a temporary
folder; the trial's own files are only read. Exit code 1: something was capped,
or could not be replayed.

Examples:
  $ mlebench scorecard runs/my-group
  $ mlebench scorecard runs/my-group --replay execute --replay-timeout 10min
  $ mlebench scorecard runs/my-group --request request.json --strict-artifacts --format markdown -o scorecard.md`,
      )
      .action(action(run));
  },
};

async function run(given: string[], options: Options): Promise<ExitCode> {
  const places = placesOf(given, options);
  if (places === null) return 2;
  const asked = readRequest(options.request);
  if (!asked.ok) return refuse("BAD_REQUEST", asked.message);
  const request = withOptions(asked.request, options);
  if (typeof request === "string") return refuse("UNKNOWN_SPLIT", request);
  const read = readRecords(places);
  if (!read.ok) return refuse("NO_TRIALS", read.message);
  for (const note of read.notes) printError("NOTE", note);
  if (read.agents.every(({ records }) => records.every(({ grade }) => grade === null)))
    return refuse(
      "NOT_GRADED",
      "None of the trials is graded; grade the group first: mlebench grade <group>",
    );
  const competitionsDir = options.competitions;
  const replays = request.scoring.replay === "execute" ? startReplays(options) : null;
  const cards = await cardsOf(read.agents, request, competitionsDir, replays?.replay ?? null);
  if (replays?.interrupted.aborted) return 130;
  write(cards, options);
  const units = cards.flatMap(({ seeds }) => seeds.flatMap((seed) => seed.units));
  const short = units.some(({ caps, replay }) => caps.length > 0 || replay?.verdict === "impossible");
  return short ? 1 : 0;
}

async function cardsOf(
  agents: readonly AgentRecords[],
  request: ScorecardRequest,
  competitions: string | undefined,
  replay: ReplayTrial | null,
): Promise<Scorecard[]> {
  const ids = agents.flatMap(({ records }) => records.map(({ competitionId }) => competitionId));
  const facts = await competitionFacts([...new Set(ids)], competitions);
  const cards: Scorecard[] = [];
  for (const { name, records } of agents)
    cards.push(await scorecard({ agent: name, records, facts, request, replay }));
  return cards;
}

/** Replays one trial after the other and shows how far each is. Ctrl-C ends what runs, and nothing of it is left. */
function startReplays(options: Options) {
  const live = liveLines();
  const interrupted = interruption();
  const replay: ReplayTrial = async (trialFolder, command) => {
    const id = path.basename(trialFolder);
    const outcome = await replayTrial(trialFolder, command, {
      sandbox: options.replaySandbox ?? null,
      timeoutSeconds: options.replayTimeout ?? null,
      dataDir: options.dataDir,
      competitionsDir: options.competitions,
      interrupted,
      onProgress: (progress) => live.show(id, "replay", `replay of ${trialProgressText(progress)}`),
    });
    live.end(id);
    return outcome;
  };
  return { replay, interrupted };
}

function textLines(cards: readonly Scorecard[], style: typeof paint): string[] {
  return cards.flatMap((card, i) => [...(i > 0 ? [""] : []), ...scorecardLines(card, style)]);
}

function write(cards: readonly Scorecard[], options: Options): void {
  const format = options.json ? "json" : options.format;
  if (options.output !== undefined) {
    writeFileAtomically(path.resolve(options.output), FORMATS[format](cards));
    print(`written: ${options.output}`);
  } else if (format === "text") printLines(textLines(cards, paint));
  else writeOut(FORMATS[format](cards));
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
