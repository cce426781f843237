import type { AgentDefinition } from "../agents/agent.ts";
import { valueDigest } from "./canonical-json.ts";
import { folderDigest } from "./folder-digest.ts";
import type { RecordedAgent } from "./trial-schema.ts";

/** The agent as the record shows it: with digests of its definition and its code, and without its secrets. */
export async function recordAgent(agent: AgentDefinition): Promise<RecordedAgent> {
  const { secrets, folder, mounts, ...definition } = agent;
  const masked = maskSecrets(definition, secrets);
  return {
    id: agent.id,
    name: agent.name,
    command: [...masked.command],
    image: agent.image,
    // Where things lie on this machine is not part of what the agent is.
    definitionDigest: valueDigest({ ...masked, mounts: mounts.map(({ inside }) => inside) }),
    codeDigest: folder === null ? null : await folderDigest(folder),
  };
}

/** Replaces every occurrence of a secret in any text of a value by `***`. */
function maskSecrets<T>(value: T, secrets: readonly string[]): T {
  if (typeof value === "string") {
    let text: string = value;
    for (const secret of secrets) if (secret !== "") text = text.replaceAll(secret, "***");
    return text as T;
  }
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, secrets)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, maskSecrets(item, secrets)]);
  return Object.fromEntries(entries) as T;
}
