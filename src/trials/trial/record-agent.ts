import { readInstalled } from "../../agents/coding/installed.ts";
import { PROGRAM_INSIDE } from "../../agents/coding/programs.ts";
import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { folderDigest } from "../../files/folder-digest.ts";
import { runEngine } from "../../sandbox/container/engine.ts";
import { runsImages, type SandboxKind } from "../../sandbox/kind.ts";
import { maskText } from "../../wording/secrets.ts";
import { valueDigest } from "../certificate/canonical-json.ts";
import type { RecordedAgent } from "./schema.ts";

/**
 * The agent as the record shows it: with digests of its definition, its code and its image, and without its secrets.
 * `image` is what the run uses, be it the agent's own or another.
 */
export async function recordAgent(
  agent: AgentDefinition,
  { sandbox, image }: { sandbox: SandboxKind; image: string | null },
): Promise<RecordedAgent> {
  // Digests of groups that are older than `secretFiles` must stay what they were; the command names the files.
  const { secrets, secretFiles: _, folder, mounts, ...definition } = agent;
  const masked = maskSecrets(definition, secrets);
  return {
    id: agent.id,
    name: agent.name,
    command: [...masked.command],
    image,
    imageDigest: image === null ? null : await imageDigest(sandbox, image),
    // Where things lie on this machine is not part of what the agent is.
    definitionDigest: valueDigest({ ...masked, mounts: mounts.map(({ inside }) => inside) }),
    codeDigest: folder === null ? null : await folderDigest(folder),
    ...programOf(agent),
    ...(agent.asksForPrivileges ? { privilegesDenied: true } : {}),
  };
}

/** A variable of the same name in a definition of one's own says nothing: only what was installed is mounted there. */
function programOf({ env, mounts }: AgentDefinition): Pick<RecordedAgent, "program"> {
  const { MLEBENCH_PROGRAM: name, MLEBENCH_PROGRAM_INTEGRITY: integrity } = env;
  const mount = mounts.find(({ inside }) => inside === PROGRAM_INSIDE);
  if (mount === undefined || name === undefined || integrity === undefined) return {};
  const { lockDigest: packages, files } = readInstalled(mount.host) ?? {};
  const digests = { ...(packages && { packages }), ...(files && { files: files.digest }) };
  return { program: { name, integrity, ...digests } };
}

/** Null when the engine does not know the image: the sandbox will say so when it is to be started. */
async function imageDigest(engine: SandboxKind, image: string): Promise<string | null> {
  if (!runsImages(engine)) return null;
  const { code, stdout } = await runEngine(engine, ["image", "inspect", "--format", "{{.Id}}", image]);
  return code === 0 ? stdout.trim() : null;
}

/** Replaces every occurrence of a secret in any text of a value by `***`. */
export function maskSecrets<T>(value: T, secrets: readonly string[]): T {
  if (typeof value === "string") {
    return maskText(value, secrets) as T;
  }
  if (Array.isArray(value)) return value.map((item) => maskSecrets(item, secrets)) as T;
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, maskSecrets(item, secrets)]);
  return Object.fromEntries(entries) as T;
}
