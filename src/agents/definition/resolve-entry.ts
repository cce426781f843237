import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { startProblem } from "../../sandbox/host-environment.ts";
import { findInstalled, type InstalledProgram, readProgramName } from "../coding/installed.ts";
import { PROGRAM_INSIDE } from "../coding/programs.ts";
import { nodeRuntime } from "../kit/node-runtime.ts";
import type { AgentDefinition, AgentNetwork, AgentOutcome } from "./agent.ts";
import { pythonValue } from "./python-value.ts";
import { AgentEntry, unknownFields, type YamlValue } from "./schema.ts";

/** Where an entry stands: paths in it are relative to the folder of all agents, as in the original. */
export interface EntryPlace {
  id: string;
  file: string;
  agentsFolder: string;
  /** Where the entry itself stands, if it extends the one of `file`. */
  saidIn?: string;
}

/** The original's consent to privileged containers. */
const CONSENT = "I_ACCEPT_RUNNING_PRIVILEGED_CONTAINERS";
const SECRETS_FOLDER = "/run/mlebench/secrets";
/** What follows the placeholder is dropped, as in the original. */
const SECRET = /^\$\{\{\s*secrets\.(\w+)\s*\}\}/;

/** Turns an entry of a `config.yaml` into something that can be started: arguments, secrets, image, Node. */
export function resolveEntry(
  content: unknown,
  place: EntryPlace,
  environment: NodeJS.ProcessEnv = process.env,
): AgentOutcome {
  const { id, file, agentsFolder, saidIn = file } = place;
  const parsed = AgentEntry.safeParse(content);
  if (!parsed.success)
    return broken(`${saidIn}: ${id}: ${z.prettifyError(parsed.error)}`, "correct the file: docs/agents.md");
  const entry = parsed.data;
  for (const name of [entry.start, entry.dockerfile])
    if (name !== undefined && !isFile(path.join(agentsFolder, name)))
      return broken(
        `${saidIn}: ${id} names ${name}, and there is no such file in ${agentsFolder}.`,
        "paths of start and dockerfile are relative to the folder of all agents",
      );
  const notes = unknownFields(content as object).map((text) => `${id}: ${text}`);
  if (entry.privileged) {
    if (!["true", "1", "t"].includes((environment[CONSENT] ?? "").toLowerCase()))
      return {
        status: "refused",
        message: `${id} asks for a privileged container.`,
        nextStep: `let it run, without the privileges (no sandbox here gives any): ${CONSENT}=true`,
      };
    notes.push(`${id} asks for a privileged container; it runs without any privilege`);
  }
  const kwargs = withSecrets(entry.kwargs, environment, SECRETS_FOLDER);
  const variables = withSecrets(entry.env_vars, environment);
  const missing = [...kwargs.missing, ...variables.missing];
  if (missing.length > 0)
    return {
      status: "refused",
      message: `${id} needs ${missing.join(", ")}, and the environment has no such variable.`,
      nextStep: `set it: export ${missing[0]}=…`,
    };
  // Whoever wrote the definition may have asked for any: whose they are reads what is handed over.
  const handed = [...new Set([...kwargs.used, ...variables.used])];
  if (handed.length > 0)
    notes.push(`${id} is given ${handed.join(", ")} from your environment: its definition asks for it`);
  const wanted = entry.program === undefined ? null : readProgramName(entry.program);
  const program = wanted === null ? null : findInstalled(wanted.id, wanted.version);
  if (wanted !== null && program === null)
    return {
      status: "refused",
      message: `${entry.program} is not installed on this machine.`,
      nextStep: `install it: mlebench agents install ${entry.program}`,
    };
  if (program?.isChanged)
    return {
      status: "refused",
      message: `The files of ${entry.program} in ${program.folder} are not those that npm installed.`,
      nextStep: `install it anew: mlebench agents install ${entry.program}`,
    };
  const runtime = entry.runtime === "node" ? nodeRuntime() : null;
  const mountNotes = runtime === null ? [] : [`${id} runs on ${runtime.mounts[0].host}, mounted read-only`];
  if (program !== null)
    notes.push(`${id} starts ${program.program.package}@${program.program.packageVersion}`);
  const image = entry.image ?? (entry.dockerfile === undefined ? null : imageName(file));
  if (entry.image === undefined && image !== null)
    notes.push(`build its image first: docker build -t ${image} -f ${entry.dockerfile} .`);
  const command = entry.command ?? ["bash", `/home/agent/${path.basename(entry.start ?? "start.sh")}`];
  const agent: AgentDefinition = {
    id,
    name: path.basename(path.dirname(file)),
    folder: image === null ? path.dirname(file) : null,
    command: [
      ...(runtime === null ? [] : [runtime.command]),
      ...command,
      ...commandLine(kwargs.values, entry.kwargs_type ?? null),
    ],
    env: {
      ...runtime?.env,
      ...(program === null ? {} : programVariables(program.program)),
      ...variables.values,
    },
    secrets: [...new Set([...kwargs.secrets, ...variables.secrets])],
    secretFiles: kwargs.files,
    mounts: [
      ...(runtime?.mounts ?? []),
      ...(program === null ? [] : [{ host: program.folder, inside: PROGRAM_INSIDE }]),
    ],
    limits: limitsOf(entry),
    network: networkOf(entry),
    sandbox: entry.sandbox ?? null,
    image,
    writableRoot: entry.writable_root ?? entry.dockerfile !== undefined,
    asksForPrivileges: entry.privileged,
    ...(entry.needs_model === true || entry.program !== undefined ? { needsModel: true as const } : {}),
    ...(entry.models === undefined
      ? {}
      : { models: typeof entry.models === "string" ? { default: entry.models } : entry.models }),
  };
  const unstartable = startProblem(agent.command, agent.env);
  if (unstartable !== null) return broken(`${saidIn}: ${id}: ${unstartable}.`, "change the definition");
  return { status: "found", agent, file, notes, mountNotes };
}

/**
 * In the environment, so that version and integrity are part of the definition that the record's digest covers; the folder,
 * since without isolation only variables are told where it really lies.
 */
function programVariables({
  package: name,
  packageVersion,
  integrity,
}: InstalledProgram): Record<string, string> {
  return {
    MLEBENCH_PROGRAM: `${name}@${packageVersion}`,
    MLEBENCH_PROGRAM_INTEGRITY: integrity,
    MLEBENCH_PROGRAM_DIR: PROGRAM_INSIDE,
  };
}

/** With a folder, secrets become files in it and their values the files' paths: every user's `ps` shows arguments. */
function withSecrets(
  values: Record<string, YamlValue>,
  environment: NodeJS.ProcessEnv,
  folder: string | null = null,
) {
  const resolved: Record<string, string> = {};
  const files = new Map<string, string>();
  const secrets: string[] = [];
  const missing: string[] = [];
  const used: string[] = [];
  for (const [name, value] of Object.entries(values)) {
    const variable = typeof value === "string" ? SECRET.exec(value)?.[1] : undefined;
    const secret = variable === undefined ? undefined : environment[variable];
    if (variable !== undefined && secret === undefined) missing.push(variable);
    if (variable !== undefined && secret !== undefined) {
      used.push(variable);
      secrets.push(secret);
    }
    resolved[name] = secret ?? pythonValue(value);
    if (folder === null || secret === undefined) continue;
    resolved[name] = `${folder}/${variable}`;
    files.set(resolved[name], secret);
  }
  return {
    values: resolved,
    secrets,
    missing,
    used,
    files: Array.from(files, ([inside, content]) => ({ inside, content })),
  };
}

function commandLine(values: Record<string, string>, style: AgentEntry["kwargs_type"] | null): string[] {
  const pairs = Object.entries(values);
  if (style === "omegaconf") return pairs.map(([name, value]) => `${name}=${value}`);
  return pairs.flatMap(([name, value]) => [`--${name}`, value]);
}

function limitsOf({ limits }: AgentEntry): AgentDefinition["limits"] {
  const { time, memory, cpus, processes, disk, steps } = limits;
  const all = { timeSeconds: time, memoryBytes: memory, cpus, processes, diskBytes: disk, steps };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

function networkOf({ network }: AgentEntry): AgentNetwork {
  return typeof network === "string"
    ? { mode: network }
    : { mode: "allow-list", hosts: network["allow-list"] };
}

/** The original tags an agent's image with its folder's name. */
function imageName(file: string): string {
  return path.basename(path.dirname(file));
}

function isFile(file: string): boolean {
  return fs.statSync(file, { throwIfNoEntry: false })?.isFile() === true;
}

function broken(message: string, nextStep: string): AgentOutcome {
  return { status: "broken", message, nextStep };
}
