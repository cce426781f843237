import path from "node:path";
import { readUntil, UNTIL_HINT } from "../../agents/coding/until.ts";
import { dataFolder } from "../../data/place/data-folder.ts";
import { argumentProblem } from "../../executors/slurm/sbatch-arguments.ts";
import { SlurmSettings } from "../../executors/slurm/schema.ts";
import { SandboxKind } from "../../sandbox/kind.ts";
import { packageFolder } from "../../sandbox/package-folders.ts";
import { keysFolder } from "../../trials/certificate/signing.ts";
import { Network } from "../../trials/trial/schema.ts";
import type { Problem } from "../../wording/problem.ts";
import type { RunRequest } from "./request.ts";
import { givenProblem, RUN_GROUPS, showProblem } from "./show.ts";

/** What is wrong with a request before anything is looked for. A program may have written it without its types. */
export function usageProblem(request: RunRequest): Problem | null {
  return whatAndHowOften(request) ?? whereProblem(request) ?? slurmProblem(request) ?? limitProblem(request);
}

function whatAndHowOften(request: RunRequest): Problem | null {
  if (request.agent === "") return problem("NO_AGENT", "No agent was named.", "name one: --agent <id>");
  if (request.competitions.length === 0)
    return problem("NO_COMPETITION", "No competition was named.", "name some: -c <id> or --split <name>");
  const twice = request.competitions.find((id, i, all) => all.indexOf(id) !== i);
  if (twice !== undefined) return problem("TWICE", `${twice} was named twice.`, "name each competition once");
  if (request.until !== undefined && readUntil(request.until) === null)
    return problem("BAD_UNTIL", `"${request.until}" does not say how long to go on.`, `write ${UNTIL_HINT}`);
  for (const name of ["seeds", "workers"] as const) {
    const value = request[name] ?? 1;
    if (!Number.isInteger(value) || value < 1)
      return problem(
        "BAD_NUMBER",
        `${name} must be a whole number from 1.`,
        `give another one: --${name} <n>`,
      );
  }
  return null;
}

function whereProblem(request: RunRequest): Problem | null {
  const { sandbox, network, show } = request;
  if (sandbox !== undefined && !SandboxKind.safeParse(sandbox).success)
    return problem(
      "NO_SANDBOX",
      `There is no sandbox "${sandbox}".`,
      `use one of ${SandboxKind.options.join(", ")}`,
    );
  if (network !== undefined && !Network.safeParse(network).success)
    return problem(
      "BAD_NETWORK",
      `"${network.mode}" is not a network that an agent can have.`,
      "use none, open, or allow-list with its hosts",
    );
  return showProblem(show ?? [], keptPlaces(request));
}

/** What no agent of a run may read. */
function keptPlaces({ dataDir, runsDir, competitionsDir, signingKey }: RunRequest): Record<string, string> {
  const ownFolder = packageFolder();
  return {
    "the prepared data": dataFolder(dataDir),
    [RUN_GROUPS]: path.resolve(runsDir),
    "signing keys": keysFolder(),
    ...(signingKey === undefined ? {} : { "the signing key": signingKey }),
    ...(competitionsDir === undefined ? {} : { "your own competitions": competitionsDir }),
    ...(ownFolder === null ? {} : { "mlebench itself, with graders and answers": ownFolder }),
  };
}

/** What lies in the folders that an agent is given whole: its own, of which it gets a copy, and materials. */
export function givenFoldersProblem(request: RunRequest, agentFolder: string | null): Problem | null {
  const kept = keptPlaces(request);
  return (
    (agentFolder === null ? null : givenProblem("The agent's folder", agentFolder, kept)) ??
    (request.materials === undefined ? null : givenProblem("--materials", request.materials, kept))
  );
}

function slurmProblem({ slurm, executor }: RunRequest): Problem | null {
  for (const argument of slurm?.args ?? []) {
    const wrong = argumentProblem(argument);
    if (wrong !== null)
      return problem(
        "BAD_SLURM_ARG",
        `${wrong}.`,
        "leave it out; partition, account, qos, constraint and nodes have options of their own",
      );
  }
  const odd = SlurmSettings.safeParse(slurm ?? {});
  if (!odd.success) {
    const [issue] = odd.error.issues;
    return problem("BAD_SLURM_ARG", `${issue.path.join(".")} ${issue.message}.`, "see sinfo");
  }
  return slurm === undefined || executor === "slurm"
    ? null
    : problem(
        "NOT_FOR_LOCAL",
        "Options for Slurm were given, and not the executor slurm.",
        "add it: --executor slurm",
      );
}

const LIMITS = [
  "timeSeconds",
  "graceSeconds",
  "memoryBytes",
  "cpus",
  "processes",
  "diskBytes",
  "snapshotMinutes",
] as const;

function limitProblem(request: RunRequest): Problem | null {
  const numbers: [name: string, value: number][] = LIMITS.map((name) => [name, request[name] ?? 1]);
  for (const name of ["timeSecondsOf", "memoryBytesOf"] as const)
    for (const [id, value] of Object.entries(request[name] ?? {})) {
      if (!request.competitions.includes(id))
        return problem(
          "NOT_IN_THE_RUN",
          `A limit was given for ${id}, which is not among the run's competitions.`,
          "correct its name, or leave it out",
        );
      numbers.push([`${name} of ${id}`, value]);
    }
  const bad = numbers.find(([, value]) => !Number.isFinite(value) || value <= 0);
  if (bad !== undefined)
    return problem("BAD_NUMBER", `${bad[0]} must be a number above 0.`, "give another one, or leave it out");
  const { gpus = 0 } = request;
  return gpus === "all" || (Number.isInteger(gpus) && gpus >= 0)
    ? null
    : problem("BAD_NUMBER", "gpus must be a whole number from 0, or all.", "give another one: --gpus <n>");
}

function problem(code: string, message: string, nextStep: string): Problem {
  return { code, message, nextStep };
}
