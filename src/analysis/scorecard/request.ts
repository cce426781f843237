import fs from "node:fs";
import { z } from "zod";

const Budget = z.object({
  maxRuntimeSeconds: z.number().positive().optional(),
  maxPeakMemoryMb: z.number().positive().optional(),
});

/** What is asked of a scorecard; a request file holds any part of it. */
const ScorecardRequest = z.object({
  competitionIds: z.array(z.string()).min(1).optional(),
  seed: z.int().optional(),
  taskWeights: z.record(z.string(), z.number().positive()).default({}),
  resourceBudgets: Budget.extend({ perCompetition: z.record(z.string(), Budget).default({}) }).default({
    perCompetition: {},
  }),
  scoring: z
    .object({
      qualityMap: z.enum(["percentile", "calibrated"]).default("percentile"),
      strictArtifacts: z.boolean().default(false),
      replay: z.enum(["none", "declared", "execute"]).default("declared"),
    })
    .default({ qualityMap: "percentile", strictArtifacts: false, replay: "declared" }),
});
export type ScorecardRequest = z.infer<typeof ScorecardRequest>;

const DEFAULT_RUNTIME_SECONDS = 86_400;
const DEFAULT_MEMORY_MB = 450_560;

export interface Budgets {
  runtimeSeconds: number;
  memoryMb: number;
}

/** A competition's own budget wins over the general one, each figure for itself. */
export function budgetsOf({ resourceBudgets }: ScorecardRequest, competitionId: string): Budgets {
  const { perCompetition } = resourceBudgets;
  const own = Object.hasOwn(perCompetition, competitionId) ? perCompetition[competitionId] : {};
  return {
    runtimeSeconds: own.maxRuntimeSeconds ?? resourceBudgets.maxRuntimeSeconds ?? DEFAULT_RUNTIME_SECONDS,
    memoryMb: own.maxPeakMemoryMb ?? resourceBudgets.maxPeakMemoryMb ?? DEFAULT_MEMORY_MB,
  };
}

export function weightOf({ taskWeights }: ScorecardRequest, competitionId: string): number {
  return Object.hasOwn(taskWeights, competitionId) ? taskWeights[competitionId] : 1;
}

export type RequestOutcome = { ok: true; request: ScorecardRequest } | { ok: false; message: string };

/** Reads a request file; without one everything has its default. */
export function readRequest(file: string | undefined): RequestOutcome {
  let value: unknown = {};
  if (file !== undefined) {
    try {
      value = JSON.parse(fs.readFileSync(file, "utf8"));
    } catch (error) {
      return { ok: false, message: `${file} cannot be read as JSON (${(error as Error).message}).` };
    }
  }
  const parsed = ScorecardRequest.safeParse(value);
  if (parsed.success) return { ok: true, request: parsed.data };
  const [issue] = parsed.error.issues;
  return { ok: false, message: `${file}: ${issue.path.join(".") || "top level"}: ${issue.message}` };
}
