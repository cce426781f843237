import { dataFolder } from "../data/place/data-folder.ts";
import type { PrepareOptions } from "../data/prepare/competition.ts";
import { type PrepareManyOptions, prepareMany } from "../data/prepare/many.ts";
import type { PrepareOutcome } from "../data/prepare/outcome.ts";

export type PrepareRequest = Partial<Omit<PrepareOptions, "competitionId">> & {
  competitions: readonly string[];
};

export type PrepareControl = Partial<PrepareManyOptions>;

const JOBS = 2;
const NEVER = new AbortController().signal;

/** Gets and prepares competitions; the outcomes are in the order given. Safe to interrupt and to repeat. */
export function prepare(
  { competitions, dataDir, ...same }: PrepareRequest,
  control: PrepareControl = {},
): Promise<PrepareOutcome[]> {
  const where = dataFolder(dataDir);
  return prepareMany(
    competitions.map((competitionId) => ({
      competitionVersion: "v1" as const,
      ...same,
      competitionId,
      dataDir: where,
    })),
    {
      jobs: JOBS,
      signal: NEVER,
      onProgress: () => {},
      onNote: () => {},
      onOutcome: () => {},
      ...control,
    },
  );
}
