import fs from "node:fs";
import { readGroupRecord } from "../../trials/group/folder.ts";
import { recordedTrials } from "../../trials/group/recorded.ts";
import { groupReport, type ReadReport, readReports } from "../reports.ts";
import { readRecords, type TrialRecord } from "../trial-records.ts";

/** What the places of one experiment hold: the reports for its numbers, the records for how they came about. */
export interface Places {
  reports: ReadReport[];
  records: TrialRecord[];
  groups: { folder: string; records: TrialRecord[] }[];
  /** How many reports lie outside of run groups. */
  alone: number;
}

/** Reads grading reports and run groups, ours and the original's; a sentence when one of them cannot be read. */
export function readPlaces(places: readonly string[]): Places | string {
  const files: string[] = [];
  const groups: Places["groups"] = [];
  const records: TrialRecord[] = [];
  for (const place of places) {
    const isGroup = fs.statSync(place, { throwIfNoEntry: false })?.isDirectory() === true;
    const found =
      isGroup || !place.endsWith(".json") ? groupReport(place) : { ok: true as const, file: place };
    if (!found.ok) return found.message;
    files.push(found.file);
    const outcome = readRecords([isRecorded(place) ? place : found.file]);
    if (!outcome.ok) return outcome.message;
    const own = outcome.agents.flatMap((agent) => agent.records);
    records.push(...own);
    if (isRecorded(place)) groups.push({ folder: place, records: own });
  }
  const read = readReports(files);
  if (!read.ok) return read.message;
  return { reports: read.reports, records, groups, alone: places.length - groups.length };
}

function isRecorded(place: string): boolean {
  return readGroupRecord(place).status !== "absent" || recordedTrials(place).length > 0;
}
