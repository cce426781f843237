import fs from "node:fs";
import path from "node:path";
import type { AgentDefinition } from "../agents/definition/agent.ts";
import { defaultSystem } from "../sandbox/default-system.ts";
import { runsImages, type SandboxKind } from "../sandbox/kind.ts";
import { SYSTEM_PATH } from "../trials/trial/agent-environment.ts";
import { nearestName } from "../wording/nearest.ts";

const AGENT_HOME = "/home/agent";
/** What the host's own system brings along inside bubblewrap. */
const HOST_SYSTEM = /^\/(usr|bin|sbin|lib|lib32|lib64|libx32)\//;

/**
 * What of an agent's command does not exist where it will run: the program, or a script of its own folder that it is given
 * before anything but options. Null where everything is there, or where only a container could tell.
 */
export async function commandProblem(
  agent: AgentDefinition,
  kind: SandboxKind,
): Promise<{ message: string; nextStep: string } | null> {
  if (agent.image !== null || runsImages(kind)) return null;
  const { rootFolder } = await defaultSystem(kind);
  const look = (name: string) => isInside(name, agent, kind, rootFolder);
  const [program, ...words] = agent.command;
  const first = words.find((word) => !word.startsWith("-"));
  if (
    program.includes("/")
      ? !look(program)
      : searchPath(agent, kind).every((folder) => !look(`${folder}/${program}`))
  ) {
    const meant = program.includes("/") ? null : nearestProgram(program, searchPath(agent, kind), look);
    return {
      message: `Its command starts ${JSON.stringify(program)}, and ${where(kind, rootFolder)} has no such program.`,
      nextStep:
        meant === null
          ? "correct the command, or bring the program along: in the agent's folder, an image, or mlebench env build"
          : `did you mean ${meant}? Correct the command in its definition`,
    };
  }
  if (first?.startsWith(`${AGENT_HOME}/`) && !look(first))
    return {
      message: `Its command names ${first}, and its folder has no ${path.relative(AGENT_HOME, first)}.`,
      nextStep: `put it into ${agent.folder}, which is copied to ${AGENT_HOME}`,
    };
  return null;
}

function searchPath({ env }: AgentDefinition, kind: SandboxKind): string[] {
  const usual = kind === "process" ? (process.env.PATH ?? SYSTEM_PATH) : SYSTEM_PATH;
  return (env.PATH ?? usual).split(":").filter((folder) => folder.startsWith("/"));
}

/** Whether a path inside the sandbox will be a file. */
function isInside(name: string, agent: AgentDefinition, kind: SandboxKind, root: string | null): boolean {
  const mount = agent.mounts.find(({ inside }) => name === inside || name.startsWith(`${inside}/`));
  if (mount !== undefined) return isFile(mount.host + name.slice(mount.inside.length));
  if (name.startsWith(`${AGENT_HOME}/`))
    return agent.folder !== null && isFile(path.join(agent.folder, path.relative(AGENT_HOME, name)));
  // Relative to a working folder that does not exist yet.
  if (!name.startsWith("/")) return true;
  if (kind === "process") return isFile(name);
  if (root !== null) return isFile(path.join(root, name)) || isLink(path.join(root, name));
  return HOST_SYSTEM.test(name) && isFile(name);
}

function nearestProgram(
  program: string,
  folders: readonly string[],
  look: (name: string) => boolean,
): string | null {
  const common = ["python3", "python", "node", "bash", "sh", "Rscript", "julia", "perl", "ruby", "java"];
  return nearestName(
    program,
    common.filter((name) => folders.some((folder) => look(`${folder}/${name}`))),
  );
}

function where(kind: SandboxKind, root: string | null): string {
  if (kind === "process") return "this machine";
  return root === null ? "the sandbox (this machine's /usr)" : `the sandbox's system (${root})`;
}

const isFile = (place: string) => fs.statSync(place, { throwIfNoEntry: false })?.isFile() === true;

/** An absolute link inside of another root cannot be followed from here. */
const isLink = (place: string) => fs.lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() === true;
