import fs from "node:fs";
import path from "node:path";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { VALIDATE_SCRIPT } from "../surroundings/validate-script.ts";
import { type InstructionFacts, instructionsText } from "./instructions.ts";

/** What of /home the agent may write to; each is a folder of the trial's `work` folder. */
const WRITABLE = ["submission", "logs", "code", "agent"] as const;

/** What is kept of an attempt that was interrupted. */
const LEFT = ["submission", "logs", "code"] as const;

/** Larger agents belong into an image: every trial gets a copy of its own. */
const MAX_CODE_BYTES = 2 ** 30;
const MAX_CODE_ENTRIES = 100_000;

export interface AgentHome {
  mounts: { host: string; inside: string; mode: "read-only" | "read-write" }[];
  submission: string;
  /** Copying a large agent takes time that is not the agent's: the clock starts after that. */
  writeDeadline(epochSeconds: number): void;
}

export interface HomeRequest {
  work: string;
  agent: AgentDefinition;
  publicFolder: string;
  /** The task's text where the public data have none of their own. */
  description: string | null;
  materials: string | null;
  /** What is in /home/code from the beginning. */
  code: string | null;
  /** What an interrupted attempt left, which goes on with it; null for a fresh start. */
  left: string | null;
  facts: Omit<InstructionFacts, "description" | "hasMaterials">;
}

/** Lays out everything an agent sees below /home. The work folder itself is closed to other users of the machine. */
export async function layOutHome(request: HomeRequest): Promise<AgentHome> {
  const { work, agent, publicFolder, materials, code } = request;
  const place = (name: string) => path.join(work, name);
  makeFolder(work, 0o700);
  for (const name of WRITABLE) {
    makeFolder(place(name));
    // A container's user is another one than ours.
    fs.chmodSync(place(name), 0o777);
  }
  if (agent.folder !== null) await copyCode(agent.folder, place("agent"));
  if (code !== null) await copyCode(code, place("code"));
  for (const name of request.left === null ? [] : LEFT) {
    const from = path.join(request.left!, name);
    if (fs.existsSync(from)) await copyCode(from, place(name));
  }
  const inData = fs.existsSync(path.join(publicFolder, "description.md"));
  const description = inData ? "/home/data/description.md" : "/home/description.md";
  const files: Record<string, string> = {
    "instructions.txt": instructionsText({ ...request.facts, description, hasMaterials: materials !== null }),
    "validate_submission.sh": VALIDATE_SCRIPT,
    "DEADLINE.txt": "",
    ...(inData || request.description === null ? {} : { "description.md": request.description }),
  };
  for (const [name, text] of Object.entries(files)) fs.writeFileSync(place(name), text, { mode: 0o755 });
  return {
    submission: place("submission"),
    writeDeadline: (epochSeconds) => fs.writeFileSync(place("DEADLINE.txt"), `${epochSeconds}\n`),
    mounts: [
      { host: publicFolder, inside: "/home/data", mode: "read-only" },
      // An image that brings its own code keeps it.
      ...WRITABLE.filter((name) => name !== "agent" || agent.folder !== null || agent.image === null).map(
        (name) => ({
          host: place(name),
          inside: `/home/${name}`,
          mode: "read-write" as const,
        }),
      ),
      ...Object.keys(files).map((name) => ({
        host: place(name),
        inside: `/home/${name}`,
        mode: "read-only" as const,
      })),
      ...(materials === null
        ? []
        : [{ host: materials, inside: "/home/materials", mode: "read-only" as const }]),
      ...agent.mounts.map(({ host, inside }) => ({ host, inside, mode: "read-only" as const })),
    ],
  };
}

/** Why an agent's folder cannot be copied for every trial; the sentence says what to do. */
export function codeProblem({ id, folder }: AgentDefinition): string | null {
  if (folder === null) return null;
  const { bytes, entries, odd } = folderFacts(folder);
  if (odd !== null) return `The folder of ${id} has ${odd} in it, which is no file; take it away.`;
  if (entries > MAX_CODE_ENTRIES)
    return `The folder of ${id} holds more than ${MAX_CODE_ENTRIES} files; put them into an image or --materials.`;
  if (bytes <= MAX_CODE_BYTES) return null;
  return `The folder of ${id} holds ${bytes} bytes; put what is large into an image or --materials.`;
}

/** Whether the code that a trial left is too large to be copied once more. */
export function isTooLargeToCopy(folder: string): boolean {
  return folderFacts(folder, Number.POSITIVE_INFINITY).bytes > MAX_CODE_BYTES;
}

/** A folder of somebody's may hold any number of things, and any kind of them: it is looked at up to a limit. */
function folderFacts(folder: string, most = MAX_CODE_ENTRIES) {
  const facts = { bytes: 0, entries: 0, odd: null as string | null };
  const queue = [folder];
  for (let place = queue.pop(); place !== undefined; place = queue.pop()) {
    const listing = fs.opendirSync(place);
    try {
      for (let entry = listing.readSync(); entry !== null; entry = listing.readSync()) {
        if (++facts.entries > most) return facts;
        const inside = path.join(place, entry.name);
        if (entry.isDirectory()) queue.push(inside);
        else if (entry.isFile()) facts.bytes += fs.statSync(inside).size;
        else if (!entry.isSymbolicLink()) facts.odd ??= path.relative(folder, inside);
      }
    } finally {
      listing.closeSync();
    }
  }
  return facts;
}

/**
 * Its own copy, so that an agent can write beside its code as the original lets it, and no trial sees another's. Nobody
 * else's trial waits for it.
 */
async function copyCode(from: string, to: string): Promise<void> {
  await fs.promises.cp(from, to, {
    recursive: true,
    mode: fs.constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
    preserveTimestamps: true,
  });
  const open = async (folder: string) => {
    for (const entry of await fs.promises.readdir(folder, { withFileTypes: true })) {
      const place = path.join(folder, entry.name);
      if (entry.isSymbolicLink()) continue;
      const { mode } = await fs.promises.stat(place);
      await fs.promises.chmod(place, mode | (entry.isDirectory() ? 0o777 : 0o666));
      if (entry.isDirectory()) await open(place);
    }
  };
  await open(to);
}
