import { dataFolder } from "../../data/place/data-folder.ts";
import { integrityPaths } from "../../integrity/findings/folder.ts";
import { writeFindings } from "../../integrity/findings/write.ts";
import { kernelFiles } from "../../integrity/kernels/place.ts";
import { isOnKaggle, solutionFiles } from "../../integrity/kernels/solutions.ts";
import { candidatesOfGroup, candidatesOfList } from "../../integrity/plagiarism/candidates.ts";
import {
  type Candidate,
  checkPlagiarism,
  type PlagiarismResult,
  THRESHOLD,
} from "../../integrity/plagiarism/check.ts";
import { plagiarismFindings, writePlagiarismReports } from "../../integrity/plagiarism/findings.ts";
import { readGroup } from "../../trials/group/folder.ts";
import type { Problem } from "../../wording/problem.ts";
import { orRefusal } from "../or-refusal.ts";
import { missingFolder, notAGroup } from "./named-folders.ts";

export interface PlagiarismRequest {
  /** A run group's folder; or the original's list of submissions. */
  group?: string | undefined;
  list?: string | undefined;
  /** One folder for each competition; the data folder's own kernels when left out. */
  kernels?: string | undefined;
  /** Solutions that everybody may know, one folder for each competition; beside those of the starter suite. */
  solutions?: string | undefined;
  dataDir?: string | undefined;
  threshold?: number | undefined;
  /** Where reports go; `integrity/plagiarism` in the group's folder when left out. */
  outputDir?: string | undefined;
  onProgress?: (done: number, total: number, trial: string) => void;
  signal?: AbortSignal;
}

export type PlagiarismOutcome =
  | { status: "compared"; result: PlagiarismResult; outputDir: string; files: string[] }
  | { status: "interrupted" }
  | { status: "refused"; problem: Problem };

/** Compares the code of trials with what is public and with each other, and writes down what stands out. */
export function findPlagiarism(request: PlagiarismRequest): Promise<PlagiarismOutcome> {
  return orRefusal<PlagiarismOutcome>(
    () => readAndCompare(request),
    (problem) => ({ status: "refused", problem }),
  );
}

async function readAndCompare(request: PlagiarismRequest): Promise<PlagiarismOutcome> {
  const candidates = candidatesOf(request);
  if ("code" in candidates) return { status: "refused", problem: candidates };
  const { group, kernels, solutions, threshold = THRESHOLD } = request;
  const missing = missingFolder({ kernels, solutions });
  if (missing !== null) return { status: "refused", problem: missing };
  if (!(threshold > 0 && threshold <= 1))
    return {
      status: "refused",
      problem: {
        code: "BAD_NUMBER",
        message: "threshold must be above 0 and at most 1.",
        nextStep: `give another one, or leave it out: ${THRESHOLD}`,
      },
    };
  const ofGroup = group === undefined ? undefined : readGroup(group)?.settings.dataDir;
  const dataDir = dataFolder(request.dataDir ?? ofGroup);
  const result = await checkPlagiarism(candidates, {
    threshold,
    kernelsOf: (id) => kernelFiles(id, { dataDir, kernels }),
    solutionsOf: (id) => solutionFiles(id, solutions),
    kernelsFrom: (id) => (isOnKaggle(id) ? `get them: mlebench kernels download -c ${id}` : null),
    ...(request.onProgress ? { onProgress: request.onProgress } : {}),
    ...(request.signal ? { signal: request.signal } : {}),
  });
  if (request.signal?.aborted) return { status: "interrupted" };
  const outputDir = request.outputDir ?? (group ? integrityPaths(group).plagiarism : "plagiarism");
  // Nothing was compared: an empty report would look like one that found nothing.
  const compared = result.trials.some((one) => one.files > 0);
  const files = compared ? writePlagiarismReports(outputDir, result) : [];
  if (group !== undefined) writeFindings(group, [plagiarismFindings(result)]);
  return { status: "compared", result, outputDir, files };
}

function candidatesOf({ group, list }: PlagiarismRequest): Candidate[] | Problem {
  if ((group === undefined) === (list === undefined))
    return {
      code: "NOTHING_NAMED",
      message: "Name either a run group or a list of submissions.",
      nextStep: "see: mlebench plagiarism --help",
    };
  if (group !== undefined) return candidatesOfGroup(group) ?? notAGroup(group);
  try {
    const read = candidatesOfList(list!);
    if ("candidates" in read) return read.candidates;
    return { code: "BAD_LIST", message: read.message, nextStep: "make one: mlebench make-submission" };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      code: "NO_LIST",
      message: `${list} cannot be read (${code}).`,
      nextStep: "make one: mlebench make-submission",
    };
  }
}
