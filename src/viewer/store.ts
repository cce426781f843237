import fs from "node:fs";
import path from "node:path";
import { setImmediate as breathe, setTimeout as pause } from "node:timers/promises";
import { type GroupOverview, groupOverview } from "../analysis/overview/group-overview.ts";
import { factsOf, type TrialFacts } from "../analysis/overview/trial-facts.ts";
import { groupPaths, isSafeName, listPlaces } from "../trials/group/folder.ts";
import { trialPaths } from "../trials/trial/folder.ts";

/** What the pages are about: one folder of run groups, read again where its files have changed. */
export interface Store {
  runsDir: string;
  competitionsDir: string | undefined;
  groups(): GroupOverview[];
  /** Null where there is no such group any more. */
  group(id: string): GroupOverview | null;
  /** The folder of a trial of a plan; null for anything else, so that no request leads elsewhere. */
  trialFolder(group: string, trial: string): string | null;
  /** What is known of a group's trials so far, by their ids; `complete` once all have been looked at. */
  facts(group: GroupOverview): Facts;
  onFacts(listener: (group: string) => void): void;
  /** Null: groups may have come or gone, and any may have changed. */
  forget(group: string | null): void;
  /** Reads what the first page needs before anybody asks, one group at a time. */
  warmUp(): Promise<void>;
}

export interface Facts {
  of: ReadonlyMap<string, TrialFacts>;
  complete: boolean;
}

interface Kept {
  key: string;
  overview: GroupOverview;
}

/** As long as a page takes to ask for its parts. */
const FRESH_MS = 400;
/** Looking at ten thousand trials takes a second: a page that asks meanwhile waits no longer than for one piece. */
const PIECE_MS = 10;
const ANSWER_FIRST_MS = 40;

export function openStore(runsDir: string, competitionsDir?: string): Store {
  const kept = new Map<string, Kept & { at: number }>();
  const facts = new Map<
    string,
    { of: Map<string, TrialFacts>; marks: Map<string, string>; busy: boolean; complete: boolean }
  >();
  const listeners: ((group: string) => void)[] = [];
  let listed: { at: number; folders: string[] } = { at: Number.NEGATIVE_INFINITY, folders: [] };

  function folders(): string[] {
    const now = performance.now();
    if (now - listed.at > FRESH_MS) listed = { at: now, folders: listPlaces(runsDir) };
    return listed.folders;
  }

  function overviewOf(folder: string): GroupOverview | null {
    const known = kept.get(folder);
    const now = performance.now();
    if (known !== undefined && now - known.at < FRESH_MS) return known.overview;
    const key = keyOf(folder);
    // A finished group changes only with its own files; one that is not is looked at again.
    if (known !== undefined && known.key === key && isSettled(known.overview)) {
      known.at = now;
      return known.overview;
    }
    const overview = groupOverview(runsDir, folder);
    if (overview === null) kept.delete(folder);
    else kept.set(folder, { key, overview, at: performance.now() });
    return overview;
  }

  /** One group after the other, in pieces, and after whoever asked has been answered. */
  const waiting: GroupOverview[] = [];
  let looking = false;
  async function lookOn(): Promise<void> {
    looking = true;
    await pause(ANSWER_FIRST_MS);
    for (let group = waiting.shift(); group !== undefined; group = waiting.shift()) await look(group);
    looking = false;
  }

  async function look(group: GroupOverview): Promise<void> {
    const mine = facts.get(group.id)!;
    let fresh = 0;
    let rested = performance.now();
    for (const { id } of group.cells) {
      const { folder, trial, ledger } = trialPaths(`${runsDir}${path.sep}${group.id}${path.sep}${id}`);
      const mark = markOf(trial) + markOf(ledger);
      if (mine.marks.get(id) !== mark) {
        mine.marks.set(id, mark);
        const found = factsOf(folder, mine.of.get(id) ?? null);
        if (found !== null) mine.of.set(id, found);
        fresh++;
      }
      if (performance.now() - rested > PIECE_MS) {
        await breathe();
        rested = performance.now();
      }
    }
    mine.busy = false;
    const first = !mine.complete;
    mine.complete = true;
    if (fresh > 0 || first) for (const listener of listeners) listener(group.id);
  }

  const store: Store = {
    runsDir,
    competitionsDir,
    groups: () => folders().flatMap((folder) => overviewOf(folder) ?? []),
    group(id) {
      const folder = path.join(runsDir, id);
      return folders().includes(folder) ? overviewOf(folder) : null;
    },
    trialFolder(group, trial) {
      const found = store.group(group);
      if (found === null || !isSafeName(trial) || !found.cells.some(({ id }) => id === trial)) return null;
      return path.join(runsDir, group, trial);
    },
    facts(group) {
      const known = facts.get(group.id) ?? { of: new Map(), marks: new Map(), busy: false, complete: false };
      facts.set(group.id, known);
      if (!known.busy && (!known.complete || !isSettled(group))) {
        known.busy = true;
        waiting.push(group);
        if (!looking) void lookOn();
      }
      return known;
    },
    onFacts: (listener) => void listeners.push(listener),
    forget(group) {
      if (group !== null) kept.delete(path.join(runsDir, group));
      else for (const known of kept.values()) known.at = Number.NEGATIVE_INFINITY;
      listed.at = Number.NEGATIVE_INFINITY;
    },
    async warmUp() {
      for (const folder of folders()) {
        overviewOf(folder);
        await breathe();
      }
    },
  };
  return store;
}

/** Whether nothing but a new grading or a resumption can change it. */
export function isSettled({ busy, cells }: GroupOverview): boolean {
  return !busy && cells.every(({ finished }) => finished);
}

function keyOf(folder: string): string {
  const paths = groupPaths(folder);
  // A rename in the folder, as every report and record is written, changes its own time.
  return [paths.group, paths.metadata, folder].map(markOf).join(" ");
}

function markOf(file: string): string {
  const stats = fs.statSync(file, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? "-" : `${stats.mtimeNs}/${stats.size};`;
}
