import { type Aggregate, aggregate } from "../../analysis/aggregate/aggregate.ts";
import { groupInsights } from "../../analysis/aggregate/group-insights.ts";
import { arrangeSeeds } from "../../analysis/aggregate/seeds.ts";
import { type ReportSource, readSource, type SourceOutcome } from "../../analysis/report-source.ts";
import { doubtsOf } from "../../analysis/reports.ts";
import { withPercentiles } from "../../analysis/statistics/percentiles.ts";
import { severalAgents } from "../../analysis/whose.ts";
import { catalogue } from "../../competitions/catalogue.ts";
import { resolveSplit } from "../../competitions/splits.ts";
import { DAY_HINT, isDay } from "../../wording/days.ts";
import type { Problem } from "../../wording/problem.ts";
import { orRefusal } from "../or-refusal.ts";
import { chooseCompetitions, competitionsIn } from "./choose.ts";

export type AggregateRequest = Omit<ReportSource, "runsDir"> & {
  /** The folder with `run_group_experiments.csv`, for `experimentId`. */
  runsDir?: string | undefined;
  /**
   * A split's name, a file of ids, or the ids. Unless told: split75 where the reports have any of it, since that is what is
   * published; otherwise all that they have.
   */
  split?: string | readonly string[] | undefined;
  /** Use the first so many only. */
  numSeeds?: number | undefined;
  /** Count missing runs as failed, instead of refusing. */
  padMissing?: boolean | undefined;
  /** A folder with the user's own competitions. */
  competitionsDir?: string | undefined;
  /** Where the model's training data end; what the trials' records say unless told. */
  cutoff?: string | undefined;
};

/** `skipped`: run groups without a report, each with a sentence. */
export type AggregateOutcome =
  | {
      status: "aggregated";
      result: Aggregate;
      /** What only run groups of ours tell; null for reports alone. */
      groups: Awaited<ReturnType<typeof groupInsights>>;
      skipped: string[];
      /** Why the decisions about these runs may not be all that were made. */
      doubts: string[];
    }
  | { status: "refused"; problem: Problem; skipped: string[] };

/** Turns the grading reports of several seeds into numbers with their uncertainty. */
export function aggregateReports(request: AggregateRequest): Promise<AggregateOutcome> {
  return orRefusal<AggregateOutcome>(
    () => readAndAggregate(request),
    (problem) => ({ status: "refused", problem, skipped: [] }),
  );
}

async function readAndAggregate(request: AggregateRequest): Promise<AggregateOutcome> {
  const source = readSource({ ...request, runsDir: request.runsDir ?? "runs" });
  const { skipped } = source;
  const { competitionsDir } = request;
  const refuse = (
    code: string,
    message: string,
    nextStep = "see: mlebench aggregate --help",
  ): AggregateOutcome => ({ status: "refused", problem: { code, message, nextStep }, skipped });
  const chosen = chooseCompetitions(request.split ?? usualSplit(source), () =>
    source.ok ? competitionsIn(source.reports) : [],
  );
  if (!chosen.ok) return refuse("UNKNOWN_SPLIT", chosen.message);
  if (!source.ok) return refuse("NO_REPORTS", source.message);
  const several = severalAgents(source.reports.map(({ file }) => file));
  if (several !== null)
    return refuse("SEVERAL_AGENTS", several, "aggregate each alone, or compare them: mlebench compare");
  const { numSeeds } = request;
  if (request.cutoff !== undefined && !isDay(request.cutoff))
    return refuse("BAD_DATE", `"${request.cutoff}" is not a day.`, DAY_HINT);
  if (numSeeds !== undefined && !(Number.isInteger(numSeeds) && numSeeds >= 1))
    return refuse("BAD_NUMBER", "numSeeds must be a whole number from 1.");
  const arranged = arrangeSeeds(await withPercentiles(source.reports, competitionsDir), {
    competitions: chosen.ids,
    numSeeds,
    padMissing: request.padMissing ?? false,
  });
  if (!arranged.ok) return refuse("INCOMPLETE", `${chosen.name}: ${arranged.message}`);
  const groups = await groupInsights(source.groups, chosen.ids, arranged.seeds.runs.length, competitionsDir);
  const cutoff = request.cutoff ?? groups?.cutoff ?? null;
  return {
    status: "aggregated",
    result: aggregate(chosen.name, arranged.seeds, await catalogue(competitionsDir), cutoff),
    groups,
    skipped,
    doubts: doubtsOf(source.reports),
  };
}

function usualSplit(source: SourceOutcome): string | undefined {
  const published = resolveSplit("split75");
  if (!source.ok || !published.ok) return undefined;
  return competitionsIn(source.reports).some((id) => published.ids.includes(id)) ? "split75" : undefined;
}
