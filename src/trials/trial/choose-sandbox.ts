import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { defaultSystem } from "../../sandbox/default-system.ts";
import { runsImages, type SandboxKind } from "../../sandbox/kind.ts";
import { sandboxes } from "../../sandbox/kinds.ts";
import { enforcementNextStep } from "../../sandbox/limits/limit-policy.ts";
import type { Capabilities, LimitName } from "../../sandbox/sandbox.ts";
import type { Problem } from "../../wording/problem.ts";

type SandboxChoice =
  | { status: "chosen"; capabilities: Capabilities; notes: string[] }
  | ({ status: "refused" } & Problem);

/** An agent without an image runs best where the host's programs are. */
const PREFERENCE: readonly SandboxKind[] = ["bubblewrap", "podman", "docker"];

/**
 * The sandbox that a run asked for, or the best this machine has. `process` only if it was asked for, or where
 * nothing else works for an agent that comes with mlebench and runs its own code only: what nobody vouched for, be it an
 * agent or what a model tells ours to run, must not see the host.
 */
export async function chooseSandbox(
  wanted: SandboxKind | null,
  agent: AgentDefinition,
  runsOwnCodeOnly: boolean,
): Promise<SandboxChoice> {
  if (wanted !== null) {
    const capabilities = await sandboxes[wanted].probe();
    if (capabilities.problem !== null)
      return { status: "refused", code: "SANDBOX_MISSING", ...capabilities.problem };
    return { status: "chosen", capabilities, notes: [] };
  }
  if (agent.sandbox === "process")
    return {
      status: "refused",
      code: "NOT_ISOLATED",
      message: `The definition of ${agent.id} asks to run without isolation (sandbox: process); only you can decide that.`,
      nextStep: "take the line out; or, for an agent you trust with this machine: --sandbox process",
    };
  const usable = agent.image === null ? PREFERENCE : PREFERENCE.slice(1);
  const kinds = agent.sandbox === null ? usable : [agent.sandbox, ...usable];
  const problems: string[] = [];
  for (const kind of new Set(kinds)) {
    const capabilities = await sandboxes[kind].probe();
    const problem = capabilities.problem ?? (await imageProblem(kind, agent));
    if (problem === null) return { status: "chosen", capabilities, notes: problems };
    problems.push(`${kind}: ${problem.message} (${problem.nextStep})`);
  }
  if (runsOwnCodeOnly) {
    const capabilities = await sandboxes.process.probe();
    const notes = [
      ...problems,
      "no sandbox works here: this agent comes with mlebench and runs without isolation, which its record says",
    ];
    if (capabilities.problem === null) return { status: "chosen", capabilities, notes };
  }
  return {
    status: "refused",
    code: "SANDBOX_MISSING",
    message: `No sandbox works here: ${problems.join("; ")}`,
    nextStep: "install one, or run an agent you trust without isolation: --sandbox process",
  };
}

async function imageProblem(kind: SandboxKind, { image }: AgentDefinition): Promise<Capabilities["problem"]> {
  if (!runsImages(kind) || image !== null) return null;
  if ((await defaultSystem(kind)).image !== null) return null;
  return { message: "it has no image to run the agent in", nextStep: "mlebench env build --light" };
}

/** What was asked for explicitly and cannot be had here; wishes are only recorded as not met. */
export function unmetRequirement(
  { kind, limits, networks }: Capabilities,
  required: readonly LimitName[],
  network: "none" | "allow-list" | "open" | null,
): Problem | null {
  const limit = required.find((name) => limits[name] !== "enforced");
  if (limit !== undefined)
    return {
      code: "LIMIT_NOT_ENFORCEABLE",
      message: `${kind} cannot enforce ${LIMIT_NAMES[limit]} on this machine.`,
      nextStep: `${enforcementNextStep(kind, limit)}; or leave the option out: the default is only watched`,
    };
  if (network !== null && !networks.includes(network))
    return {
      code: "NETWORK_NOT_ENFORCEABLE",
      message: `${kind} cannot give an agent the network "${network}" on this machine.`,
      nextStep: "use a sandbox that can: --sandbox bubblewrap",
    };
  return null;
}

const LIMIT_NAMES: Record<LimitName, string> = {
  memoryBytes: "a memory limit",
  cpus: "a limit of processors",
  processes: "a limit of processes",
  diskBytes: "a disk limit",
};
