import type { GroupSettings } from "../../trials/group/schema.ts";
import type { Problem } from "../../wording/problem.ts";

/**
 * Why the models that a run names cannot be used. A run that names one must never go on without it: what it measured
 * would not be what its settings say.
 */
export function modelsProblem({ models = {} }: Pick<GroupSettings, "models">): Problem | null {
  const [name] = Object.values(models);
  if (name === undefined) return null;
  return {
    code: "NO_MODELS",
    message: `The model "${name}" cannot be used: this version has no door to models.`,
    nextStep: "run an agent that needs none",
  };
}
