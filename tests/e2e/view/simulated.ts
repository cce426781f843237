import fs from "node:fs";
import path from "node:path";
import type { RecordedModels } from "../../../src/models/settings.ts";
import { plantGroup } from "../report/planted-group.ts";

/** A finished group on one competition whose model the record calls a language model, or not. Returns its id. */
export function plantWithModel(runs: string, agent: string, languageModel: boolean): string {
  const folder = plantGroup(runs, agent, [{ competitionId: "leaf-classification", seed: 0 }]);
  const file = path.join(folder, "leaf-classification_000000", "trial.json");
  const role = { role: "default", name: "a model", id: "m", languageModel, price: null, priceSource: null };
  const modelAccess: RecordedModels = {
    roles: [role],
    limits: { trial: {}, group: {} },
    providerTools: "refused",
    transcripts: "full",
    providerToolsRefused: {},
  };
  const trial = JSON.parse(fs.readFileSync(file, "utf8")) as object;
  fs.writeFileSync(file, JSON.stringify({ ...trial, modelAccess }));
  return path.basename(folder);
}
