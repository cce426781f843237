import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { maskText } from "../wording/secrets.ts";
import { frontEnd } from "./page.ts";
import type { Ask } from "./routes/route.ts";
import { ROUTES } from "./routes/routes.ts";
import { inScripts, keyOf, scriptText } from "./script-text.ts";
import { openStore, type Store } from "./store.ts";

export interface ExportOptions {
  runsDir: string;
  /** Must be new or empty: nothing of anybody's is overwritten. */
  folder: string;
  competitionsDir?: string | undefined;
  /** What was said to and by models goes along. */
  transcripts: boolean;
  /** Values that must not appear anywhere. */
  secrets: readonly string[];
  onProgress?: (done: number, of: number) => void;
  signal?: AbortSignal;
}

export type ExportOutcome =
  | { ok: true; files: number; bytes: number }
  | { ok: false; code: "INTERRUPTED" }
  | { ok: false; code: "NO_RUNS" | "NOT_EXPORTED" | "TOO_MANY_TRIALS"; message: string };

const PAGE = "index.html";
const PARTIAL = ".partial";
const MAX_TRIALS = 2000;
const MAX_CALLS = 200;
const MAX_FILE = 64 * 1024;

/**
 * Writes the viewer's pages as files that need no server: the answers it would give are scripts, which a browser also
 * loads from disk.
 */
export async function exportViewer(options: ExportOptions): Promise<ExportOutcome> {
  const { runsDir, folder } = options;
  const isThere = fs.existsSync(folder);
  if (isThere && fs.readdirSync(folder).some((name) => name !== PARTIAL))
    return { ok: false, code: "NOT_EXPORTED", message: `${folder} is not empty.` };
  const store = openStore(runsDir, options.competitionsDir);
  const groups = store.groups();
  const trials = groups.reduce((sum, { cells }) => sum + cells.length, 0);
  if (groups.length === 0)
    return { ok: false, code: "NO_RUNS", message: `There are no run groups in ${runsDir}.` };
  if (trials > MAX_TRIALS)
    return {
      ok: false,
      code: "TOO_MANY_TRIALS",
      message: `${trials} trials are too many for pages without a server; export a part of them.`,
    };
  // There are whole pages or none; what a killed process left of others is not looked at.
  const partial = path.join(folder, PARTIAL);
  fs.rmSync(partial, { recursive: true, force: true });
  try {
    const written = await writePages(partial, store, options);
    if (options.signal?.aborted) return { ok: false, code: "INTERRUPTED" };
    // The page itself comes last.
    for (const name of fs.readdirSync(partial).sort((a, b) => Number(a === PAGE) - Number(b === PAGE)))
      fs.renameSync(path.join(partial, name), path.join(folder, name));
    return { ok: true, ...written };
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
    if (!isThere && fs.existsSync(folder) && fs.readdirSync(folder).length === 0) fs.rmdirSync(folder);
  }
}

async function writePages(
  folder: string,
  store: Store,
  options: ExportOptions,
): Promise<{ files: number; bytes: number }> {
  const secrets = inScripts(options.secrets);
  const groups = store.groups();
  const trials = groups.reduce((sum, { cells }) => sum + cells.length, 0);
  await allFacts(store, options.signal);
  makeFolder(path.join(folder, "data"));
  const files: Record<string, string> = {};
  let bytes = 0;
  const write = (name: string, text: string) => {
    const masked = maskText(text, secrets);
    bytes += Buffer.byteLength(masked);
    writeFileAtomically(path.join(folder, name), masked);
  };
  const keep = async (name: string, ask: Ask = {}): Promise<unknown> => {
    if (options.signal?.aborted) return null;
    const result = await ROUTES[name](store, ask);
    if (!result.ok) return null;
    const key = keyOf(name, ask);
    const file = `${Object.keys(files).length}.js`;
    files[key] = file;
    write(`data/${file}`, `mlebenchData(${scriptText(key)},${scriptText(result.value)});\n`);
    return result.value;
  };
  await keep("runs");
  await keep("standings");
  let done = 0;
  for (const group of groups) {
    for (const name of ["group", "spending", "agent", "integrity"]) await keep(name, { group: group.id });
    if (group.graded) await keep("report", { groups: group.id });
    for (const cell of group.cells) {
      await keepTrial(keep, group.id, cell.id, options);
      options.onProgress?.(++done, trials);
      // Otherwise nobody would hear of Ctrl-C before the end.
      await new Promise(setImmediate);
    }
  }
  for (const id of new Set(groups.flatMap(({ cells }) => cells.map(({ competitionId }) => competitionId))))
    await keep("competition", { id });
  const graded = groups.filter((group) => group.graded).slice(0, 6);
  for (const [i, a] of graded.entries())
    for (const b of graded.slice(i + 1)) await keep("report", { groups: `${a.id}|${b.id}` });
  if (graded.length > 2) await keep("report", { groups: graded.map(({ id }) => id).join("|") });
  write("data/index.js", `globalThis.mlebenchExport=${scriptText({ files, note: "" })};\n`);
  for (const name of ["app.js", "app.css", "LICENSES.txt"] as const) write(name, frontEnd(name));
  write(PAGE, page());
  return { files: Object.keys(files).length + 5, bytes };
}

type Keep = (name: string, ask: Ask) => Promise<unknown>;

async function keepTrial(
  keep: Keep,
  group: string,
  trial: string,
  { transcripts }: ExportOptions,
): Promise<void> {
  const ask = { group, trial };
  for (const name of ["trial", "events", "usage", "certificate", "integrity"]) await keep(name, ask);
  for (const name of ["run.log", "stdout.log", "stderr.log"]) await keep("log", { ...ask, name });
  const { files = [] } = ((await keep("files", ask)) ?? {}) as { files?: { path: string; bytes: number }[] };
  for (const { path: name, bytes } of files)
    if (bytes <= MAX_FILE && /^(code|submission)\//.test(name) && !/\.csv$/.test(name))
      await keep("file", { ...ask, path: name });
  const journal = (await keep("journal", ask)) as { search: { steps: { id: string }[] } } | null;
  for (const { id } of journal?.search.steps.slice(0, MAX_CALLS) ?? [])
    await keep("journal-step", { ...ask, step: id });
  const { calls = [] } = ((await keep("calls", ask)) ?? {}) as { calls?: [number, string, string | null][] };
  if (!transcripts) return;
  for (let from: number | null = 0; from !== null && from < MAX_CALLS; ) {
    const part = (await keep("commands", { ...ask, ...(from > 0 ? { from: String(from) } : {}) })) as {
      next: number | null;
    } | null;
    from = part?.next ?? null;
  }
  for (const [i, [seq, , role]] of calls.slice(0, MAX_CALLS).entries()) {
    const previous = calls.slice(0, i).findLast((one) => one[2] === role)?.[0];
    await keep("call", {
      ...ask,
      call: String(seq),
      ...(previous === undefined ? {} : { previous: String(previous) }),
    });
  }
}

/** Costs and blame come from the trials' own records, which are read in the background. */
async function allFacts(store: Store, signal: AbortSignal | undefined): Promise<void> {
  for (const group of store.groups())
    while (!store.facts(group).complete && !signal?.aborted)
      await new Promise((resolve) => setTimeout(resolve, 5));
}

/** Everything may come from beside the page, and nothing from elsewhere. */
const POLICY =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; style-src-attr 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

function page(): string {
  return frontEnd("index.html")
    .replace(
      '<meta name="viewport"',
      `<meta http-equiv="Content-Security-Policy" content="${POLICY}">\n<meta name="viewport"`,
    )
    .replace('<script src="app.js">', '<script src="data/index.js"></script>\n<script src="app.js">');
}
