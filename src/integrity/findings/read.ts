import { type ReadRecord, type RecordKind, readingProblem, readRecord } from "../../files/read-record.ts";
import { integrityPaths } from "./folder.ts";
import { type DoneCheck, type Finding, Findings } from "./schema.ts";

const FINDINGS: RecordKind<Findings> = {
  ...{ schema: "mlebench/findings", version: 1, shape: Findings },
  // Of thousands of trials, each with its quotations.
  maxBytes: 2 ** 27,
};

function readFindingsRecord(group: string): ReadRecord<Findings> {
  return readRecord(integrityPaths(group).findings, FINDINGS);
}

export interface GroupFindings {
  /** Empty when nobody has looked. */
  checks: DoneCheck[];
  findings: Finding[];
  /** Why the file that is there cannot be used; null when there is none, too. */
  problem: string | null;
  /** A later mlebench wrote it: there is nothing wrong with it. */
  newer?: boolean;
}

/** What was found in a run group so far. A file that cannot be read is a sentence, never an error of the reader's. */
export function readFindings(group: string): GroupFindings {
  const read = readFindingsRecord(group);
  if (read.status === "read") {
    const { checks, findings } = read.record;
    return { checks, findings, problem: null };
  }
  const problem = read.status === "absent" ? null : `its findings cannot be used: ${readingProblem(read)}`;
  return { checks: [], findings: [], problem, newer: read.status === "newer" };
}
