import path from "node:path";
import { readingProblem } from "../../files/read-record.ts";
import { readTrial } from "../trial/folder.ts";
import { foldersIn, readGroupRecord } from "./folder.ts";

/** A trial whose own record can be read, whatever became of the plan it was part of. */
export interface RecordedTrial {
  id: string;
  competitionId: string;
  seed: number;
}

/** The trials of a folder by their own records. Each is called as its folder is: what the record says may be anything. */
export function recordedTrials(folder: string): RecordedTrial[] {
  return foldersIn(folder).flatMap((place) => {
    const trial = readTrial(place);
    if (trial === null) return [];
    return { id: path.basename(place), competitionId: trial.competition.id, seed: trial.seed };
  });
}

/** Why a group's plan cannot be used, as a sentence without its end; null when it can, and when there is none. */
export function planProblem(folder: string): string | null {
  const read = readGroupRecord(folder);
  if (read.status === "read" || read.status === "absent") return null;
  return `its plan cannot be used: ${readingProblem(read)}`;
}
