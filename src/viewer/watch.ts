import fs from "node:fs";
import path from "node:path";
import { foldersIn } from "../trials/group/folder.ts";
import { trialPaths } from "../trials/trial/folder.ts";
import { isSettled, type Store } from "./store.ts";

/** What has changed on disk: the list of groups, a group, or a trial of it. */
export interface Change {
  group: string | null;
  trial: string | null;
}

export interface Watcher {
  close(): void;
}

/** Watches are few on some systems; further trials are looked at by the clock. */
const MAX_WATCHES = 200;
/** Changes of other machines on a shared disk raise no event here. */
const LOOK_MS = 2000;
const GATHER_MS = 120;
const ARRANGE_EVERY = 3;
const MAX_BEGINNINGS = 20;

/**
 * Tells of changes in the runs folder, in groups that are not finished and in trials that run; what is settled is left
 * alone. Nothing is read here but names and times.
 */
export function watchRuns(store: Store, tell: (changes: Change[]) => void): Watcher {
  const watches = new Map<string, fs.FSWatcher>();
  const marks = new Map<string, string>();
  const gathered = new Map<string, Change>();
  let timer: NodeJS.Timeout | null = null;
  let current = new Map<string, Change>();
  let looks = 0;

  function note(change: Change): void {
    gathered.set(`${change.group}/${change.trial}`, change);
    timer ??= setTimeout(() => {
      timer = null;
      const changes = [...gathered.values()];
      gathered.clear();
      for (const { group } of changes) store.forget(group);
      arrange();
      tell(changes);
    }, GATHER_MS);
  }

  function watch(folder: string, change: Change): void {
    if (watches.has(folder) || watches.size >= MAX_WATCHES) return;
    try {
      const watcher = fs.watch(folder, { persistent: false }, () => note(change));
      watcher.on("error", () => unwatch(folder));
      watches.set(folder, watcher);
      // What was written before anybody watched has not been told of.
      if (current.size > 0) note(change);
    } catch {
      // It is gone, or there are no watches left: the clock sees it.
    }
  }

  function unwatch(folder: string): void {
    watches.get(folder)?.close();
    watches.delete(folder);
  }

  /** Which folders are worth a watch now. */
  function arrange(): void {
    const wanted = new Map<string, Change>([[store.runsDir, { group: null, trial: null }]]);
    const groups = store.groups();
    for (const folder of beginnings(
      store.runsDir,
      groups.map(({ id }) => id),
    ))
      wanted.set(folder, { group: null, trial: null });
    for (const group of groups) {
      if (isSettled(group)) continue;
      wanted.set(path.join(store.runsDir, group.id), { group: group.id, trial: null });
      for (const { id, state } of group.cells) {
        if (state !== "running") continue;
        const paths = trialPaths(path.join(store.runsDir, group.id, id));
        wanted.set(paths.folder, { group: group.id, trial: id });
        wanted.set(paths.model, { group: group.id, trial: id });
      }
    }
    for (const folder of watches.keys()) if (!wanted.has(folder)) unwatch(folder);
    for (const [folder, change] of wanted) watch(folder, change);
    current = wanted;
  }

  /** What the clock compares: times of the folders and of the few files that grow in place. */
  function look(): void {
    if (++looks % ARRANGE_EVERY === 0) arrange();
    for (const [folder, change] of current) {
      const mark = ["", "events.jsonl", "run.log", "ledger.jsonl", "heartbeat.json"]
        .map((name) => fs.statSync(path.join(folder, name), { throwIfNoEntry: false }))
        .map((stats) => (stats === undefined ? "-" : `${stats.mtimeMs}/${stats.size}`))
        .join(" ");
      const before = marks.get(folder);
      marks.set(folder, mark);
      if (before !== undefined && before !== mark) note(change);
    }
  }

  arrange();
  const clock = setInterval(look, LOOK_MS);
  clock.unref();
  return {
    close() {
      clearInterval(clock);
      if (timer !== null) clearTimeout(timer);
      for (const folder of [...watches.keys()]) unwatch(folder);
    },
  };
}

/** Folders that are not run groups yet: somebody may be making one. */
function beginnings(runsDir: string, groups: readonly string[]): string[] {
  const known = new Set(groups.map((id) => id.split(path.sep)[0]));
  return foldersIn(runsDir)
    .filter((folder) => !known.has(path.basename(folder)))
    .slice(0, MAX_BEGINNINGS);
}
