import fs from "node:fs";
import path from "node:path";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { regularFiles } from "../../files/folder-digest.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { VALIDATE_SCRIPT } from "../surroundings/validate-script.ts";
import { type InstructionFacts, instructionsText } from "./instructions.ts";

/** What of /home the agent may write to; each is a folder of the trial's `work` folder. */
const WRITABLE = ["submission", "logs", "code", "agent"] as const;

/** Larger agents belong into an image: every trial gets a copy of its own. */
const MAX_CODE_BYTES = 2 ** 30;

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
  facts: Omit<InstructionFacts, "description" | "hasMaterials">;
}

/** Lays out everything an agent sees below /home. The work folder itself is closed to other users of the machine. */
export function layOutHome(request: HomeRequest): AgentHome {
  const { work, agent, publicFolder, materials, code } = request;
  const place = (name: string) => path.join(work, name);
  makeFolder(work, 0o700);
  for (const name of WRITABLE) {
    makeFolder(place(name));
    // A container's user is another one than ours.
    fs.chmodSync(place(name), 0o777);
  }
  if (agent.folder !== null) copyCode(agent.folder, place("agent"));
  if (code !== null) copyCode(code, place("code"));
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

/** Whether an agent's folder is too large to be copied for every trial; the sentence says what to do. */
export function codeProblem({ id, folder }: AgentDefinition): string | null {
  if (folder === null) return null;
  const bytes = folderBytes(folder);
  if (bytes <= MAX_CODE_BYTES) return null;
  return `The folder of ${id} holds ${bytes} bytes; put what is large into an image or --materials.`;
}

/** Whether the code that a trial left is too large to be copied once more. */
export function isTooLargeToCopy(folder: string): boolean {
  return folderBytes(folder) > MAX_CODE_BYTES;
}

function folderBytes(folder: string): number {
  return regularFiles(folder).reduce((sum, name) => sum + fs.statSync(path.join(folder, name)).size, 0);
}

/** Its own copy, so that an agent can write beside its code as the original lets it, and no trial sees another's. */
function copyCode(from: string, to: string): void {
  fs.cpSync(from, to, {
    recursive: true,
    mode: fs.constants.COPYFILE_FICLONE,
    verbatimSymlinks: true,
    preserveTimestamps: true,
  });
  const open = (folder: string) => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      const place = path.join(folder, entry.name);
      if (entry.isSymbolicLink()) continue;
      fs.chmodSync(place, fs.statSync(place).mode | (entry.isDirectory() ? 0o777 : 0o666));
      if (entry.isDirectory()) open(place);
    }
  };
  open(to);
}
