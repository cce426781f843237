import { catalogue } from "../competitions/catalogue.ts";
import { VERSION } from "../grading/version.ts";
import { isDisqualified } from "../integrity/findings/of-trial.ts";
import { plural } from "../wording/counts.ts";
import { type Aggregate, aggregate } from "./aggregate/aggregate.ts";
import { recordedDeviations } from "./aggregate/canonical-setup.ts";
import type { Seeds } from "./aggregate/seeds.ts";
import { type CircumstanceSummary, summarise } from "./circumstances.ts";
import { type Comparison, compare, directionsOf } from "./compare/compare.ts";
import { type CompetitionFacts, competitionFacts } from "./competition-facts.ts";
import { asDisqualified } from "./disqualification.ts";
import { classifyFailures, type Failures } from "./failures/failures.ts";
import { byText } from "./reports.ts";
import { type AgentRecords, recordedCutoff, type TrialRecord } from "./trial-records.ts";

/** One agent's trials, laid out as competitions × seeds. */
export interface AgentResults {
  name: string;
  /** `rows[competition][column]`, competitions as in the results; null where a trial is missing. */
  rows: (TrialRecord | null)[][];
  /** How many trials the best-covered competition has. */
  columns: number;
  aggregate: Aggregate;
  /** In words, every way in which its set-up was not the canonical one. */
  deviations: string[];
  /** In what its trials ran, and what verify says of them. */
  circumstances: CircumstanceSummary;
}

/** Everything a report shows, whatever it looks like. */
export interface Results {
  schema: "mlebench/results";
  version: 1;
  title: string;
  createdAt: string;
  mlebenchVersion: string;
  competitions: CompetitionFacts[];
  agents: AgentResults[];
  failures: Failures;
  comparison: { a: string; b: string; result: Comparison } | null;
  /** What a reader might take for granted and is not there. */
  missing: string[];
}

export interface ResultsOptions {
  title: string;
  /** Two agents; the first two when left out. */
  compare?: readonly [string, string] | undefined;
  competitionsDir?: string | undefined;
  /** Where the models' training data end; what the trials' records say unless told. */
  cutoff?: string | undefined;
  now: Date;
}

/** Brings records together with all that is computed from them. Missing trials are counted as failed, and named. */
export async function collectResults(
  agents: readonly AgentRecords[],
  notes: readonly string[],
  options: ResultsOptions,
): Promise<Results> {
  const ids = [
    ...new Set(agents.flatMap(({ records }) => records.map(({ competitionId }) => competitionId))),
  ].sort(byText);
  const facts = await competitionFacts(ids, options.competitionsDir);
  const entries = await catalogue(options.competitionsDir);
  const laidOut = agents.map((agent) => {
    const rows = layOut(agent.records, ids);
    const seeds = seedsOf(rows, ids);
    return { name: agent.name, rows, seeds, columns: seeds.runs.length };
  });
  const pair = options.compare ?? (laidOut.length > 1 ? [laidOut[0].name, laidOut[1].name] : null);
  const [a, b] = (pair ?? []).map((name) => laidOut.find((agent) => agent.name === name));
  return {
    schema: "mlebench/results",
    version: 1,
    title: options.title,
    createdAt: options.now.toISOString(),
    mlebenchVersion: VERSION,
    competitions: ids.map((id) => facts.get(id)!),
    agents: laidOut.map(({ name, rows, seeds, columns }) => ({
      name,
      rows,
      columns,
      aggregate: aggregate(
        "the competitions of this report",
        seeds,
        entries,
        options.cutoff ?? recordedCutoff(rows.flat()),
      ),
      deviations: recordedDeviations(rows.flat(), columns),
      circumstances: summarise(rows.flat()),
    })),
    failures: classifyFailures(agents, facts),
    comparison:
      a && b ? { a: a.name, b: b.name, result: compare(a.seeds, b.seeds, directionsOf(entries)) } : null,
    missing: [...notes, ...whatIsMissing(laidOut, ids, facts)],
  };
}

/** Column i is the i-th trial of a competition, by group and seed; so do published tables count seeds. */
function layOut(records: readonly TrialRecord[], ids: readonly string[]): (TrialRecord | null)[][] {
  const rows = new Map<string, TrialRecord[]>(ids.map((id) => [id, []]));
  for (const record of records) rows.get(record.competitionId)!.push(record);
  const columns = Math.max(...[...rows.values()].map(({ length }) => length));
  return ids.map((id) => {
    const row = rows.get(id)!;
    return Array.from({ length: columns }, (_, column) => row[column] ?? null);
  });
}

function seedsOf(rows: readonly (TrialRecord | null)[][], ids: readonly string[]): Seeds {
  const columns = rows[0].length;
  const runs = Array.from({ length: columns }, (_, seed) => rows.map((row) => countedGrade(row[seed])));
  const missing = ids
    .map((competitionId, i) => ({ competitionId, seeds: rows[i].filter((cell) => !cell?.grade).length }))
    .filter(({ seeds }) => seeds > 0);
  return { competitions: ids, runs, missing, unused: 0 };
}

function countedGrade(record: TrialRecord | null): TrialRecord["grade"] {
  const grade = record?.grade ?? null;
  const disqualified = record?.integrity != null && isDisqualified(record.integrity);
  return grade !== null && disqualified ? asDisqualified(grade) : grade;
}

const MAX_NAMED = 6;

function whatIsMissing(
  agents: readonly { name: string; seeds: Seeds; rows: (TrialRecord | null)[][] }[],
  ids: readonly string[],
  facts: ReadonlyMap<string, CompetitionFacts>,
): string[] {
  const missing: string[] = [];
  const named = (names: readonly string[]) =>
    names.slice(0, MAX_NAMED).join(", ") +
    (names.length > MAX_NAMED ? ` and ${names.length - MAX_NAMED} more` : "");
  for (const { name, seeds, rows } of agents) {
    const cells = rows.flat();
    const count = cells.filter((cell) => !cell?.grade).length;
    if (count > 0)
      missing.push(
        `${name}: ${count} of ${cells.length} trials are missing or not graded, and count as failed (${named(seeds.missing.map(({ competitionId }) => competitionId))})`,
      );
    if (seeds.runs.length < 3)
      missing.push(`${name}: ${seeds.runs.length} of the 3 seeds that a published result needs`);
    const unmeasured = cells.filter((cell) => cell !== null && !cell.trial?.measurements).length;
    if (unmeasured > 0)
      missing.push(`${name}: ${plural(unmeasured, "trial")} without measurements of time and memory`);
  }
  const boardless = ids.filter((id) => !facts.get(id)?.leaderboard);
  if (boardless.length > 0)
    missing.push(`no leaderboard, so no medal and no percentile: ${named(boardless)}`);
  return missing;
}
