import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { journalOf } from "../../analysis/journal/of-trial.ts";
import type { GridCell } from "../../analysis/overview/group-overview.ts";
import { groupGrades, type TrialRecord } from "../../analysis/trial-records.ts";
import { MAX_CERTIFICATE_BYTES, readPlainText } from "../../files/plain-file.ts";
import { readingProblem, recordOrNull } from "../../files/read-record.ts";
import { TimelinePoint } from "../../trials/certificate/schema.ts";
import { readTrialRecord, trialPaths } from "../../trials/trial/folder.ts";
import type { Trial } from "../../trials/trial/schema.ts";
import { answer, gone, type Route } from "./route.ts";
import { type Running, runningTrials } from "./running.ts";

export interface TrialPage {
  group: string;
  agent: string;
  cell: GridCell;
  /** The trials before and behind it in the plan. */
  previous: string | null;
  next: string | null;
  trial: Trial | null;
  /** Why its record cannot be shown. */
  problem: string | null;
  grade: TrialRecord["grade"];
  timeline: TimelinePoint[];
  running: Running | null;
  cost: number | null;
  cancelRequested: boolean;
  has: { calls: boolean; journal: string | null; certificate: boolean };
  logs: { name: string; bytes: number }[];
}

const LOGS = ["run.log", "stdout.log", "stderr.log"];

export const trial: Route = (store, { group: groupId = "", trial: id = "" }) => {
  const folder = store.trialFolder(groupId, id);
  const group = store.group(groupId);
  if (folder === null || group === null) return gone(`The trial ${id}`);
  const at = group.cells.findIndex((cell) => cell.id === id);
  const cell = group.cells[at];
  const paths = trialPaths(folder);
  const read = readTrialRecord(folder);
  const facts = store.facts(group);
  const page: TrialPage = {
    group: groupId,
    agent: group.agent,
    cell,
    previous: group.cells[at - 1]?.id ?? null,
    next: group.cells[at + 1]?.id ?? null,
    trial: recordOrNull(read),
    problem: read.status === "absent" ? null : readingProblem(read),
    grade: groupGrades(path.dirname(folder), group.cells).grades.get(id) ?? null,
    timeline: timelineOf(paths.certificate),
    running: runningTrials(store, { ...group, cells: [cell] }, facts)[0] ?? null,
    cost: facts.of.get(id)?.cost ?? null,
    cancelRequested: fs.existsSync(paths.cancel),
    has: {
      calls: fs.existsSync(paths.ledger),
      journal: journalOf(folder),
      certificate: fs.existsSync(paths.certificate),
    },
    logs: LOGS.flatMap((name) => {
      const stats = fs.lstatSync(path.join(folder, name), { throwIfNoEntry: false });
      return stats?.isFile() ? [{ name, bytes: stats.size }] : [];
    }),
  };
  return answer(page);
};

const TimelineOnly = z.object({
  grade: z.object({ content: z.object({ timeline: z.array(TimelinePoint) }) }).nullable(),
});

function timelineOf(file: string): TimelinePoint[] {
  try {
    const value: unknown = JSON.parse(readPlainText(file, { maxBytes: MAX_CERTIFICATE_BYTES }));
    return TimelineOnly.parse(value).grade?.content.timeline ?? [];
  } catch {
    return [];
  }
}
