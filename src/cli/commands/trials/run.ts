import path from "node:path";
import { type Command, Option } from "commander";
import type { AgentDefinition } from "../../../agents/definition/agent.ts";
import { isBuiltIn } from "../../../agents/definition/built-in.ts";
import { resolveAgent } from "../../../agents/definition/load-definitions.ts";
import { dataFolder } from "../../../data/place/data-folder.ts";
import { localExecutor } from "../../../executors/local.ts";
import { thisMachine } from "../../../executors/machine.ts";
import { settingsLines } from "../../../reporters/text/run.ts";
import { defaultSystem } from "../../../sandbox/default-system.ts";
import { SandboxKind } from "../../../sandbox/kind.ts";
import type { LimitName } from "../../../sandbox/sandbox.ts";
import { keysFolder, readSigningKey } from "../../../trials/certificate/signing.ts";
import { type GroupRequest, planGroup, planJudges } from "../../../trials/group/plan.ts";
import type { GroupSettings } from "../../../trials/group/schema.ts";
import { usualSettings } from "../../../trials/group/usual-settings.ts";
import { firstRefusal } from "../../../trials/refusals.ts";
import { chooseSandbox, unmetRequirement } from "../../../trials/trial/choose-sandbox.ts";
import type { Network } from "../../../trials/trial/schema.ts";
import type { Problem } from "../../../wording/problem.ts";
import { addChoiceOptions, type ChoiceOptions, chosenIds } from "../../choose-competitions.ts";
import { action, type CliCommand, type ExitCode } from "../../command.ts";
import { driveGroup } from "../../drive-group.ts";
import {
  addDataOptions,
  addVersionOption,
  agentsOption,
  type DataOptions,
  durationOption,
  parseCount,
  sizeOption,
  type VersionOptions,
} from "../../options.ts";
import { printError } from "../../print.ts";
import {
  type ContainerWishes,
  collectDurations,
  collectSizes,
  type PerCompetition,
  parseAmount,
  parseNetwork,
  parseWhole,
  readContainerConfig,
} from "../../run-options.ts";
import { addRunsOption, type RunsOptions, runsFolder } from "../../runs-folder.ts";

type Options = DataOptions &
  VersionOptions &
  ChoiceOptions &
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
    snapshotEvery: number;
    name?: string;
    sign?: string | boolean;
    containerConfig?: ContainerWishes;
    retain?: boolean;
    json?: boolean;
  };

export const command: CliCommand = {
  define(command: Command) {
    addRunsOption(addVersionOption(addDataOptions(addChoiceOptions(command))))
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
      .option("--network <mode>", "none, open, or allow-list=host,host", parseNetwork)
      .option("--materials <folder>", "mount it at /home/materials; results count as external knowledge")
      .option("--snapshot-every <time>", "distance of the hourly reports", durationOption, 3600)
      .option("--name <name>", "what to call the run group")
      .option("--sign [key]", "sign the certificates (default: your own key)")
      .option("--retain", "keep the agent's working folder")
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
  $ mlebench run --agent my-agent -c spooky-author-identification --time-limit 2h --memory 16GiB`;

async function run(options: Options): Promise<ExitCode> {
  const agentId = options.agent ?? options.agentId;
  if (agentId === undefined) return fail("NO_AGENT", "No agent was named.", "name one: --agent <id>", 2);
  const { competitionSet } = options;
  const chosen = chosenIds(competitionSet === undefined ? options : { ...options, list: competitionSet });
  if ("message" in chosen)
    return fail("NO_COMPETITION", chosen.message, "name some: -c <id> or --split <name>", 2);
  const agentFolders = [path.resolve(options.agentsDir)];
  const resolved = resolveAgent(agentId, agentFolders);
  if (resolved.status !== "found") return fail("NO_AGENT", resolved.message, resolved.nextStep, 2);
  const { agent } = resolved;
  const settings = settingsFrom(options, agent, agentFolders);
  const request: GroupRequest = {
    runsDir: runsFolder(options),
    name: options.name ?? null,
    agent,
    competitionIds: chosen.ids,
    seeds: options.seeds ?? options.nSeeds ?? 1,
    settings,
  };
  const notes: string[] = [];
  const judges = planJudges(request);
  const refusal = await firstRefusal({
    ...judges,
    usage: async () => keyProblem(settings.signingKey) ?? (await judges.usage?.()) ?? null,
    machine: () => machineProblem(settings),
    sandbox: async () => {
      const { sandbox = null, image = agent.image } = options;
      const choice = await chooseSandbox(sandbox, { ...agent, image }, isBuiltIn(resolved.file));
      if (choice.status === "refused") return choice;
      notes.push(...choice.notes);
      settings.sandbox = choice.capabilities.kind;
      Object.assign(settings, await systemFor(settings, agent));
      const network = settings.network?.mode ?? null;
      return (
        imageProblem(settings, agent) ??
        unmetRequirement(choice.capabilities, requiredLimits(settings), network)
      );
    },
  });
  if (refusal !== null) {
    const ofTheMachine = refusal.stage === "machine" || refusal.stage === "sandbox";
    return fail(refusal.code, refusal.message, refusal.nextStep, ofTheMachine ? 3 : 2);
  }
  const planned = await planGroup(request);
  if (planned.status === "refused") return fail(planned.code, planned.message, planned.nextStep, 2);
  const { folder, group } = planned;
  for (const note of [
    ...resolved.notes,
    ...notes,
    ...ignoredNotes(options),
    ...settingsLines(settings, group.trials.length, folder),
  ])
    process.stderr.write(`${note}\n`);
  return driveGroup(folder, group, { json: options.json === true });
}

/** An option of the run wins over the agent's own wish, and that over what everybody gets. Only options are required. */
function settingsFrom(options: Options, agent: AgentDefinition, agentFolders: string[]): GroupSettings {
  const machine = thisMachine();
  const workers = options.workers ?? options.nWorkers ?? 1;
  const usual = usualSettings({
    agent,
    agentFolders,
    dataDir: dataFolder(options.dataDir),
    // Until one is chosen, which is judged last.
    sandbox: options.sandbox ?? "bubblewrap",
    workers,
    machine,
  });
  const { containerConfig: config } = options;
  const limit = (given: number | null | undefined, wish: { value: number; required: boolean }) =>
    given == null ? wish : { value: given, required: true };
  const gpus =
    options.gpus ?? (config?.gpus === -1 ? Math.floor(machine.gpus.length / workers) : config?.gpus) ?? 0;
  return {
    ...usual,
    competitionVersion: options.competitionVersion,
    competitionsDir: options.competitions === undefined ? null : path.resolve(options.competitions),
    network: options.network ?? null,
    timeSeconds: options.timeLimit?.general ?? usual.timeSeconds,
    timeSecondsOf: options.timeLimit?.of ?? {},
    graceSeconds: options.grace,
    memoryBytes: limit(options.memory?.general ?? config?.memoryBytes, usual.memoryBytes),
    memoryBytesOf: options.memory?.of ?? {},
    cpus: limit(options.cpus ?? config?.cpus, usual.cpus),
    processes: limit(options.processes, usual.processes),
    diskBytes: limit(options.disk, usual.diskBytes),
    gpus,
    image: options.image ?? null,
    rootFolder: options.root === undefined ? null : path.resolve(options.root),
    materials: options.materials === undefined ? null : path.resolve(options.materials),
    snapshotMinutes: options.snapshotEvery / 60,
    retain: options.retain === true,
    signingKey: signingKeyOf(options.sign),
  };
}

/** What was named wins, then the agent's own image, then what `env build` has made. */
async function systemFor({ sandbox, image, rootFolder }: GroupSettings, agent: AgentDefinition) {
  const named = image !== null || rootFolder !== null || agent.image !== null;
  return named ? { image, rootFolder } : defaultSystem(sandbox);
}

function signingKeyOf(sign: string | boolean | undefined): string | null {
  if (sign === undefined || sign === false) return null;
  return sign === true ? path.join(keysFolder(), "default.key") : path.resolve(sign);
}

function requiredLimits(settings: GroupSettings): LimitName[] {
  const names: LimitName[] = (["memoryBytes", "cpus", "processes", "diskBytes"] as const).filter(
    (name) => settings[name].required,
  );
  return Object.keys(settings.memoryBytesOf).length > 0 ? [...names, "memoryBytes"] : names;
}

function keyProblem(key: string | null): Problem | null {
  if (key === null || readSigningKey(key) !== null) return null;
  return {
    code: "NO_KEY",
    message: `${key} is no signing key.`,
    nextStep: "make one: mlebench keys create",
  };
}

function machineProblem(settings: GroupSettings): Problem | null {
  const impossible = localExecutor(thisMachine(), settings.workers).impossible({
    cpus: settings.cpus.value,
    memoryBytes: Math.max(settings.memoryBytes.value, ...Object.values(settings.memoryBytesOf)),
    gpus: settings.gpus,
  });
  if (impossible === null) return null;
  return { code: "TOO_MUCH", message: `This machine cannot do it: ${impossible}.`, nextStep: "ask for less" };
}

function imageProblem({ sandbox, image }: GroupSettings, agent: AgentDefinition): Problem | null {
  if ((sandbox !== "podman" && sandbox !== "docker") || (image ?? agent.image)) return null;
  return {
    code: "NO_IMAGE",
    message: `${sandbox} has no image to run ${agent.id} in.`,
    nextStep: "build one: mlebench env build --light; or name one: --image <name>",
  };
}

function ignoredNotes({ containerConfig, gpus }: Options): string[] {
  const ignored = containerConfig?.ignored ?? [];
  const noGpu = gpus === undefined && containerConfig?.gpus === -1 && thisMachine().gpus.length === 0;
  return [
    ...(ignored.length === 0 ? [] : [`of the container config these are not used: ${ignored.join(", ")}`]),
    ...(noGpu ? ["the container config asks for all GPUs; this machine has none"] : []),
  ];
}

function fail(code: string, message: string, nextStep: string, exitCode: ExitCode): ExitCode {
  printError(code, message, nextStep);
  return exitCode;
}
