import type { AgentDefinition, AgentOutcome } from "../agents/definition/agent.ts";
import { isBuiltIn } from "../agents/definition/built-in.ts";
import type { ListedAgent } from "../agents/definition/load-definitions.ts";
import { resolveEntry } from "../agents/definition/resolve-entry.ts";
import { unknownFields } from "../agents/definition/schema.ts";
import type { SandboxKind } from "../sandbox/kind.ts";
import { chooseSandbox, unmetRequirement } from "../trials/trial/choose-sandbox.ts";

export interface AgentCheck {
  id: string;
  file: string;
  /** Where it would run; null when it would not. */
  sandbox: SandboxKind | null;
  /** Each keeps it from running, and says what to do. */
  problems: { message: string; nextStep: string }[];
  notes: string[];
  /** It only waits for `agents install`: nothing is wrong with it. */
  notInstalled: boolean;
}

/** Everything about an agent that can be found out without starting it. */
export async function checkAgent(listed: ListedAgent): Promise<AgentCheck> {
  const { id, file, entry } = listed;
  const check: AgentCheck = {
    id,
    file,
    sandbox: null,
    problems: [],
    notes: unknownFields(entry),
    notInstalled: false,
  };
  const resolved: AgentOutcome = resolveEntry(entry, listed);
  if (resolved.status !== "found") {
    const notInstalled =
      resolved.status === "refused" && resolved.nextStep.startsWith("install it: mlebench agents install");
    return { ...check, problems: [resolved], notInstalled };
  }
  check.notes.push(...resolved.notes.filter((note) => !note.includes("nothing reads its field")));
  const place = await placeFor(resolved, check.notes);
  if (place.sandbox !== null && place.sandbox !== "process") place.notes.push(...resolved.mountNotes);
  return { ...check, ...place };
}

async function placeFor(
  { agent, file }: { agent: AgentDefinition; file: string },
  notes: readonly string[],
): Promise<Pick<AgentCheck, "sandbox" | "problems" | "notes">> {
  const choice = await chooseSandbox(null, agent, isBuiltIn(file));
  if (choice.status === "refused") return { sandbox: null, problems: [choice], notes: [...notes] };
  const { capabilities } = choice;
  // Without isolation the network is not restricted either, and the notes say so.
  const unmet = unmetRequirement(capabilities, [], capabilities.isolated ? agent.network.mode : null);
  return {
    sandbox: unmet === null ? capabilities.kind : null,
    problems: unmet === null ? [] : [unmet],
    notes: [...notes, ...choice.notes],
  };
}
