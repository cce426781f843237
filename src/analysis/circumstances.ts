import path from "node:path";
import { integrityText, isDisqualified } from "../integrity/findings/of-trial.ts";
import { verifyGroup } from "../trials/certificate/verify-group.ts";
import { isolationOf, isolationText, networkText } from "../trials/trial/isolation.ts";
import { type CompetitionFacts, competitionFacts } from "./competition-facts.ts";
import { copiedAnswers } from "./failures/rules/answers-copied.ts";
import type { AgentRecords, TrialRecord } from "./trial-records.ts";
import { readRecords } from "./trial-records.ts";

/** In words, what a medal is worth: it stands beside every one that is shown. */
export interface Circumstances {
  isolation: string;
  /** Null when nobody recorded it. */
  isolated: boolean | null;
  network: string;
  /** Mounted materials are external knowledge. */
  materials: string;
  /** The verdict of `verify`. */
  verification: string;
  /** What the agent was shown: the competition as it is, or one that it should not recognise. */
  description: string;
  /** What the checks of `integrity` found, and what was decided. */
  integrity: string;
  disqualified: boolean;
}

const UNKNOWN = "not recorded";

export function circumstancesOf(record: TrialRecord): Circumstances {
  const { trial, verification = "not verified" } = record;
  const honesty = {
    integrity: record.integrity === null ? UNKNOWN : integrityText(record.integrity),
    disqualified: record.integrity !== null && isDisqualified(record.integrity),
  };
  if (trial === null)
    return {
      isolation: UNKNOWN,
      isolated: null,
      network: UNKNOWN,
      materials: UNKNOWN,
      description: UNKNOWN,
      verification,
      ...honesty,
    };
  const { policy } = trial.sandbox;
  return {
    isolation: record.copied == null ? isolationText(trial) : `${isolationText(trial)}: ${record.copied}`,
    isolated: policy === null ? null : isolationOf(policy).isolated,
    network: networkText(trial),
    materials: trial.externalKnowledge ? "external knowledge" : "none",
    description: trial.obfuscation === undefined ? "plain" : obfuscatedText(trial.obfuscation),
    verification,
    ...honesty,
  };
}

function obfuscatedText({ rewrittenBy }: { rewrittenBy?: string | undefined }): string {
  return rewrittenBy === undefined ? "obfuscated" : `obfuscated in the words of ${rewrittenBy}`;
}

/** The same over many trials: each value with how many trials it holds for. */
export interface CircumstanceSummary extends Omit<Circumstances, "isolated" | "disqualified"> {
  trials: number;
  /** How many ran without isolation: they could have read the answers. */
  unisolated: number;
  /** How many a person disqualified. */
  disqualified: number;
}

export function summarise(records: readonly (TrialRecord | null)[]): CircumstanceSummary {
  const all = records.flatMap((record) => (record === null ? [] : [circumstancesOf(record)]));
  const counted = (
    key: "isolation" | "network" | "materials" | "description" | "verification" | "integrity",
  ) => {
    const counts = new Map<string, number>();
    for (const one of all) counts.set(one[key], (counts.get(one[key]) ?? 0) + 1);
    if (counts.size === 1) return [...counts.keys()][0];
    return [...counts].map(([value, count]) => `${value} (${count} of ${all.length})`).join("; ") || UNKNOWN;
  };
  return {
    trials: all.length,
    unisolated: all.filter(({ isolated }) => isolated === false).length,
    disqualified: all.filter(({ disqualified }) => disqualified).length,
    isolation: counted("isolation"),
    network: counted("network"),
    materials: counted("materials"),
    description: counted("description"),
    verification: counted("verification"),
    integrity: counted("integrity"),
  };
}

/**
 * Puts verify's verdict to every trial that lies in a run group, and what suggests that its answers were copied. Grades
 * are not worked out again for that.
 */
export async function withVerdicts(agents: readonly AgentRecords[]): Promise<AgentRecords[]> {
  const verdicts = new Map<string, Promise<Map<string, string>>>();
  const verdictOf = async ({ id, folder, trial }: TrialRecord): Promise<string> => {
    if (folder === null) return trial === null ? "no record" : "not verified";
    const group = path.dirname(path.resolve(folder));
    const known = verdicts.get(group) ?? groupVerdicts(group);
    verdicts.set(group, known);
    return (await known).get(id) ?? "no certificate";
  };
  const known = new Map<string, ReturnType<typeof competitionFacts>>();
  const factsOf = async (id: string) => {
    const facts = known.get(id) ?? competitionFacts([id]);
    known.set(id, facts);
    return (await facts).get(id);
  };
  return Promise.all(
    agents.map(async ({ name, records }) => ({
      name,
      records: await Promise.all(
        records.map(async (record) => ({
          ...record,
          verification: await verdictOf(record),
          copied: await copiedText(record, factsOf),
        })),
      ),
    })),
  );
}

async function copiedText(
  record: TrialRecord,
  factsOf: (id: string) => Promise<CompetitionFacts | undefined>,
): Promise<string | null> {
  if (record.grade?.valid_submission !== true) return null;
  const entry = (await factsOf(record.competitionId))?.entry;
  const [found] = entry == null ? [] : copiedAnswers(record, entry.files);
  return found === undefined
    ? null
    : `its submission ${found.text.replace(/; it ran without isolation$/, "")}`;
}

/** What is wrong with the group is wrong with each of its trials. */
async function groupVerdicts(folder: string): Promise<Map<string, string>> {
  const options = { trustedKey: null, dataDir: NOWHERE, competitionsDir: undefined, known: new Map() };
  const [group, ...trials] = await verifyGroup(folder, options);
  const broken = group.verdict === "broken" || group.verdict === "not understood";
  return new Map(
    trials.map(({ subject, verdict }) => [subject, broken ? `${group.verdict} (its group)` : verdict]),
  );
}

/** Data that are not there are not read. */
const NOWHERE = path.join(path.sep, "nonexistent");

/** What is known of the trials behind some run groups and grading reports. */
export async function circumstancesOfPlaces(places: readonly string[]): Promise<CircumstanceSummary> {
  const read = readRecords(places);
  const agents = read.ok ? await withVerdicts(read.agents) : [];
  return summarise(agents.flatMap(({ records }) => records));
}
