import { z } from "zod";
import { TRANSCRIPT_MODES } from "./transcripts/store.ts";

const Limits = z.object({
  /** USD. */
  cost: z.number().positive().optional(),
  tokens: z.int().positive().optional(),
  calls: z.int().positive().optional(),
});

/** How a run may ask its models. Stands in the plan of a run group; keys never do. */
export const ModelAccess = z.object({
  /** Null: there is none. */
  modelsFile: z.string().nullable(),
  trialLimits: Limits,
  groupLimits: Limits,
  /** Tools that run at the provider: web search, code execution, remote MCP. */
  providerTools: z.boolean(),
  transcripts: z.enum(TRANSCRIPT_MODES),
  /** Where to record to. */
  record: z.string().nullable(),
});
export type ModelAccess = z.infer<typeof ModelAccess>;

/** Which models a run may ask, by role, and how. `default` is for whoever names no role. */
export type ModelSettings = ModelAccess & { roles: Record<string, string> };

export const USUAL_ACCESS: ModelAccess = {
  modelsFile: null,
  trialLimits: {},
  groupLimits: {},
  providerTools: false,
  transcripts: "full",
  record: null,
};

/** What a record says about the models of a trial; what they cost stands beside it. */
export const RecordedModels = z.object({
  roles: z.array(
    z.object({
      role: z.string(),
      /** `anthropic:claude-sonnet-5`. */
      name: z.string(),
      /** What the agent called it. */
      id: z.string(),
      /** False for models that need no network: what they did is not a language model's result. */
      languageModel: z.boolean(),
      /** USD per million tokens; null where it is not known. */
      price: z.unknown().nullable(),
      priceSource: z.string().nullable(),
      /** Where its training data end; absent where nobody says. */
      cutoff: z.string().optional(),
    }),
  ),
  limits: z.object({ trial: Limits, group: Limits }),
  providerTools: z.enum(["allowed", "refused"]),
  transcripts: z.enum(TRANSCRIPT_MODES),
  /** What was taken out of requests because it would have run at the provider, and how often. */
  providerToolsRefused: z.record(z.string(), z.int()),
});
export type RecordedModels = z.infer<typeof RecordedModels>;
