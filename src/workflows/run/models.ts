import { recordProblem } from "../../models/cassettes/record.ts";
import { loadModelsFile } from "../../models/config/load.ts";
import { findRunModels } from "../../models/run-models.ts";
import { USUAL_ACCESS } from "../../models/settings.ts";
import type { GroupSettings } from "../../trials/group/schema.ts";
import type { Problem } from "../../wording/problem.ts";

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
