import path from "node:path";
import { nearestName } from "../../wording/nearest.ts";
import type { AgentOutcome } from "./agent.ts";
import { builtInAgents } from "./built-in.ts";
import { configFiles, readConfig } from "./config-files.ts";
import { type EntryPlace, resolveEntry } from "./resolve-entry.ts";

/** An entry that looks like an agent, before anything in it is resolved. */
export interface ListedAgent {
  id: string;
  file: string;
  agentsFolder: string;
  entry: Record<string, unknown>;
}

/** Maps that only exist to be merged into others; the original's files are full of them. */
const HELPER = /^(vars|defaults?|[._].*|x-.*|kwargs_.*|.*_(common|defaults))$/;

/**
 * Finds an agent by its id in the `config.yaml` files below the given folders, then among the built-in ones; the
 * first file that has it wins. A file that cannot be read is only a problem if the id is in no file before it.
 */
export function resolveAgent(id: string, folders: readonly string[]): AgentOutcome {
  for (const { file, agentsFolder } of everyFile(folders)) {
    const content = readConfig(file);
    if (content.status === "broken")
      return { status: "broken", message: content.message, nextStep: "correct the file: docs/agents.md" };
    const entry = content.entries.get(id);
    if (entry !== undefined) return resolveListed({ id, file, agentsFolder, entry });
  }
  return {
    status: "unknown",
    message:
      folders.length === 0
        ? `There is no agent "${id}" among those that come with mlebench.`
        : `There is no agent "${id}" in ${folders.join(", ")}, and none of that name comes with mlebench.`,
    nextStep: "see all: mlebench agents list; or name their folder: --agents-dir <folder>",
  };
}

/**
 * `extends: tree` makes an entry a variant of an agent that comes with mlebench: its program, and all it says, with what
 * the entry itself says on top; `kwargs` and `env_vars` are joined name by name.
 */
export function resolveListed({ entry, ...place }: EntryPlace & { entry: unknown }): AgentOutcome {
  const { extends: base, ...own } = (entry ?? {}) as Record<string, unknown>;
  if (base === undefined) return resolveEntry(entry, place);
  for (const { file, agentsFolder } of everyFile([])) {
    const content = readConfig(file);
    const found = content.status === "read" ? content.entries.get(String(base)) : undefined;
    if (found === undefined) continue;
    const given = found as Record<string, unknown>;
    const joined = Object.fromEntries(
      ["kwargs", "env_vars"].map((name) => [name, { ...mapOf(given[name]), ...mapOf(own[name]) }]),
    );
    const inside = { id: place.id, file, agentsFolder, saidIn: place.file };
    const resolved = resolveEntry({ ...given, ...own, ...joined }, inside);
    // The program is ours, what it is told is not: it counts as an agent of whoever wrote the entry.
    return resolved.status === "found" ? { ...resolved, file: place.file } : resolved;
  }
  return {
    status: "broken",
    message: `${place.file}: ${place.id} extends "${base}", and no agent of that name comes with mlebench.`,
    nextStep: "see those that do: mlebench agents list",
  };
}

const mapOf = (value: unknown) =>
  typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};

/** All agents, helper maps left out, each id once; and the files that could not be read. */
export function loadAgents(folders: readonly string[]): { agents: ListedAgent[]; problems: string[] } {
  const agents = new Map<string, ListedAgent>();
  const problems: string[] = [];
  for (const { file, agentsFolder } of everyFile(folders)) {
    const content = readConfig(file);
    if (content.status === "broken") {
      problems.push(content.message);
      continue;
    }
    for (const [id, entry] of content.entries)
      if (isAgent(id, entry) && !agents.has(id)) agents.set(id, { id, file, agentsFolder, entry });
  }
  return { agents: [...agents.values()], problems };
}

/** By whole paths: an agent is called by its folder, which `.` is not the name of. */
function everyFile(folders: readonly string[]): { file: string; agentsFolder: string }[] {
  return [...folders.map((folder) => path.resolve(folder)), builtInAgents()].flatMap((agentsFolder) =>
    configFiles(agentsFolder).map((file) => ({ file, agentsFolder })),
  );
}

/** What starts an agent; a misspelt one is an agent, too, and will be told. */
const STARTERS = ["start", "command", "image", "extends"];

function isAgent(id: string, entry: unknown): entry is Record<string, unknown> {
  if (HELPER.test(id) || typeof entry !== "object" || entry === null) return false;
  return Object.keys(entry).some((name) => nearestName(name, STARTERS) !== null);
}
