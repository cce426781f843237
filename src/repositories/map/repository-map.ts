import fs from "node:fs";
import path from "node:path";
import { findLicence, type Licence } from "../about/licence.ts";
import { findRequirements, type Requirements } from "../about/requirements.ts";
import { type CallEdge, callGraph } from "../graphs/call-graph.ts";
import { type ModuleGraph, moduleGraph } from "../graphs/module-graph.ts";
import { type Module, type ModuleTable, tableOf } from "../graphs/modules.ts";
import { type NameResolver, nameResolver } from "../graphs/resolve-name.ts";
import type { CommandOption } from "../outline/outline.ts";
import { outlineFile } from "../outline/outline-file.ts";
import { languageOf } from "../parse/languages.ts";
import { type Importance, importanceOf } from "../rank/importance.ts";
import { type History, readHistory } from "../source/git-history.ts";
import { openGit } from "../source/git-store.ts";
import { MAX_SOURCE_BYTES, readSource } from "../source/read-source.ts";
import { compareText, type LeftOut, type RepositoryFile, walkFiles } from "../source/walk-files.ts";

/** A file somebody starts, and the options it declares. */
export interface EntryPoint {
  path: string;
  options: CommandOption[];
}

/** Everything we know of a repository without running any of it. */
export interface RepositoryMap {
  name: string;
  root: string;
  commit: string | null;
  files: RepositoryFile[];
  leftOut: LeftOut[];
  /** Source files without an outline, and why. */
  skipped: { path: string; why: string }[];
  modules: Module[];
  table: ModuleTable;
  names: NameResolver;
  graph: ModuleGraph;
  calls: CallEdge[];
  importance: Importance[];
  /** Indexes of modules, the most important first. */
  ranking: number[];
  entryPoints: EntryPoint[];
  requirements: Requirements;
  licence: Licence;
  readme: { path: string; text: string } | null;
  read(file: string, maxBytes?: number): string | null;
}

export interface MapOptions {
  signal?: AbortSignal;
  /** Called now and then with the number of source files read so far. */
  progress?: (done: number, all: number) => void;
}

const MAX_README_BYTES = 400_000;
const MAX_DEAF_MS = 50;

/** Reads a repository: outlines, graphs, ranking. The same folder gives the same map. */
export async function mapRepository(folder: string, options: MapOptions = {}): Promise<RepositoryMap> {
  const root = fs.realpathSync(folder);
  const name = path.basename(root);
  const { files, leftOut } = walkFiles(root);
  const read = (file: string, maxBytes?: number) => readSource(root, file, maxBytes);
  const { sources, skipped } = await outlineAll(files, read, options);
  const table = tableOf(sources, name);
  const names = nameResolver(table);
  const graph = moduleGraph(table, names);
  const calls = callGraph(table, names);
  const { commit, history } = historyOf(root);
  const importance = importanceOf(table.modules, graph, calls, history);
  return {
    name,
    root,
    commit,
    files,
    leftOut,
    skipped,
    modules: table.modules,
    table,
    names,
    graph,
    calls,
    importance,
    ranking: rankingOf(table.modules, importance),
    entryPoints: entryPointsOf(table.modules),
    requirements: findRequirements(files, read),
    licence: findLicence(files, read),
    readme: readmeOf(files, read),
    read,
  };
}

async function outlineAll(
  files: readonly RepositoryFile[],
  read: (file: string) => string | null,
  { signal, progress }: MapOptions,
) {
  const sources: Parameters<typeof tableOf>[0][number][] = [];
  const skipped: { path: string; why: string }[] = [];
  const wanted = files.filter(({ path: file }) => languageOf(file) !== null);
  let heard = Number.NEGATIVE_INFINITY;
  for (const [done, { path: file, bytes }] of wanted.entries()) {
    signal?.throwIfAborted();
    if (performance.now() - heard > MAX_DEAF_MS) {
      progress?.(done, wanted.length);
      // So that a Ctrl-C, or the clock of whoever asked, is heard in between.
      await new Promise((resolve) => setImmediate(resolve));
      heard = performance.now();
    }
    const text = read(file);
    if (text === null) {
      skipped.push({
        path: file,
        why: bytes > MAX_SOURCE_BYTES ? `over ${MAX_SOURCE_BYTES} bytes` : "not text",
      });
      continue;
    }
    const outlined = await outlineFile(file, text);
    if (outlined?.status === "outlined")
      sources.push({ path: file, outline: outlined.outline, cells: outlined.cells });
    else if (outlined) skipped.push({ path: file, why: outlined.why });
  }
  progress?.(wanted.length, wanted.length);
  return { sources, skipped };
}

function historyOf(root: string): { commit: string | null; history: History | null } {
  const store = openGit(root);
  if (store === null) return { commit: null, history: null };
  try {
    return { commit: store.commit, history: readHistory(store) };
  } finally {
    store.close();
  }
}

function rankingOf(modules: readonly Module[], importance: readonly Importance[]): number[] {
  const order = modules.map((_, index) => index);
  return order.sort(
    (a, b) => importance[b].total - importance[a].total || compareText(modules[a].path, modules[b].path),
  );
}

/** Files with a main guard, a shebang, options of a command line, or the name everybody gives such a file. */
function entryPointsOf(modules: readonly Module[]): EntryPoint[] {
  const usual = /^(main|__main__|train|predict|inference|run|app|cli|demo)\.(py|js|mjs|r)$/i;
  return modules.flatMap(({ path: file, outline }) => {
    if (isTest(file)) return [];
    const named =
      usual.test(path.posix.basename(file)) && outline.definitions.length + outline.calls.length > 0;
    if (!outline.isScript && outline.options.length === 0 && !named) return [];
    return [{ path: file, options: outline.options }];
  });
}

/** Tests call everything; they are never what somebody looks for, nor a sign that something matters. */
export function isTest(file: string): boolean {
  return /(^|\/)(tests?|testing|conftest\.py)(\/|$)|(^|\/)test_[^/]*$|_test\.\w+$/.test(file);
}

function readmeOf(files: readonly RepositoryFile[], read: (file: string, max: number) => string | null) {
  const candidates = files
    .map((file) => file.path)
    .filter((file) => /^readme(\.\w+)?$/i.test(path.posix.basename(file)))
    .sort((a, b) => a.split("/").length - b.split("/").length || compareText(a, b));
  for (const file of candidates.slice(0, 3)) {
    const text = read(file, MAX_README_BYTES);
    if (text !== null) return { path: file, text };
  }
  return null;
}
