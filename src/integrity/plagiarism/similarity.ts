import type { LanguageName } from "../../repositories/parse/languages.ts";
import { tokenise } from "./tokens.ts";
import { type Fingerprints, TOKENS_IN_A_HASH, winnow } from "./winnow.ts";

/** What is kept of a file for comparing it with many others: a few bytes for each ten tokens. */
export interface Printed {
  /** As a reader knows it. */
  name: string;
  language: LanguageName;
  fingerprints: number;
  /** Each hash once, ascending, with how often the file has it. */
  hashes: Int32Array;
  counts: Int32Array;
}

export type PrintOutcome = { status: "printed"; printed: Printed } | { status: "skipped"; why: string };

export async function printOf(name: string, text: string): Promise<PrintOutcome> {
  const tokenised = await tokenise(name, text);
  if (tokenised.status === "skipped") return tokenised;
  const { language, tokens } = tokenised.row;
  const { hashes } = winnow(tokens);
  return { status: "printed", printed: { name, language, ...counted(hashes) } };
}

function counted(all: Int32Array): Pick<Printed, "fingerprints" | "hashes" | "counts"> {
  const sorted = all.toSorted();
  const hashes: number[] = [];
  const counts: number[] = [];
  for (let i = 0; i < sorted.length; i++) {
    if (i > 0 && sorted[i] === sorted[i - 1]) counts[counts.length - 1]++;
    else {
      hashes.push(sorted[i]);
      counts.push(1);
    }
  }
  return {
    fingerprints: all.length,
    hashes: Int32Array.from(hashes),
    counts: Int32Array.from(counts),
  };
}

export interface Similarity {
  /** Covered fingerprints of both sides over all of both sides; 0 where neither has any. */
  similarity: number;
  /** How much of each side the other has: a small file that is wholly part of a large one shows here. */
  leftShare: number;
  rightShare: number;
}

/** Dolos' similarity of two files. Files in different languages have none. */
export function similarityOf(left: Printed, right: Printed): Similarity {
  const all = left.fingerprints + right.fingerprints;
  if (left.language !== right.language || all === 0) return { similarity: 0, leftShare: 0, rightShare: 0 };
  let leftCovered = 0;
  let rightCovered = 0;
  for (let i = 0, j = 0; i < left.hashes.length && j < right.hashes.length; ) {
    if (left.hashes[i] === right.hashes[j]) {
      leftCovered += left.counts[i++];
      rightCovered += right.counts[j++];
    } else if (left.hashes[i] < right.hashes[j]) i++;
    else j++;
  }
  return {
    similarity: (leftCovered + rightCovered) / all,
    leftShare: left.fingerprints === 0 ? 0 : leftCovered / left.fingerprints,
    rightShare: right.fingerprints === 0 ? 0 : rightCovered / right.fingerprints,
  };
}

/** Lines of one file and the lines of another that do the same. */
export interface Passage {
  left: { from: number; to: number; text: string };
  right: { from: number; to: number; text: string };
}

const MAX_PASSAGES = 20;
const MAX_LINES = 60;
/** Hashes that a file has more often than this are boilerplate, and would pair up quadratically. */
const MAX_OCCURRENCES = 20;

/** The passages that two files share, longest first. Done for pairs that are shown, not for all. */
export async function sharedPassages(
  left: { name: string; text: string },
  right: { name: string; text: string },
): Promise<Passage[]> {
  const [a, b] = [await tokenise(left.name, left.text), await tokenise(right.name, right.text)];
  if (a.status === "skipped" || b.status === "skipped") return [];
  const runs = matchingRuns(winnow(a.row.tokens), winnow(b.row.tokens));
  const passages: Passage[] = [];
  const [leftSeen, rightSeen] = [new Set<number>(), new Set<number>()];
  for (const { leftStart, leftEnd, rightStart, rightEnd } of runs) {
    const here = excerpt(a.row.source, a.row.lines, leftStart, leftEnd);
    const there = excerpt(b.row.source, b.row.lines, rightStart, rightEnd);
    if (seenBefore(leftSeen, here) && seenBefore(rightSeen, there)) continue;
    for (let line = here.from; line <= here.to; line++) leftSeen.add(line);
    for (let line = there.from; line <= there.to; line++) rightSeen.add(line);
    passages.push({ left: here, right: there });
    if (passages.length === MAX_PASSAGES) break;
  }
  return passages;
}

interface Run {
  leftStart: number;
  leftEnd: number;
  rightStart: number;
  rightEnd: number;
  length: number;
}

/** Fingerprints that follow each other on both sides belong together. */
function matchingRuns(a: Fingerprints, b: Fingerprints): Run[] {
  const places = new Map<number, number[]>();
  b.hashes.forEach((hash, j) => {
    const known = places.get(hash);
    if (known === undefined) places.set(hash, [j]);
    else if (known.length < MAX_OCCURRENCES) known.push(j);
  });
  let open = new Map<number, Run>();
  const runs: Run[] = [];
  for (let i = 0; i < a.hashes.length; i++) {
    const next = new Map<number, Run>();
    for (const j of places.get(a.hashes[i]) ?? []) {
      const run = open.get(j - 1) ?? {
        leftStart: a.starts[i],
        leftEnd: 0,
        rightStart: b.starts[j],
        rightEnd: 0,
        length: 0,
      };
      if (run.length === 0) runs.push(run);
      run.leftEnd = a.starts[i] + TOKENS_IN_A_HASH - 1;
      run.rightEnd = b.starts[j] + TOKENS_IN_A_HASH - 1;
      run.length++;
      next.set(j, run);
    }
    open = next;
  }
  return runs.sort((x, y) => y.length - x.length);
}

function excerpt(source: string, lines: Int32Array, first: number, last: number): Passage["left"] {
  let [from, to] = [lines[first], lines[first]];
  // A closing token stands where its node began, which may be far above.
  for (let i = first; i <= last; i++) {
    to = Math.max(to, lines[i]);
    if (i < first + 3) from = Math.min(from, lines[i]);
  }
  to = Math.min(to, from + MAX_LINES - 1);
  return {
    from,
    to,
    text: source
      .split("\n")
      .slice(from - 1, to)
      .join("\n"),
  };
}

function seenBefore(seen: ReadonlySet<number>, { from, to }: Passage["left"]): boolean {
  for (let line = from; line <= to; line++) if (!seen.has(line)) return false;
  return true;
}
