import path from "node:path";
import { z } from "zod";
import { readPlainText } from "../../../files/plain-file.ts";

/** What we read of a Harbor job; everything else passes, and everything may be missing: it is somebody else's record. */
const Moment = z.string().nullish();
const Span = z.looseObject({ started_at: Moment, finished_at: Moment }).nullish();

export const HarborTrialResult = z.looseObject({
  task_name: z.string(),
  trial_name: z.string(),
  task_id: z.looseObject({ path: z.string().nullish(), name: z.string().nullish() }).nullish(),
  task_checksum: z.string().nullish(),
  agent_info: z
    .looseObject({
      name: z.string(),
      version: z.string().nullish(),
      model_info: z.looseObject({ name: z.string(), provider: z.string().nullish() }).nullish(),
    })
    .nullish(),
  agent_result: z
    .looseObject({
      n_input_tokens: z.number().nullish(),
      n_cache_tokens: z.number().nullish(),
      n_output_tokens: z.number().nullish(),
      cost_usd: z.number().nullish(),
    })
    .nullish(),
  verifier_result: z.looseObject({ rewards: z.record(z.string(), z.number()).nullish() }).nullish(),
  verifier_environment_mode: z.string().nullish(),
  exception_info: z.looseObject({ exception_type: z.string(), exception_message: z.string() }).nullish(),
  started_at: Moment,
  finished_at: Moment,
  agent_execution: Span,
});
export type HarborTrialResult = z.infer<typeof HarborTrialResult>;

/** `harbor.json` in the folder of a trial that was taken over: what Harbor says of it, and what was found. */
export const ImportedTrial = z.object({
  schema: z.literal("mlebench/imported-harbor-trial"),
  version: z.literal(1),
  job: z.string(),
  trialName: z.string(),
  taskChecksum: z.string().nullable(),
  agent: z.object({ name: z.string(), version: z.string().nullable(), model: z.string().nullable() }),
  /** As Harbor wrote them down: nothing here was measured by us. */
  declared: z.object({
    rewards: z.record(z.string(), z.number()).nullable(),
    verifierMode: z.string().nullable(),
    inputTokens: z.number().nullable(),
    cachedTokens: z.number().nullable(),
    outputTokens: z.number().nullable(),
    cost: z.number().nullable(),
    startedAt: z.string().nullable(),
    finishedAt: z.string().nullable(),
    exception: z.string().nullable(),
  }),
  submission: z.object({ sha256: z.string(), bytes: z.number() }).nullable(),
  grade: z.enum(["recomputed", "declared", "none"]),
  notes: z.array(z.string()),
});
export type ImportedTrial = z.infer<typeof ImportedTrial>;

/** What a trial's folder says of where it came from; null for one that was not taken over. */
export function importedTrial(folder: string): ImportedTrial | null {
  try {
    return ImportedTrial.parse(JSON.parse(readPlainText(path.join(folder, "harbor.json"))));
  } catch {
    return null;
  }
}
