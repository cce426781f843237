import type { AgentDefinition, AgentOutcome } from "../agents/definition/agent.ts";
import { runsOwnCodeOnly } from "../agents/definition/built-in.ts";
import { type ListedAgent, resolveListed } from "../agents/definition/load-definitions.ts";
import { unknownFields } from "../agents/definition/schema.ts";
import { USUAL_ACCESS } from "../models/settings.ts";
import type { SandboxKind } from "../sandbox/kind.ts";
import { chooseSandbox, unmetRequirement } from "../trials/trial/choose-sandbox.ts";
import { commandProblem } from "./check-command.ts";
import { modelsProblem } from "./run/models.ts";

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

/** Everything about an agent that can be found out without starting it: secrets, program, models, sandbox. */
export async function checkAgent(
  listed: ListedAgent,
  { modelsFile = null }: { modelsFile?: string | null } = {},
): Promise<AgentCheck> {
  const { id, file, entry } = listed;
  const check: AgentCheck = {
    id,
    file,
    sandbox: null,
    problems: [],
    notes: unknownFields(entry),
    notInstalled: false,
  };
  const resolved: AgentOutcome = resolveListed(listed);
  if (resolved.status !== "found") {
    const notInstalled =
      resolved.status === "refused" && resolved.nextStep.startsWith("install it: mlebench agents install");
    return { ...check, problems: [resolved], notInstalled };
  }
  check.notes.push(...resolved.notes.filter((note) => !note.includes("nothing reads its field")));
  const place = await placeFor(resolved, check.notes);
  if (place.sandbox !== null) {
    const missing = await commandProblem(resolved.agent, place.sandbox);
    if (missing !== null) place.problems.push(missing);
  }
  const { models, needsModel } = resolved.agent;
  if (models !== undefined) {
    const wrong = await modelsProblem({ models, modelAccess: { ...USUAL_ACCESS, modelsFile } });
    if (wrong !== null) place.problems.push(wrong);
  } else if (needsModel) place.notes.push(`it needs a model: mlebench run --agent ${id} --model <name>`);
  if (place.sandbox !== null && place.sandbox !== "process") place.notes.push(...resolved.mountNotes);
  return { ...check, ...place };
}

async function placeFor(
  { agent, file }: { agent: AgentDefinition; file: string },
  notes: readonly string[],
): Promise<Pick<AgentCheck, "sandbox" | "problems" | "notes">> {
  const choice = await chooseSandbox(null, agent, runsOwnCodeOnly(file));
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
