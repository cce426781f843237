import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { MAX_CERTIFICATE_BYTES, readPlainText } from "../files/plain-file.ts";
import { Reason } from "../grading/grade-schema.ts";
import { readIntegrity, type TrialIntegrity } from "../integrity/findings/of-trial.ts";
import { TimelinePoint } from "../trials/certificate/schema.ts";
import { groupPaths, readGroup, readMetadata } from "../trials/group/folder.ts";
import { planProblem, recordedTrials } from "../trials/group/recorded.ts";
import { readTrial, trialPaths } from "../trials/trial/folder.ts";
import type { Trial } from "../trials/trial/schema.ts";
import { Blame } from "../wording/problem.ts";
import { byText, GradedRun, groupReport } from "./reports.ts";
import { agentAndModels } from "./whose.ts";

/** A graded run with what our own reports add; the original's reports have none of it. */
const GradedTrial = GradedRun.extend({
  seed: z.int().nullish(),
  submission_path: z.string().nullish(),
  status: z.string().nullish(),
  score_kind: z.string().nullish(),
  is_lower_better: z.boolean().nullish(),
  leaderboard: z.string().nullish(),
  normalised_score: z.number().nullish(),
  /** The agent's own words. */
  turns: z.int().nullish(),
  continuations: z.int().nullish(),
  reasons: z.array(Reason).nullish(),
  message: z.string().nullish(),
  blame: Blame.nullish(),
});
type GradedTrial = z.infer<typeof GradedTrial>;

const Report = z.object({ run_group: z.string().nullish(), competition_reports: z.array(GradedTrial) });

/** One trial as analysis sees it: what was recorded while it ran, and what its submission earned. */
export interface TrialRecord {
  id: string;
  agent: string;
  competitionId: string;
  seed: number;
  /** Null when only its grade is known. */
  folder: string | null;
  /** Null in groups of the original, and for trials that never started. */
  trial: Trial | null;
  /** Null as long as it is not graded. */
  grade: GradedTrial | null;
  /** Score against time, one point a version. */
  timeline: TimelinePoint[];
  /** Where its competition's data lie, when the group says so. */
  dataDir: string | null;
  /** What was found and decided about it; null where no group says. */
  integrity: TrialIntegrity | null;
  /** The verdict of `verify` in words; absent as long as nobody asked for it. */
  verification?: string;
  /** What suggests that its submission was copied from the answers; absent as long as nobody looked. */
  copied?: string | null;
}

/** Where the training data of the models end that these trials asked: of several days the last. Null where nobody says. */
export function recordedCutoff(records: readonly (TrialRecord | null)[]): string | null {
  const days = records.flatMap(
    (record) => record?.trial?.modelAccess?.roles.flatMap(({ cutoff }) => cutoff ?? []) ?? [],
  );
  return days.sort(byText).at(-1) ?? null;
}

export interface AgentRecords {
  name: string;
  records: TrialRecord[];
}

export type RecordsOutcome =
  | { ok: true; agents: AgentRecords[]; notes: string[] }
  | { ok: false; message: string };

type Place = { ok: true; records: TrialRecord[]; notes: string[] } | { ok: false; message: string };

/**
 * Reads run groups and grading reports, each named by its path or as `name=path`. Groups of the same agent belong
 * together; without a name, an agent is called by its id, and where it was run with several models, by both.
 */
export function readRecords(places: readonly string[]): RecordsOutcome {
  const agents = new Map<string, TrialRecord[]>();
  const notes: string[] = [];
  const labels = labelsOf(places.map(splitName));
  for (const [i, place] of places.entries()) {
    const [name, where] = splitName(place);
    const read = readPlace(where, name ?? labels[i]);
    if (!read.ok) return read;
    notes.push(...read.notes);
    for (const record of read.records) {
      const known = agents.get(record.agent);
      if (known === undefined) agents.set(record.agent, [record]);
      else known.push(record);
    }
  }
  if (agents.size === 0) return { ok: false, message: "There is no trial in what was named." };
  return { ok: true, agents: [...agents].map(([name, records]) => ({ name, records })), notes };
}

function splitName(place: string): [string | null, string] {
  const at = place.indexOf("=");
  return at < 1 || fs.existsSync(place) ? [null, place] : [place.slice(0, at), place.slice(at + 1)];
}

/** A name with the models in it for groups of an agent that was run with several; null for all others. */
function labelsOf(places: readonly [string | null, string][]): (string | null)[] {
  const groups = places.map(([name, where]) => (name === null ? readGroup(where) : null));
  const byAgent = new Map<string, Set<string>>();
  for (const group of groups) {
    if (group === null) continue;
    const { agentId } = group.settings;
    byAgent.set(agentId, (byAgent.get(agentId) ?? new Set()).add(agentAndModels(group.settings)));
  }
  return groups.map((group) =>
    group !== null && byAgent.get(group.settings.agentId)!.size > 1 ? agentAndModels(group.settings) : null,
  );
}

function readPlace(place: string, name: string | null): Place {
  if (place.endsWith(".json")) return fromReport(place, name);
  if (!fs.existsSync(place) || !fs.statSync(place).isDirectory())
    return { ok: false, message: `There is no run group ${place}.` };
  return fromGroup(place, name);
}

function fromReport(file: string, name: string | null): Place {
  const report = readReport(file);
  if (typeof report === "string") return { ok: false, message: `${file}: ${report}` };
  const agent = name ?? agentOfGroup(report.run_group ?? path.basename(path.dirname(path.resolve(file))));
  const seen = new Map<string, number>();
  const records = report.competition_reports.map((grade): TrialRecord => {
    const before = seen.get(grade.competition_id) ?? 0;
    seen.set(grade.competition_id, before + 1);
    return {
      id: grade.run_id ?? `${grade.competition_id}_${before}`,
      agent,
      competitionId: grade.competition_id,
      seed: grade.seed ?? before,
      folder: null,
      trial: null,
      grade,
      timeline: [],
      dataDir: null,
      integrity: null,
    };
  });
  return {
    ok: true,
    records,
    notes: [`${path.basename(file)} is a report alone: no logs, times or measurements`],
  };
}

/** `2026-01-31T12-30-00-UTC_run-group_aide` was made by aide. */
function agentOfGroup(group: string): string {
  return group.split("_run-group_").at(-1) || group;
}

interface Planned {
  id: string;
  competitionId: string;
  seed: number;
}

function fromGroup(folder: string, name: string | null): Place {
  const group = readGroup(folder);
  const metadata = group === null ? readMetadata(groupPaths(folder).metadata) : null;
  const groupName = path.basename(path.resolve(folder));
  const unplanned = planProblem(folder);
  const planned: Planned[] = group?.trials ?? plannedWithoutPlan(folder, Object.keys(metadata?.runs ?? {}));
  if (group === null && metadata === null && planned.length === 0)
    return {
      ok: false,
      message:
        unplanned === null
          ? `${folder} is not a run group: it has neither group.json nor metadata.json.`
          : `${folder} holds no trial that can be read, and ${unplanned}.`,
    };
  const integrity = readIntegrity(folder);
  const { grades: gradeOf, problem } = groupGrades(folder, planned);
  const notes = [
    ...(unplanned === null
      ? []
      : [`${groupName}: ${unplanned}; what is shown are the trials' own records, and some may be missing`]),
    ...integrity.problems.map((one) => `${groupName}: ${one}`),
    ...(problem === null ? [] : [problem]),
  ];
  const records = planned.map(({ id, competitionId, seed }): TrialRecord => {
    const trialFolder = path.join(folder, id);
    const trial = readTrial(trialFolder);
    return {
      id,
      agent: name ?? group?.settings.agentId ?? trial?.agent.id ?? agentOfGroup(groupName),
      competitionId,
      seed,
      folder: fs.existsSync(trialFolder) ? trialFolder : null,
      trial,
      grade: gradeOf.get(id) ?? null,
      timeline: trial === null ? [] : readTimeline(trialFolder),
      dataDir: group?.settings.dataDir ?? null,
      integrity: integrity.of(id),
    };
  });
  const ungraded = records.filter(({ grade }) => grade === null).length;
  if (ungraded > 0 && problem === null)
    notes.push(`${groupName}: ${ungraded} of ${records.length} trials have no grade`);
  return { ok: true, records, notes };
}

/** What a group's one grading report says of each planned trial; `problem` when there is none that can be used, `ungraded` when that is only because nobody has graded yet. */
export function groupGrades(
  folder: string,
  planned: readonly Planned[],
): { grades: Map<string, GradedTrial>; problem: string | null; ungraded: boolean } {
  const found = groupReport(folder);
  if (!found.ok) return { grades: new Map(), problem: found.message, ungraded: found.why === "not graded" };
  const report = readReport(found.file);
  if (typeof report === "string")
    return {
      grades: new Map(),
      problem: `${path.basename(path.resolve(folder))}: its grading report ${report}`,
      ungraded: false,
    };
  return { grades: gradesByTrial(report.competition_reports, planned), problem: null, ungraded: false };
}

/** Where no plan can be read: every trial that left a record of its own, then those that only the original's list names. */
export function plannedWithoutPlan(folder: string, runIds: readonly string[]): Planned[] {
  const recorded = recordedTrials(folder);
  const known = new Set(recorded.map(({ id }) => id));
  return [...recorded, ...plannedByOriginal(runIds.filter((id) => !known.has(id)))];
}

/** The original's folders are `<competition>_<uuid>`; the seed is nowhere, so runs are counted. */
function plannedByOriginal(runIds: readonly string[]): Planned[] {
  const seen = new Map<string, number>();
  return runIds.toSorted(byText).map((id) => {
    const competitionId = id.replace(/_[^_]*$/, "");
    const seed = seen.get(competitionId) ?? 0;
    seen.set(competitionId, seed + 1);
    return { id, competitionId, seed };
  });
}

/** By the run's id where the report has it, by the submission's path, and at last by order within a competition. */
function gradesByTrial(
  grades: readonly GradedTrial[],
  planned: readonly Planned[],
): Map<string, GradedTrial> {
  const byId = new Map<string, GradedTrial>();
  const ids = new Set(planned.map(({ id }) => id));
  const waiting = new Map<string, GradedTrial[]>();
  for (const grade of grades) {
    const id = grade.run_id ?? grade.submission_path?.split(/[\\/]/).find((part) => ids.has(part));
    if (id != null && ids.has(id)) byId.set(id, grade);
    else waiting.set(grade.competition_id, [...(waiting.get(grade.competition_id) ?? []), grade]);
  }
  for (const { id, competitionId } of planned) {
    if (byId.has(id)) continue;
    const next = waiting.get(competitionId)?.shift();
    if (next !== undefined) byId.set(id, next);
  }
  return byId;
}

const TimelineOnly = z.object({
  grade: z.object({ content: z.object({ timeline: z.array(TimelinePoint) }) }).nullable(),
});

/** Only the timeline: the rest of a certificate is large, and judged by `verify`. */
function readTimeline(trialFolder: string): TimelinePoint[] {
  try {
    const { certificate } = trialPaths(trialFolder);
    const value: unknown = JSON.parse(readPlainText(certificate, { maxBytes: MAX_CERTIFICATE_BYTES }));
    return TimelineOnly.parse(value).grade?.content.timeline ?? [];
  } catch {
    return [];
  }
}

function readReport(file: string): z.infer<typeof Report> | string {
  let value: unknown;
  try {
    const text = readPlainText(file);
    // The original writes NaN and infinities as bare words.
    value = JSON.parse(text.replace(/(:\s*)(?:NaN|-?Infinity)(?=\s*[,}\]])/g, "$1null"));
  } catch (error) {
    return `cannot be read as JSON (${(error as Error).message}).`;
  }
  const parsed = Report.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  return `is not a grading report (${issue.path.join(".") || "top level"}: ${issue.message}).`;
}
