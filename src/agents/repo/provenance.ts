import fs from "node:fs";
import path from "node:path";
import { regularFiles } from "../../files/folder-digest.ts";
import type { Licence } from "../../repositories/about/licence.ts";
import { isTest, type RepositoryMap } from "../../repositories/map/repository-map.ts";

/** Lines of one of our files that stand in a file of a repository in the same order. */
export interface Span {
  repository: string;
  commit: string | null;
  licence: string;
  original: string;
  lines: [number, number];
  originalLines: [number, number];
}

export interface ReusedFile {
  file: string;
  lines: number;
  spans: Span[];
  /** Share of its lines that say something and stand in an original. */
  similarity: number;
}

export interface ReuseFinding {
  code: "LICENCE_FORBIDS_REUSE" | "LICENCE_UNSTATED" | "DROPPED_REPOSITORY_USED";
  repository: string;
  licence: string;
  message: string;
}

export interface Provenance {
  schema: "mlebench/provenance";
  version: 1;
  track: "mle-bench" | "mle-bench-r";
  repositories: { name: string; commit: string | null; licence: Licence; used: boolean }[];
  files: ReusedFile[];
  findings: ReuseFinding[];
}

/** Shorter runs are chance: everybody writes `import numpy as np`. */
const MIN_RUN = 3;
const MAX_FILE_BYTES = 1_000_000;
const MAX_FILES = 500;

/**
 * What was taken over into the code folder, from where, and whether its licence allows it. `dropped`: repositories that the
 * leak filter left out; lines that stand in one of the others as well are that one's.
 */
export function traceProvenance(
  code: string,
  chosen: readonly RepositoryMap[],
  usedNames: ReadonlySet<string>,
  track: Provenance["track"],
  dropped: readonly RepositoryMap[] = [],
): Provenance {
  const maps = [...chosen, ...dropped];
  const places = indexLines(maps);
  const files = regularFiles(code)
    .slice(0, MAX_FILES)
    .flatMap((file) => reusedFile(code, file, places));
  const reused = new Set(files.flatMap(({ spans }) => spans.map(({ repository }) => repository)));
  const repositories = maps.map(({ name, commit, licence }) => ({
    name,
    commit,
    licence,
    used: usedNames.has(name) || reused.has(name),
  }));
  const leftOut = new Set(dropped.map(({ name }) => name));
  return {
    schema: "mlebench/provenance",
    version: 1,
    track,
    repositories,
    files,
    findings: repositories.flatMap(({ name, licence, used }) =>
      !used ? [] : leftOut.has(name) ? [droppedFinding(name, licence)] : findingOf(name, licence),
    ),
  };
}

const droppedFinding = (repository: string, { name }: Licence): ReuseFinding => ({
  code: "DROPPED_REPOSITORY_USED",
  repository,
  licence: name,
  message: `${repository} was left out as a solution of this competition, and lines of it were taken over all the same.`,
});

function findingOf(repository: string, licence: Licence): ReuseFinding[] {
  if (licence.reuse === "forbidden")
    return [
      {
        code: "LICENCE_FORBIDS_REUSE",
        repository,
        licence: licence.name,
        message: `${repository} is under a licence (${licence.name}) that forbids this use.`,
      },
    ];
  if (licence.reuse === "unstated")
    return [
      {
        code: "LICENCE_UNSTATED",
        repository,
        licence: licence.name,
        message: `${repository} states no licence we know; without one nothing is granted.`,
      },
    ];
  return [];
}

interface Place {
  map: RepositoryMap;
  file: string;
  line: number;
  /** All lines of that file: a common line has fifty places, and reading their files for each would take minutes. */
  original: readonly (string | null)[];
}

/** Every line that says something, by its text without spaces. */
function indexLines(maps: readonly RepositoryMap[]): Map<string, Place[]> {
  const places = new Map<string, Place[]>();
  for (const map of maps) {
    for (const { path: file } of map.modules) {
      if (isTest(file)) continue;
      const original = (map.read(file) ?? "").split("\n").map(plain);
      for (const [at, key] of original.entries()) {
        if (key === null) continue;
        const list = places.get(key) ?? [];
        // A line that stands in fifty places proves nothing.
        if (list.length < 50) list.push({ map, file, line: at + 1, original });
        places.set(key, list);
      }
    }
  }
  return places;
}

function plain(line: string): string | null {
  const text = line.replace(/\s+/g, "");
  return text.length < 4 || /^[^\p{L}]*$/u.test(text) ? null : text;
}

function reusedFile(code: string, file: string, places: ReadonlyMap<string, Place[]>): ReusedFile[] {
  const whole = path.join(code, file);
  if (fs.statSync(whole).size > MAX_FILE_BYTES) return [];
  const lines = fs.readFileSync(whole, "utf8").split("\n");
  const keys = lines.map(plain);
  const spans: Span[] = [];
  let matched = 0;
  for (let at = 0; at < lines.length; ) {
    const run = longestRun(keys, at, places);
    if (run === null) {
      at++;
      continue;
    }
    matched += run.said;
    spans.push(run.span);
    at = run.span.lines[1];
  }
  const said = keys.filter((key) => key !== null).length;
  if (spans.length === 0) return [];
  return [
    { file, lines: lines.length, spans, similarity: Math.round((matched / Math.max(said, 1)) * 1000) / 1000 },
  ];
}

/** The longest stretch of equal lines from here on, blank and trivial ones passed over on both sides. */
function longestRun(keys: readonly (string | null)[], start: number, places: ReadonlyMap<string, Place[]>) {
  const first = keys[start];
  if (first === null) return null;
  let best: { span: Span; said: number } | null = null;
  for (const { map, file, line, original } of places.get(first) ?? []) {
    let [mine, theirs, said] = [start, line - 1, 0];
    let [lastMine, lastTheirs] = [start, line - 1];
    while (mine < keys.length && theirs < original.length) {
      if (keys[mine] === null) mine++;
      else if (original[theirs] === null) theirs++;
      else if (keys[mine] !== original[theirs]) break;
      else {
        [lastMine, lastTheirs] = [mine, theirs];
        said++;
        mine++;
        theirs++;
      }
    }
    if (said < MIN_RUN || said <= (best?.said ?? 0)) continue;
    const span: Span = {
      repository: map.name,
      commit: map.commit,
      licence: map.licence.name,
      original: file,
      lines: [start + 1, lastMine + 1],
      originalLines: [line, lastTheirs + 1],
    };
    best = { span, said };
  }
  return best;
}
