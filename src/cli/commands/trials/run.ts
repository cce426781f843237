import path from "node:path";
import { type Command, Option } from "commander";
import { UNTIL_HINT } from "../../../agents/coding/until.ts";
import { groupReport } from "../../../analysis/reports.ts";
import { EXECUTOR_NAMES, type ExecutorName } from "../../../executors/by-name.ts";
import { thisMachine } from "../../../executors/machine.ts";
import { comparisonLines } from "../../../reporters/text/comparison.ts";
import { SandboxKind } from "../../../sandbox/kind.ts";
import { keysFolder } from "../../../trials/certificate/signing.ts";
import type { Network } from "../../../trials/trial/schema.ts";
import { compareReports } from "../../../workflows/results/compare.ts";
import type { RunRequest } from "../../../workflows/run/request.ts";
import { startRun } from "../../../workflows/run/run.ts";
import { addChoiceOptions, type ChoiceOptions, chosenIds } from "../../choose-competitions.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { driveRun, showPlan } from "../../drive-group.ts";
import { addModelOptions, type ModelOptions, modelAccessFrom } from "../../model-options.ts";
import {
  addDataOptions,
  addVersionOption,
  agentsOption,
  collectFolders,
  type DataOptions,
  durationOption,
  parseCount,
  sizeOption,
  type VersionOptions,
} from "../../options.ts";
import { paint, print, printDoubts, printError, printLines } from "../../print.ts";
import { placesOf } from "../../resolve.ts";
import {
  type ContainerWishes,
  collectDurations,
  collectSizes,
  networkOption,
  type PerCompetition,
  parseAmount,
  parseWhole,
  readContainerConfig,
  untilOption,
} from "../../run-options.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";
import { addSlurmOptions, type SlurmOptions, slurmSettingsFrom } from "../../slurm-options.ts";

type Options = DataOptions &
  VersionOptions &
  ChoiceOptions &
  ModelOptions &
  SlurmOptions &
  RunsOptions & {
    agent?: string;
    agentId?: string;
    agentsDir: string;
    competitionSet?: string;
    seeds?: number;
    nSeeds?: number;
    workers?: number;
    nWorkers?: number;
    timeLimit?: PerCompetition;
    grace: number;
    memory?: PerCompetition;
    cpus?: number;
    gpus?: number;
    processes?: number;
    disk?: number;
    sandbox?: SandboxKind;
    image?: string;
    root?: string;
    network?: Network;
    materials?: string;
    obfuscate?: boolean | string;
    show?: string[];
    snapshotEvery: number;
    name?: string;
    sign?: string | boolean;
    announce?: string;
    containerConfig?: ContainerWishes;
    retain?: boolean;
    executor?: ExecutorName;
    until?: string;
    compareWith?: string;
    grade?: boolean;
    json?: boolean;
  };

export const command: CliCommand = {
  define(command: Command) {
    addSlurmOptions(
      addModelOptions(addRunsOption(addVersionOption(addDataOptions(addChoiceOptions(command))))),
    )
      .option("--agent <id>", "the agent to run")
      .addOption(agentsOption())
      .option("--competition-set <file>", "a text file with one competition id a line")
      .option("--seeds <n>", "how often to run each competition (default: 1)", parseCount)
      .option("--workers <n>", "trials to run at a time (default: 1)", parseCount)
      .option(
        "--time-limit <time>",
        "such as 24h, or <competition>=2h; may be repeated (default: 24h)",
        collectDurations,
      )
      .option("--grace <time>", "between SIGTERM and SIGKILL", durationOption, 30)
      .option("--memory <size>", "such as 440GiB, or <competition>=16GiB; may be repeated", collectSizes)
      .option("--cpus <n>", "processors for each trial", parseAmount)
      .option("--gpus <n>", "GPU devices for each trial", parseWhole)
      .option("--processes <n>", "processes of each trial", parseCount)
      .option("--disk <size>", "disk space of each trial", sizeOption)
      .addOption(
        new Option("--sandbox <kind>", "where the agent runs (default: the best this machine has)").choices(
          SandboxKind.options,
        ),
      )
      .option(
        "--image <name>",
        "the image to run (docker, podman; default: the heaviest that env build made)",
      )
      .option("--root <folder>", "the root file system (bubblewrap; default: as above, or the host's own)")
      .option("--network <mode>", "none, open, or allow-list=host,host", networkOption)
      .option("--materials <folder>", "mount it at /home/materials; results count as external knowledge")
      .option(
        "--obfuscate [model]",
        "hide which competition it is: names, words and columns are others; with a model its words, asked once",
      )
      .option("--show <folder>", "agents see it where it lies, read-only; may be repeated", collectFolders)
      .option("--snapshot-every <time>", "distance of the hourly reports", durationOption, 3600)
      .option("--name <name>", "what to call the run group")
      .option("--sign [key]", "sign the certificates (default: your own key)")
      .option("--announce <file or url>", "publish the digest of the plan before the first trial")
      .option("--until <when>", `continue a coding agent that stops early: ${UNTIL_HINT}`, untilOption)
      .option("--retain", "keep the agent's working folder")
      .addOption(
        new Option("--executor <name>", "who schedules the trials (default: local)").choices(EXECUTOR_NAMES),
      )
      .option("--grade", "grade the trials when they have ended, and print the table")
      .option("--compare-with <groups>", "grade, then compare with graded groups, separated by commas")
      .option("--json", "print events as JSON, one a line; the last one is the summary")
      .addOption(new Option("--agent-id <id>").hideHelp())
      .addOption(new Option("--n-seeds <n>").argParser(parseCount).hideHelp())
      .addOption(new Option("--n-workers <n>").argParser(parseCount).hideHelp())
      .addOption(new Option("--container-config <file>").argParser(readContainerConfig).hideHelp())
      .addHelpText("after", HELP)
      .action(action(run));
  },
};

const HELP = `
Limits you set are enforced, or the run is refused; the defaults (24 h, 440 GiB or what the machine has, an even share
of the processors) are enforced where that is possible, and the record says how. Ctrl-C once stops and collects, twice
kills; mlebench resume goes on. The original's spellings (--agent-id, --n-seeds, --n-workers, --container-config) work.
Exit code 1: some trials are not finished; 3: none is; 130: interrupted.

Examples:
  $ mlebench run --agent sample --split lite --seeds 3 --workers 2
  $ mlebench run --agent baseline --split starter --time-limit 60s --grade
  $ mlebench run --agent baseline --split starter --time-limit 60s --compare-with my-first-group
  $ mlebench run --agent my-agent --split lite --model anthropic:claude-sonnet-5 --max-cost 2 --max-cost group=40
  $ mlebench run --agent my-agent -c spooky-author-identification --time-limit 2h --memory 16GiB
  $ mlebench run --agent my-agent --split lite --seeds 3 --executor slurm --partition gpu --gpus 1`;

async function run(options: Options): Promise<ExitCode> {
  const { competitionSet } = options;
  const agent = options.agent ?? options.agentId;
  if (agent === undefined) return fail("NO_AGENT", "No agent was named.", "name one: --agent <id>");
  const chosen = chosenIds(competitionSet === undefined ? options : { ...options, list: competitionSet });
  if ("message" in chosen)
    return fail("NO_COMPETITION", chosen.message, "name some: -c <id> or --split <name>");
  const others = options.compareWith === undefined ? [] : comparedGroups(options.compareWith, options);
  if (typeof others === "number") return others;
  const request = requestFrom(options, agent, chosen.ids);
  let folder: string | null = null;
  const code = await driveRun(
    async ({ onEvent, ...control }) => {
      const outcome = await startRun(request, {
        ...control,
        onEvent(event) {
          showPlan(event, ignoredNotes(options));
          onEvent?.(event);
        },
      });
      if (outcome.status === "ended" && outcome.grading?.status === "graded") folder = outcome.folder;
      return outcome;
    },
    { json: options.json === true },
  );
  return folder === null || others.length === 0 ? code : compareWith(folder, others, options, code);
}

/** Looked at before anything starts: hours later would be too late to hear that there is no such group. */
function comparedGroups(name: string, options: Options): string[] | ExitCode {
  const places = placesOf(name.split(","), options);
  if (places === null) return 2;
  for (const place of places) {
    const found = place.endsWith(".json") ? null : groupReport(place);
    if (found !== null && !found.ok)
      return fail("NOT_COMPARED", found.message, `grade it first: mlebench grade ${place}`);
  }
  return places;
}

async function compareWith(
  folder: string,
  others: readonly string[],
  options: Options,
  code: ExitCode,
): Promise<ExitCode> {
  const compared = await compareReports({ a: [folder], b: others, competitionsDir: options.competitions });
  if (compared.status === "refused") {
    const { code: what, message, nextStep } = compared.problem;
    printError(what, message, nextStep);
    return code === 0 ? 1 : code;
  }
  const { result, names } = compared;
  if (options.json) print(JSON.stringify({ event: "compared", folder, with: others, names, result }));
  else printLines(["", ...comparisonLines(compared, paint)]);
  return printDoubts(compared.doubts) && code === 0 ? 1 : code;
}

function requestFrom(options: Options, agent: string, competitions: readonly string[]): RunRequest {
  const { containerConfig: config } = options;
  const configuredGpus = config?.gpus === -1 ? "all" : (config?.gpus ?? undefined);
  return {
    agent,
    competitions,
    seeds: options.seeds ?? options.nSeeds,
    runsDir: runsFolder(options),
    name: options.name,
    agentFolders: [options.agentsDir],
    dataDir: options.dataDir,
    competitionsDir: options.competitions,
    competitionVersion: options.competitionVersion,
    executor: options.executor,
    slurm: slurmSettingsFrom(options),
    workers: options.workers ?? options.nWorkers,
    sandbox: options.sandbox,
    image: options.image,
    rootFolder: options.root,
    network: options.network,
    materials: options.materials,
    obfuscate: options.obfuscate,
    show: options.show,
    timeSeconds: options.timeLimit?.general,
    timeSecondsOf: options.timeLimit?.of,
    graceSeconds: options.grace,
    memoryBytes: options.memory?.general ?? config?.memoryBytes ?? undefined,
    memoryBytesOf: options.memory?.of,
    cpus: options.cpus ?? config?.cpus ?? undefined,
    gpus: options.gpus ?? configuredGpus,
    processes: options.processes,
    diskBytes: options.disk,
    snapshotMinutes: options.snapshotEvery / 60,
    retain: options.retain,
    signingKey: signingKeyOf(options.sign),
    announce: options.announce,
    models: options.model,
    modelAccess: modelAccessFrom(options),
    until: options.until,
    grade: options.grade === true || options.compareWith !== undefined,
  };
}

function signingKeyOf(sign: string | boolean | undefined): string | undefined {
  if (sign === undefined || sign === false) return undefined;
  return sign === true ? path.join(keysFolder(), "default.key") : sign;
}

function ignoredNotes({ containerConfig, gpus }: Options): string[] {
  const ignored = containerConfig?.ignored ?? [];
  const noGpu = gpus === undefined && containerConfig?.gpus === -1 && thisMachine().gpus.length === 0;
  return [
    ...(ignored.length === 0 ? [] : [`of the container config these are not used: ${ignored.join(", ")}`]),
    ...(noGpu ? ["the container config asks for all GPUs; this machine has none"] : []),
  ];
}

function fail(code: string, message: string, nextStep: string): ExitCode {
  printError(code, message, nextStep);
  return 2;
}
