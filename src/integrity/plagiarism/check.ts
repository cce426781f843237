import { type Passage, type Printed, printOf, sharedPassages, similarityOf } from "./similarity.ts";
import { readSource, type SourceFile, sourceFiles } from "./source-files.ts";

/** Whose code is looked at. */
export interface Candidate {
  /** The trial's id, or how the list names it. */
  trial: string;
  agent: string | null;
  competitionId: string;
  /** A file or a folder; null when nothing was kept. */
  codePath: string | null;
  /** Files of it that it says are somebody else's, by name, with where they are from. */
  origins: ReadonlyMap<string, string>;
}

export type Against = "kernel" | "trial" | "solution";

export interface ComparedPair {
  leftFile: string;
  rightFile: string;
  similarity: number;
  leftShare: number;
  rightShare: number;
  against: Against;
  /** Why nobody is to blame for the likeness; null when nothing explains it. */
  explained: string | null;
  /** Both have so many fingerprints at least: below a few, any two files are alike. */
  fingerprints: number;
}

export interface TrialPlagiarism {
  trial: string;
  competitionId: string;
  codePath: string | null;
  /** How many of its files were compared. */
  files: number;
  /** All pairs with a kernel, most similar first, as the original reports them. */
  kernelPairs: ComparedPair[];
  /** Those with other trials and with known solutions. */
  otherPairs: ComparedPair[];
  /** The most similar of all that nothing explains; null when there is none. */
  max: ComparedPair | null;
  /** Those at or above the threshold, with the passages, most similar first. */
  flagged: (ComparedPair & { passages: Passage[] })[];
  notes: string[];
}

export interface PlagiarismResult {
  threshold: number;
  trials: TrialPlagiarism[];
  /** Such as a competition without kernels. */
  warnings: string[];
}

export interface PlagiarismOptions {
  /** From here on a pair is shown to a person; the original has none, its paper and others use 0.60. */
  threshold: number;
  kernelsOf(competitionId: string): readonly SourceFile[];
  solutionsOf(competitionId: string): readonly SourceFile[];
  /** How to get what it could be compared with; null when there is nothing to be had. */
  kernelsFrom(competitionId: string): string | null;
  onProgress?: (done: number, total: number, trial: string) => void;
  signal?: AbortSignal;
}

export const THRESHOLD = 0.6;
/** Twenty fingerprints are about two hundred tokens: twenty lines of code. */
const MIN_FINGERPRINTS = 20;
const MAX_FLAGGED = 25;

interface Printable extends Printed {
  file: SourceFile;
}

/** Compares every candidate's code with kernels, known solutions and each other. Memory holds one competition at a time. */
export async function checkPlagiarism(
  candidates: readonly Candidate[],
  options: PlagiarismOptions,
): Promise<PlagiarismResult> {
  const warnings: string[] = [];
  const results = new Map<Candidate, TrialPlagiarism>();
  let done = 0;
  for (const competitionId of [...new Set(candidates.map((one) => one.competitionId))]) {
    const kernels = await printAll(options.kernelsOf(competitionId), []);
    const solutions = await printAll(options.solutionsOf(competitionId), []);
    const from = options.kernelsFrom(competitionId);
    if (kernels.length === 0 && (from !== null || solutions.length === 0))
      warnings.push(`${competitionId} has no kernels to compare with${from === null ? "" : `; ${from}`}`);
    const earlier: { candidate: Candidate; files: Printable[] }[] = [];
    for (const candidate of candidates.filter((one) => one.competitionId === competitionId)) {
      if (options.signal?.aborted) break;
      const { result, files } = await checkOne(candidate, { kernels, solutions, earlier, options });
      results.set(candidate, result);
      earlier.push({ candidate, files });
      options.onProgress?.(++done, candidates.length, candidate.trial);
    }
  }
  const trials = candidates.flatMap((candidate) => results.get(candidate) ?? []);
  return { threshold: options.threshold, trials, warnings };
}

interface Field {
  kernels: readonly Printable[];
  solutions: readonly Printable[];
  earlier: readonly { candidate: Candidate; files: Printable[] }[];
  options: PlagiarismOptions;
}

async function checkOne(candidate: Candidate, { kernels, solutions, earlier, options }: Field) {
  const notes: string[] = [];
  const { codePath } = candidate;
  const found = codePath === null ? { files: [], notes: ["no code was kept"] } : sourceFiles(codePath);
  notes.push(...found.notes);
  const files = await printAll(found.files, notes);
  const against = (
    others: readonly Printable[],
    kind: Against,
    explain: (left: Printable) => string | null,
  ) =>
    files.flatMap((left) =>
      others.map((right) => ({ left, right, pair: pairOf(left, right, kind, explain(left)) })),
    );
  const own = (left: Printable) => candidate.origins.get(left.file.name) ?? null;
  const kernelPairs = against(kernels, "kernel", own);
  const otherPairs = [
    ...against(solutions, "solution", own),
    ...earlier.flatMap((other) =>
      against(labelled(other), "trial", (left) => own(left) ?? sameAgent(candidate, other.candidate)),
    ),
  ];
  const all = [...kernelPairs, ...otherPairs].sort(mostSimilarFirst);
  const notable = all.filter(
    ({ pair }) => pair.similarity >= options.threshold && pair.fingerprints >= MIN_FINGERPRINTS,
  );
  const flagged = [];
  for (const { left, right, pair } of notable.slice(0, MAX_FLAGGED))
    flagged.push({ ...pair, passages: await passagesOf(left.file, right.file) });
  const open = all.find(({ pair }) => pair.explained === null && pair.fingerprints >= MIN_FINGERPRINTS);
  const result: TrialPlagiarism = {
    trial: candidate.trial,
    competitionId: candidate.competitionId,
    codePath,
    files: files.length,
    kernelPairs: kernelPairs.sort(mostSimilarFirst).map(({ pair }) => pair),
    otherPairs: otherPairs.sort(mostSimilarFirst).map(({ pair }) => pair),
    max: open?.pair ?? null,
    flagged,
    notes,
  };
  return { result, files };
}

function labelled({ candidate, files }: { candidate: Candidate; files: Printable[] }): Printable[] {
  return files.map((one) => ({ ...one, name: `${candidate.trial}/${one.name}` }));
}

/** Trials of one agent are alike because it is the same agent, not because one copied from the other. */
function sameAgent(a: Candidate, b: Candidate): string | null {
  return a.agent !== null && a.agent === b.agent ? "another trial of the same agent" : null;
}

function pairOf(left: Printed, right: Printed, against: Against, explained: string | null): ComparedPair {
  return {
    leftFile: left.name,
    rightFile: right.name,
    ...similarityOf(left, right),
    against,
    explained,
    fingerprints: Math.min(left.fingerprints, right.fingerprints),
  };
}

function mostSimilarFirst(a: { pair: ComparedPair }, b: { pair: ComparedPair }): number {
  return b.pair.similarity - a.pair.similarity;
}

async function printAll(files: readonly SourceFile[], notes: string[]): Promise<Printable[]> {
  const printed: Printable[] = [];
  for (const file of files) {
    const outcome = await printOf(file.name, readSource(file));
    if (outcome.status === "printed") printed.push({ ...outcome.printed, file });
    else notes.push(`${file.name} was not compared: ${outcome.why}`);
  }
  return printed;
}

function passagesOf(left: SourceFile, right: SourceFile): Promise<Passage[]> {
  return sharedPassages(
    { name: left.name, text: readSource(left) },
    { name: right.name, text: readSource(right) },
  );
}
