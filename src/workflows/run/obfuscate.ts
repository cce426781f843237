import path from "node:path";
import { modelClient } from "../../agents/kit/model-client.ts";
import { loadCompetition } from "../../competitions/catalogue.ts";
import { disguisedText } from "../../data/disguise/disguise.ts";
import {
  keepRewritten,
  readRewritten,
  rewriteDigest,
  rewriteText,
  textFolder,
} from "../../data/disguise/rewrite.ts";
import { VERSION } from "../../grading/version.ts";
import { openRunModels, type RunModels } from "../../models/run-models.ts";
import { USUAL_ACCESS } from "../../models/settings.ts";
import type { GroupSettings } from "../../trials/group/schema.ts";
import { disguiseSource } from "../../trials/group/shared.ts";
import type { RunProblem, RunRequest } from "./request.ts";

const PATIENCE_MS = 24 * 3600_000;

type Hidden = { settings: GroupSettings; notes: string[] };

/**
 * Has the descriptions of a run written anew by the model that `obfuscate` names, before the plan is made: its settings
 * name each text by its digest, so that trials on other machines, and the rest of a stopped run, use the same ones.
 */
export async function rewriteDescriptions(
  { obfuscate, competitions, modelAccess }: RunRequest,
  settings: GroupSettings,
  interrupted?: AbortSignal,
): Promise<Hidden | RunProblem> {
  if (typeof obfuscate !== "string") return { settings, notes: [] };
  const model = obfuscate.replace(
    /^(scripted|recorded):(.+)$/s,
    (_, kind, file) => `${kind}:${path.resolve(file)}`,
  );
  const models = await openRunModels(
    { ...USUAL_ACCESS, roles: { default: model }, modelsFile: modelAccess?.modelsFile ?? null },
    { mlebenchVersion: VERSION },
  );
  if ("code" in models) return { ...models, stage: "usage" };
  const texts: Record<string, string> = {};
  const notes: string[] = [];
  let asked = 0;
  for (const id of competitions) {
    if (interrupted?.aborted)
      return problem("INTERRUPTED", "The run was interrupted before it began.", "start it again");
    const loaded = await loadCompetition(id, settings.competitionsDir ?? undefined);
    if (loaded === null) continue;
    const source = disguiseSource(settings, loaded);
    const { text, rules } = disguisedText(source);
    // Nothing to write anew: the rules have only names and columns to hide.
    if (text === null) continue;
    const digest = rewriteDigest(text, model);
    texts[id] = digest;
    if (readRewritten(source.place, digest) !== null) continue;
    const made = await askOnce(models, textFolder(source.place, digest), (ask) =>
      rewriteText(ask, text, rules),
    );
    asked++;
    if (made.status === "failed")
      return problem(
        "NOT_REWRITTEN",
        `${model} did not rewrite the description of ${id}: ${made.message}.`,
        "name another model, or leave it out: --obfuscate alone uses the rules",
      );
    keepRewritten(source.place, {
      digest,
      model,
      languageModel: made.languageModel,
      text: made.text,
      broughtBack: made.broughtBack,
    });
    if (made.broughtBack.length > 0)
      notes.push(
        `${model} named ${made.broughtBack.join(", ")} in the text of ${id}; that was taken out again`,
      );
  }
  const kept = Object.keys(texts).length - asked;
  notes.push(`descriptions in the words of ${model}: ${asked} written now, ${kept} kept from before`);
  return { settings: { ...settings, rewritten: { model, texts } }, notes };
}

/** Through a gateway of its own: metered, and kept beside the text. */
async function askOnce<T>(
  models: RunModels,
  folder: string,
  work: (ask: (prompt: string) => Promise<string | { message: string }>) => Promise<T>,
): Promise<T & { languageModel: boolean }> {
  const gateway = await models.openGateway({
    listen: { port: 0, host: "127.0.0.1" },
    folder: path.join(folder, "model"),
    lane: "obfuscation",
    seed: 0,
    places: [],
    remainingMs: PATIENCE_MS,
    secrets: [],
    withToken: true,
  });
  try {
    const client = modelClient({ url: gateway.url!, token: gateway.token!, model: gateway.models[0].id });
    const made = await work(async (content) => {
      const answer = await client([{ role: "user", content }], []);
      return answer.status === "answered" ? answer.text : { message: answer.message };
    });
    return { ...made, languageModel: gateway.record().roles.every((role) => role.languageModel) };
  } finally {
    await gateway.close();
  }
}

function problem(code: string, message: string, nextStep: string): RunProblem {
  return { code, message, nextStep, stage: "machine" };
}
