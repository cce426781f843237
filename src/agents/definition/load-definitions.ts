import { nearestName } from "../../wording/nearest.ts";
import type { AgentOutcome } from "./agent.ts";
import { builtInAgents } from "./built-in.ts";
import { configFiles, readConfig } from "./config-files.ts";
import { resolveEntry } from "./resolve-entry.ts";

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
    if (entry !== undefined) return resolveEntry(entry, { id, file, agentsFolder });
  }
  return {
    status: "unknown",
    message: `There is no agent "${id}" in ${folders.join(", ")}, and none of that name comes with mlebench.`,
    nextStep: "see all: mlebench agents list; or name their folder: --agents-dir <folder>",
  };
}

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

function everyFile(folders: readonly string[]): { file: string; agentsFolder: string }[] {
  return [...folders, builtInAgents()].flatMap((agentsFolder) =>
    configFiles(agentsFolder).map((file) => ({ file, agentsFolder })),
  );
}

/** What starts an agent; a misspelt one is an agent, too, and will be told. */
const STARTERS = ["start", "command", "image"];

function isAgent(id: string, entry: unknown): entry is Record<string, unknown> {
  if (HELPER.test(id) || typeof entry !== "object" || entry === null) return false;
  return Object.keys(entry).some((name) => nearestName(name, STARTERS) !== null);
}
