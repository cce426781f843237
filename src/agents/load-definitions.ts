import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import type { AgentDefinition, AgentOutcome } from "./agent.ts";

const Entry = z.looseObject({
  command: z.array(z.string()).min(1),
  env_vars: z.record(z.string(), z.coerce.string()).default({}),
  image: z.string().nullable().default(null),
  sandbox: z.enum(["bubblewrap", "docker", "podman", "process"]).nullable().default(null),
});

/** Finds an agent by its id in the `config.yaml` files below the given folders; the first file that has it wins. */
export function resolveAgent(id: string, folders: readonly string[]): AgentOutcome {
  for (const file of folders.flatMap(configFiles)) {
    const content: unknown = JSON.parse(fs.readFileSync(file, "utf8"));
    const entry = (content as Record<string, unknown>)[id];
    if (entry === undefined) continue;
    const parsed = Entry.safeParse(entry);
    if (!parsed.success)
      return {
        status: "broken",
        message: `${file}: ${z.prettifyError(parsed.error)}`,
        nextStep: "correct the file",
      };
    return { status: "found", agent: definition(id, path.dirname(file), parsed.data) };
  }
  return {
    status: "unknown",
    message: `There is no agent "${id}" in ${folders.join(", ")}.`,
    nextStep: "name its folder: --agents-dir <folder>",
  };
}

function configFiles(folder: string): string[] {
  if (!fs.existsSync(folder)) return [];
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => path.basename(name) === "config.yaml")
    .map((name) => path.join(folder, name))
    .sort();
}

function definition(id: string, folder: string, entry: z.infer<typeof Entry>): AgentDefinition {
  return {
    id,
    name: path.basename(folder),
    folder,
    command: entry.command,
    env: entry.env_vars,
    secrets: [],
    mounts: [],
    limits: {},
    network: { mode: "none" },
    sandbox: entry.sandbox,
    image: entry.image,
    writableRoot: false,
  };
}
