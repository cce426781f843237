import { z } from "zod";

/**
 * ATIF-v1.7, the trajectories of Harbor. Its own reader refuses unknown keys, so we write none; as a reader we let them
 * pass, because trajectories of later versions have more.
 */
const Part = z.looseObject({ type: z.string(), text: z.string().optional() });
const Content = z.union([z.string(), z.array(Part)]);

const ToolCall = z.looseObject({
  tool_call_id: z.string(),
  function_name: z.string(),
  arguments: z.record(z.string(), z.unknown()),
});

const Metrics = z.looseObject({
  prompt_tokens: z.number().nullish(),
  completion_tokens: z.number().nullish(),
  /** A part of the prompt's. */
  cached_tokens: z.number().nullish(),
  cost_usd: z.number().nullish(),
});

const Result = z.looseObject({ source_call_id: z.string().nullish(), content: Content.nullish() });

export const AtifStep = z.looseObject({
  step_id: z.int().min(1),
  timestamp: z.string().nullish(),
  source: z.enum(["system", "user", "agent"]),
  message: Content,
  model_name: z.string().nullish(),
  reasoning_content: z.string().nullish(),
  tool_calls: z.array(ToolCall).nullish(),
  metrics: Metrics.nullish(),
  observation: z.looseObject({ results: z.array(Result) }).nullish(),
  /** 0: no model was asked for this step. */
  llm_call_count: z.int().nullish(),
  is_copied_context: z.boolean().nullish(),
  extra: z.record(z.string(), z.unknown()).nullish(),
});
export type AtifStep = z.infer<typeof AtifStep>;

export const Trajectory = z.looseObject({
  schema_version: z.string().regex(/^ATIF-v\d+\.\d+$/),
  session_id: z.string().nullish(),
  agent: z.looseObject({
    name: z.string(),
    version: z.string(),
    model_name: z.string().nullish(),
  }),
  steps: z.array(AtifStep).min(1),
  notes: z.string().nullish(),
  final_metrics: z
    .looseObject({
      total_prompt_tokens: z.number().nullish(),
      total_completion_tokens: z.number().nullish(),
      total_cached_tokens: z.number().nullish(),
      total_cost_usd: z.number().nullish(),
      total_steps: z.int().nullish(),
    })
    .nullish(),
  extra: z.record(z.string(), z.unknown()).nullish(),
});
export type Trajectory = z.infer<typeof Trajectory>;
