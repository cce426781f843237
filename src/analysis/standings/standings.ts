import path from "node:path";
import { resolveSplit } from "../../competitions/splits.ts";
import { VERSION } from "../../grading/version.ts";
import type { VerifyOptions } from "../../trials/certificate/verify-trial.ts";
import { readGroup } from "../../trials/group/folder.ts";
import { planProblem } from "../../trials/group/recorded.ts";
import { networkText } from "../../trials/trial/isolation.ts";
import { plural } from "../../wording/counts.ts";
import { deviations, rangeText, recordedSetUp, type SetUp } from "../aggregate/canonical-setup.ts";
import { originalAggregate } from "../aggregate/original-aggregate.ts";
import { arrangeSeeds } from "../aggregate/seeds.ts";
import { summarise } from "../circumstances.ts";
import { type Places, readPlaces } from "../experiment/places.ts";
import { groupTrust, type TrustFinding, weakest } from "../experiment/trust.ts";
import { modelSpending } from "../model-spending.ts";
import { byText, type ReadReport } from "../reports.ts";
import type { TrialRecord } from "../trial-records.ts";
import { severalAgents } from "../whose.ts";
import { publishedRows } from "./published.ts";
import type { Disclosure, MeanAndError, Standings, StandingsRow } from "./schema.ts";

export interface StandingsOptions {
  /** The published leaderboard for comparison. */
  withPublished: boolean;
  /** Null takes every experiment as declared, without a look at its certificates. */
  verify: VerifyOptions | null;
  now: Date;
}

export type StandingsOutcome = { ok: true; standings: Standings } | { ok: false; message: string };

/** A row for each experiment, best first; those that cannot be compared with the others stand below them. */
export async function standings(
  experiments: readonly Disclosure[],
  options: StandingsOptions,
): Promise<StandingsOutcome> {
  const rows = options.withPublished ? publishedRows() : [];
  for (const experiment of experiments) {
    const row = await rowOf(experiment, options.verify);
    if (typeof row === "string") return { ok: false, message: row };
    rows.push(row);
  }
  return { ok: true, standings: standingsOf(rows, options.now) };
}

/** Rows in their order, with what they were made by. */
export function standingsOf(rows: readonly StandingsRow[], now: Date): Standings {
  return {
    ...{ schema: "mlebench/standings", version: 1, createdAt: now.toISOString(), mlebenchVersion: VERSION },
    rows: rows.toSorted(
      (a, b) =>
        Number(b.comparable) - Number(a.comparable) ||
        (b.all?.mean ?? -1) - (a.all?.mean ?? -1) ||
        byText(a.agent, b.agent),
    ),
  };
}

async function rowOf(said: Disclosure, verify: VerifyOptions | null): Promise<StandingsRow | string> {
  const read = readPlaces(said.reports);
  if (typeof read === "string") return read;
  const { reports, records, groups } = read;
  const trials = records.flatMap(({ trial }) => trial ?? []);
  const recorded = recordedSetUp(trials);
  const [setUp, contradictions] = reconcile(said, recorded);
  const padMissing = said.padMissing === true;
  const own = [...new Set(records.map(({ competitionId }) => competitionId))].sort(byText);
  const rate = (ids: readonly string[]) => anyMedal(reports, ids, padMissing);
  const covered = rate(own);
  const seeds = covered?.seeds ?? null;
  const doubts = [...new Set(reports.flatMap((report) => report.doubts ?? []))];
  const { trust, reason } = await trustOf(read, verify, doubts);
  const knowledge = trials.some(({ externalKnowledge }) => externalKnowledge);
  const spending = modelSpending(records);
  const ran = summarise(records.filter(({ trial }) => trial !== null));
  const feedback = said.testSetFeedback ?? null;
  return {
    agent: said.agent,
    models: said.models ?? spending?.models.join(", ") ?? null,
    languageModels: spending?.languageModels ?? null,
    ...{ low: split("low", rate), medium: split("medium", rate) },
    ...{ high: split("high", rate), all: split("split75", rate) },
    covered: covered && { mean: covered.mean, sem: covered.sem, competitions: own.length },
    hours: setUp.hours,
    hardware: hardwareText(setUp),
    seeds,
    date: said.date ?? latestDay(groups),
    source: said.source ?? null,
    internet: recordedInternet(records) ?? said.internet ?? null,
    externalKnowledge: knowledge || (said.externalKnowledge ?? (trials.length > 0 ? false : null)),
    testSetFeedback: feedback,
    artefacts: said.artefacts ?? null,
    competitionVersion: versionOf(reports),
    sourceAvailable: said.sourceAvailable ?? null,
    gradingReportsAvailable: said.gradingReportsAvailable ?? true,
    notes: [
      ...(said.notes === undefined ? [] : [said.notes]),
      ...(padMissing ? ["padded"] : []),
      ...contradictions,
      ...doubts.map((doubt) => `a medal may have been disqualified: ${doubt}`),
      ...planNotes(groups),
      ...mixedNote(said.reports),
      ...(knowledge && said.externalKnowledge === false
        ? ["external knowledge: said no, the record says yes"]
        : []),
    ],
    isolation: trials.length === 0 ? null : ran.isolation,
    unisolated: ran.unisolated > 0,
    trust,
    trustReason: reason,
    deviations: [...deviations(setUp, seeds), ...coverage(own, records)],
    comparable: trust !== "broken" && (feedback === null || feedback === false),
    published: false,
  };
}

function planNotes(groups: Places["groups"]): string[] {
  return groups.flatMap(({ folder }) => {
    const problem = planProblem(folder);
    return problem === null ? [] : [`${path.basename(folder)}: ${problem}`];
  });
}

/** Whoever writes a disclosure decides what is one experiment; a reader is told what went into it. */
function mixedNote(places: readonly string[]): string[] {
  const several = severalAgents(places.map((place) => path.relative(".", place)));
  return several === null ? [] : [several];
}

type Rate = (MeanAndError & { seeds: number }) | null;

function anyMedal(
  reports: readonly ReadReport[],
  competitions: readonly string[],
  padMissing: boolean,
): Rate {
  const arranged = arrangeSeeds(reports, { competitions, padMissing });
  if (!arranged.ok) return null;
  const { metrics, num_seeds_averaged: seeds } = originalAggregate(arranged.seeds);
  const { mean, standard_error: sem } = metrics.any_medal_percentage;
  return { mean, sem, seeds };
}

function split(name: string, rate: (ids: readonly string[]) => Rate): MeanAndError | null {
  const resolved = resolveSplit(name);
  const found = resolved.ok ? rate(resolved.ids) : null;
  return found && { mean: found.mean, sem: found.sem };
}

/** The record counts where there is one; what the authors say otherwise is noted. */
function reconcile(said: Disclosure, recorded: SetUp): [SetUp, string[]] {
  const notes: string[] = [];
  const number = (key: "hours" | "cpus" | "memoryGiB"): number[] => {
    const declared = said[key] ?? (key === "memoryGiB" ? said.memoryGB : undefined);
    if (recorded[key].length === 0) return declared === undefined ? [] : [declared];
    if (declared !== undefined && recorded[key].some((value) => value !== declared))
      notes.push(`${key}: said ${declared}, the record says ${rangeText(recorded[key])}`);
    return recorded[key];
  };
  const setUp = { hours: number("hours"), cpus: number("cpus"), memoryGiB: number("memoryGiB") };
  const gpus = recorded.gpus.length > 0 ? recorded.gpus : said.gpus === undefined ? [] : [said.gpus];
  if (said.gpus !== undefined && recorded.gpus.length > 0 && recorded.gpus.join(" / ") !== said.gpus)
    notes.push(`GPUs: said ${said.gpus}, the record says ${recorded.gpus.join(" / ")}`);
  return [{ ...setUp, gpus }, notes];
}

function hardwareText({ cpus, memoryGiB, gpus }: SetUp): string | null {
  const parts = [
    ...(cpus.length > 0 ? [`${rangeText(cpus)} vCPU`] : []),
    ...(memoryGiB.length > 0 ? [`${rangeText(memoryGiB)} GiB`] : []),
    ...(gpus.length > 0 ? [gpus.join(" / ") === "none" ? "no GPU" : gpus.join(" / ")] : []),
  ];
  return parts.length > 0 ? parts.join(", ") : null;
}

async function trustOf(
  { groups, alone, records }: Places,
  verify: VerifyOptions | null,
  doubts: readonly string[],
): Promise<TrustFinding> {
  if (doubts.length > 0) return { trust: "broken", reason: doubts[0] };
  if (verify === null) return { trust: "declared", reason: "not verified" };
  const findings: TrustFinding[] = alone > 0 ? [{ trust: "declared", reason: "a grading report alone" }] : [];
  for (const { folder, records: own } of groups) findings.push(await groupTrust(folder, own, verify));
  const ungraded = records.filter(({ grade }) => grade === null).length;
  if (ungraded > 0)
    findings.push({ trust: "declared", reason: `${plural(ungraded, "trial has", "trials have")} no grade` });
  return weakest(findings);
}

/** By the network the trials had, whatever was asked for; null when nothing was recorded. */
function recordedInternet(records: readonly TrialRecord[]): boolean | string | null {
  const trials = records.flatMap(({ trial }) => trial ?? []);
  if (trials.length === 0) return null;
  if (trials.some((trial) => ["open", "not restricted"].includes(networkText(trial)))) return true;
  const hosts = trials.flatMap(({ network }) => (network.mode === "allow-list" ? network.hosts : []));
  return hosts.length > 0 ? `only ${[...new Set(hosts)].sort().join(", ")}` : false;
}

function versionOf(reports: readonly ReadReport[]): StandingsRow["competitionVersion"] {
  // The original's reports do not say, since there was only one version.
  const versions = new Set(reports.flatMap(({ runs }) => runs.map((run) => run.competition_version ?? "v1")));
  return versions.size > 1 ? "mixed" : versions.has("v2") ? "v2" : "v1";
}

function latestDay(groups: Places["groups"]): string | null {
  const days = groups.flatMap(({ folder }) => readGroup(folder)?.createdAt.slice(0, 10) ?? []);
  return days.sort().at(-1) ?? null;
}

function coverage(own: readonly string[], records: readonly TrialRecord[]): string[] {
  const all = resolveSplit("split75");
  const known = new Set(all.ok ? all.ids : []);
  const inside = own.filter((id) => known.has(id)).length;
  const ungraded = records.filter(({ grade }) => grade === null).length;
  return [
    ...(inside < known.size ? [`${inside} of the ${known.size} competitions`] : []),
    ...(own.length > inside ? [outsideText(own.length - inside, known.size)] : []),
    ...(ungraded > 0 ? [`${ungraded} of ${records.length} trials without a grade`] : []),
  ];
}

function outsideText(count: number, size: number): string {
  return `${count} ${count === 1 ? "competition" : "competitions"} outside of the ${size}`;
}
