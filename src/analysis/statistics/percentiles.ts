import { standing } from "../../leaderboards/standing.ts";
import { competitionFacts } from "../competition-facts.ts";
import type { ReadReport } from "../reports.ts";

/**
 * The original's reports hold scores, but not where these stand: that follows from each competition's board. Reports
 * of ours say it themselves, and what they leave open stays open.
 */
export async function withPercentiles(
  reports: readonly ReadReport[],
  competitionsDir?: string,
): Promise<ReadReport[]> {
  const lacking = reports.flatMap(({ runs }) => runs).filter(({ percentile }) => percentile === undefined);
  const facts = await competitionFacts(
    [...new Set(lacking.map((run) => run.competition_id))],
    competitionsDir,
  );
  return reports.map(({ file, runs }) => ({
    file,
    runs: runs.map((run) => {
      const board = facts.get(run.competition_id)?.leaderboard;
      if (run.percentile !== undefined || !run.valid_submission || !board) return run;
      return { ...run, percentile: standing(run.score ?? null, board)?.percentile ?? null };
    }),
  }));
}
