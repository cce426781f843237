import { type Aggregate, aggregate } from "../../analysis/aggregate/aggregate.ts";
import { groupInsights } from "../../analysis/aggregate/group-insights.ts";
import { arrangeSeeds } from "../../analysis/aggregate/seeds.ts";
import { type ReportSource, readSource } from "../../analysis/report-source.ts";
import { withPercentiles } from "../../analysis/statistics/percentiles.ts";
import { catalogue } from "../../competitions/catalogue.ts";
import type { Problem } from "../../wording/problem.ts";
import { chooseCompetitions, competitionsIn } from "./choose.ts";

export type AggregateRequest = Omit<ReportSource, "runsDir"> & {
  /** The folder with `run_group_experiments.csv`, for `experimentId`. */
  runsDir?: string | undefined;
  /** A split's name, a file of ids, or the ids; all that the reports have unless told. */
  split?: string | readonly string[] | undefined;
  /** Use the first so many only. */
  numSeeds?: number | undefined;
  /** Count missing runs as failed, instead of refusing. */
  padMissing?: boolean | undefined;
  /** A folder with the user's own competitions. */
  competitionsDir?: string | undefined;
};

/** `skipped`: run groups without a report, each with a sentence. */
export type AggregateOutcome =
  | {
      status: "aggregated";
      result: Aggregate;
      /** What only run groups of ours tell; null for reports alone. */
      groups: Awaited<ReturnType<typeof groupInsights>>;
      skipped: string[];
    }
  | { status: "refused"; problem: Problem; skipped: string[] };

/** Turns the grading reports of several seeds into numbers with their uncertainty. */
export async function aggregateReports(request: AggregateRequest): Promise<AggregateOutcome> {
  const source = readSource({ ...request, runsDir: request.runsDir ?? "runs" });
  const { skipped } = source;
  const { competitionsDir } = request;
  const refuse = (code: string, message: string): AggregateOutcome => ({
    status: "refused",
    problem: { code, message, nextStep: "see: mlebench aggregate --help" },
    skipped,
  });
  const chosen = chooseCompetitions(request.split, () => (source.ok ? competitionsIn(source.reports) : []));
  if (!chosen.ok) return refuse("UNKNOWN_SPLIT", chosen.message);
  if (!source.ok) return refuse("NO_REPORTS", source.message);
  const arranged = arrangeSeeds(await withPercentiles(source.reports, competitionsDir), {
    competitions: chosen.ids,
    numSeeds: request.numSeeds,
    padMissing: request.padMissing ?? false,
  });
  if (!arranged.ok) return refuse("INCOMPLETE", `${chosen.name}: ${arranged.message}`);
  return {
    status: "aggregated",
    result: aggregate(chosen.name, arranged.seeds, await catalogue(competitionsDir)),
    groups: await groupInsights(source.groups, chosen.ids, arranged.seeds.runs.length, competitionsDir),
    skipped,
  };
}
