import { withVerdicts } from "../../analysis/circumstances.ts";
import { collectResults, type Results } from "../../analysis/results.ts";
import { readRecords } from "../../analysis/trial-records.ts";
import { trialSummary } from "../../analysis/trial-summary.ts";
import { type TrialUsages, usagesOf } from "../../analysis/usage/over-time.ts";
import type { Leaderboard } from "../../leaderboards/leaderboard-schema.ts";
import { type StandingPoint, standingChart } from "./charts/standing.ts";
import type { Markup } from "./markup.ts";
import { comparisonSection } from "./sections/comparison.ts";
import { failureSection } from "./sections/failures.ts";
import { footer, trialTable } from "./sections/footer.ts";
import { grid } from "./sections/grid.ts";
import { headline } from "./sections/headline.ts";
import { models } from "./sections/models.ts";
import { resources, usageOverTime } from "./sections/resources.ts";
import { standings } from "./sections/standing.ts";
import { timelines } from "./sections/time.ts";

type Cell = string | number | null;

/** A part of the report: markup that is escaped already, and the data that its charts draw, with a heading. */
export interface ReportPart {
  markup: string;
  csv: Cell[][];
}

/** The parts of the report for the viewer, which shows the very same. */
export interface ReportParts {
  parts: ReportPart[];
}

export type PartsOutcome = { ok: true; value: ReportParts } | { ok: false; message: string };

export async function reportParts(
  places: readonly string[],
  { competitionsDir, compare }: { competitionsDir?: string | undefined; compare: boolean },
): Promise<PartsOutcome> {
  const read = readRecords(places);
  if (!read.ok) return read;
  const results = await collectResults(await withVerdicts(read.agents), read.notes, {
    title: "",
    competitionsDir,
    now: new Date(),
  });
  const usages = usagesOf(results);
  const overTime: Section = [(all) => usageOverTime(all, usages), () => usageRows(usages)];
  const time: Section = [timelines, versionRows];
  const ofOne: Section[] = [[headline], [standings], time, [resources], overTime];
  const ofSeveral: Section[] = [[headline], [comparisonSection], [grid], [standings], time, overTime];
  // The viewer shows the trials of one group as a table of its own.
  const ofBoth: Section[] = [
    [models],
    [failureSection],
    ...(compare ? [[trialTable] as Section] : []),
    [footer],
  ];
  const sections = [...(compare ? ofSeveral : ofOne), ...ofBoth];
  const parts = sections.map(([draw, rows = trialRows]) => ({
    markup: draw(results).markup,
    csv: rows(results),
  }));
  return { ok: true, value: { parts: parts.filter(({ markup }) => markup !== "") } };
}

type Section = [(results: Results) => Markup, ((results: Results) => Cell[][])?];

/** Every trial in numbers. */
function trialRows({ agents }: Results): Cell[][] {
  const heading = ["agent", "competition", "seed", "result", "score", "percentile"];
  const trials = agents.flatMap(({ rows }) =>
    rows.flat().flatMap((record) => (record === null ? [] : [trialSummary(record)])),
  );
  return [
    [...heading, "seconds", "memory bytes", "processor seconds", "bytes written", "cost"],
    ...trials.map((one) => [
      ...[one.agent, one.competitionId, one.seed, one.state, one.score, one.percentile],
      ...[one.wallSeconds, one.peakMemoryBytes, one.cpuSeconds, one.bytesWritten, one.modelCost],
    ]),
  ];
}

/** Every version of every submission as it came. */
function versionRows({ agents }: Results): Cell[][] {
  return [
    ["agent", "competition", "seed", "seconds", "score", "percentile"],
    ...agents.flatMap(({ name, rows }) =>
      rows
        .flat()
        .flatMap((record) =>
          (record?.timeline ?? []).map((point) => [
            ...[name, record!.competitionId, record!.seed, point.elapsedSeconds],
            ...[point.score ?? null, point.percentile ?? null],
          ]),
        ),
    ),
  ];
}

/** What every trial that is drawn used, moment by moment. */
function usageRows({ trials }: TrialUsages): Cell[][] {
  return [
    ["agent", "competition", "seed", "seconds", "memory bytes", "processors"],
    ...trials.flatMap(({ agent, competitionId, seed, points }) =>
      points.map((point) => [
        ...[agent, competitionId, seed, point.seconds, point.memoryBytes],
        point.processors === null ? null : Number(point.processors.toFixed(3)),
      ]),
    ),
  ];
}

/** A competition's field with scores on it. */
export function fieldChart(board: Leaderboard, points: readonly StandingPoint[], label: string): string {
  return standingChart(board, points, label).markup;
}
