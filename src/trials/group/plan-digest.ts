import { valueDigest } from "../certificate/canonical-json.ts";
import type { RunGroup } from "./schema.ts";

/**
 * What a group set out to do, in one hash: every trial with its id, competition and seed, the agent and the data. It is
 * in each trial's record from the first moment, so that a trial left out or added later shows.
 */
export function planDigest({ name, createdAt, agentDigest, data, settings, trials }: RunGroup): string {
  return valueDigest({
    schema: "mlebench/plan",
    name,
    createdAt,
    agentDigest,
    data: data ?? null,
    competitionVersion: settings.competitionVersion,
    trials: trials.map(({ id, competitionId, seed }) => ({ id, competitionId, seed })),
  });
}
