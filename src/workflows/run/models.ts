import type { AgentDefinition } from "../../agents/definition/agent.ts";
import { recordProblem } from "../../models/cassettes/record.ts";
import { loadModelsFile } from "../../models/config/load.ts";
import { findRunModels } from "../../models/find-models.ts";
import { USUAL_ACCESS } from "../../models/settings.ts";
import type { GroupSettings } from "../../trials/group/schema.ts";
import type { Problem } from "../../wording/problem.ts";
import type { RunRequest } from "./request.ts";

/** An agent without the model it needs would only say so itself, inside, after everything was started. */
export function missingModel(agent: AgentDefinition, request: RunRequest): Problem | null {
  if (Object.keys({ ...agent.models, ...request.models }).length > 0) return null;
  const asked = askedOfModels(request);
  const [competition] = request.competitions;
  const command = `mlebench run --agent ${agent.id} -c ${competition}`;
  if (agent.needsModel)
    return {
      code: "NO_MODEL",
      message: `${agent.id} asks a language model, and none is named.`,
      nextStep: `name one: ${command} --model anthropic:claude-sonnet-5; without a key: --model simulated:steady`,
    };
  if (asked === null) return null;
  return {
    code: "NO_MODEL",
    message: `${asked} is about models, and neither the run nor ${agent.id}'s definition names one.`,
    nextStep: `name one: ${command} --model <name>; or leave ${asked} out`,
  };
}

/** What was said about models, as the command line spells it. */
function askedOfModels({ modelAccess = {} }: RunRequest): string | null {
  const { trialLimits = {}, groupLimits = {}, record, providerTools } = modelAccess;
  for (const name of ["cost", "tokens", "calls"] as const)
    if (trialLimits[name] !== undefined || groupLimits[name] !== undefined) return `--max-${name}`;
  if (record != null) return "--record";
  return providerTools ? "--provider-tools" : null;
}

/**
 * Why the models that a run names cannot be used. A run that names one must never go on without it: what it measured
 * would not be what its settings say.
 */
export async function modelsProblem({
  models,
  modelAccess = USUAL_ACCESS,
}: Pick<GroupSettings, "models" | "modelAccess">): Promise<Problem | null> {
  const file = loadModelsFile(modelAccess.modelsFile);
  if ("code" in file) return file;
  const recording = modelAccess.record === null ? null : recordProblem(modelAccess.record);
  if (recording !== null) return recording;
  if (models === undefined) return null;
  const found = await findRunModels({ ...modelAccess, roles: models });
  return "code" in found ? found : null;
}
