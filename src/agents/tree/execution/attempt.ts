import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../../files/make-folder.ts";
import { MARKER_VARIABLE } from "../../../sandbox/host-environment.ts";
import { type Gpus, gpuOf } from "./gpus.ts";
import type { Language } from "./language.ts";
import { splitModules } from "./modules.ts";
import { runScript, type ScriptOutcome } from "./run-script.ts";

/** Where attempts are made and kept. */
export interface Workplace {
  /** `logs/attempts`: code, output and predictions of each attempt, by its step. */
  kept: string;
  /** Scratch folders, removed after each attempt. */
  scratch: string;
  language: Language;
  seed: number;
  threads: number;
  /** Devices as the environment names them, one for each worker in turn. */
  gpus: Gpus;
  /** The worker that an attempt is made by; null where there is only one. */
  slot: number | null;
  /** Whether a program may be several files. */
  modules: boolean;
  /** Looked after when a program has run: all of them share one user, and none is kept from the files of others. */
  guarded: Guarded[];
  log(line: string): void;
}

/** What programs may spoil that is not theirs. */
export interface Guarded {
  what: string;
  /** Puts it back where it was changed or removed. True if it had to. */
  mend(): boolean;
}

export function mendAll({ guarded, log }: Pick<Workplace, "guarded" | "log">, name: string): void {
  for (const { what, mend } of guarded)
    if (mend()) log(`the program of ${name} changed ${what}, which is as before again`);
}

export interface AttemptRequest {
  /** Such as `0007`, or `0007-sample`. */
  name: string;
  code: string;
  /** What the script finds as `./input`. */
  data: string;
  timeoutSeconds: number;
  memoryBytes: number;
}

export interface AttemptResult extends ScriptOutcome {
  /** What it left in `submission/submission.csv`, frozen: moved to the attempt's folder. Null where there is none. */
  predictions: { file: string; sha256: string } | null;
}

/** Runs code in a folder of its own, so that no attempt finds what another one left. */
export async function runAttempt(place: Workplace, request: AttemptRequest): Promise<AttemptResult> {
  const { name, code, data, timeoutSeconds, memoryBytes } = request;
  const folder = path.join(place.scratch, name);
  fs.rmSync(folder, { recursive: true, force: true });
  for (const part of ["submission", "working", "tmp"]) makeFolder(path.join(folder, part));
  fs.symlinkSync(data, path.join(folder, "input"));
  const { main, others } = place.modules ? splitModules(code) : { main: code, others: [] };
  const file = path.join(folder, place.language.fileName(main));
  for (const { name: other, text } of others) fs.writeFileSync(path.join(folder, path.basename(other)), text);
  fs.writeFileSync(file, main);
  const outcome = await runScript({
    command: place.language.command(file),
    cwd: folder,
    env: scriptEnvironment(place, folder, data),
    timeoutSeconds,
    memoryBytes,
    mark: markOf(folder),
  });
  const predictions = freeze(path.join(folder, "submission/submission.csv"), keptFolder(place, name));
  discard(folder);
  mendAll(place, name);
  // Where the folder lies says nothing, and differs between two runs of the same search.
  return { ...outcome, output: outcome.output.replaceAll(folder, "."), predictions };
}

/** Two attempts of one machine never have the same. */
export const markOf = (folder: string) => `${process.pid} ${folder}`;

let discarded = 0;

/** Removes a folder without waiting for it; its name is free at once. What is left goes with the scratch folder. */
export function discard(folder: string): void {
  const away = `${folder}.${++discarded}.gone`;
  try {
    fs.renameSync(folder, away);
  } catch {
    // The program has removed it itself, or what it stands in.
    return;
  }
  fs.rm(away, { recursive: true, force: true }, () => {});
}

/** What stands in its place, made by some program, goes. */
export function keptFolder({ kept }: Pick<Workplace, "kept">, name: string): string {
  const folder = path.join(kept, name);
  if (fs.lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() === false) fs.rmSync(folder);
  makeFolder(folder);
  return folder;
}

/** Scripts get no door to the models: a script that asks one is not a solution, and its calls would be the agent's. */
function scriptEnvironment(place: Workplace, folder: string, data: string): Record<string, string> {
  const passed = ["PATH", "HOME", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "HARDWARE", MARKER_VARIABLE];
  const own = Object.entries(process.env).filter(
    ([name, value]) =>
      value !== undefined && (passed.includes(name) || /^(CUDA|NVIDIA|ROCR|HIP)_/.test(name)),
  ) as [string, string][];
  const threads = String(place.threads);
  return {
    ...Object.fromEntries(own),
    ...gpuOf(place.gpus, place.slot),
    DATA_DIR: data,
    SUBMISSION_DIR: path.join(folder, "submission"),
    TMPDIR: path.join(folder, "tmp"),
    MLEBENCH_SEED: String(place.seed),
    PYTHONHASHSEED: String(place.seed),
    PYTHONDONTWRITEBYTECODE: "1",
    OMP_NUM_THREADS: threads,
    OPENBLAS_NUM_THREADS: threads,
    MKL_NUM_THREADS: threads,
  };
}

/** Beyond it nothing is a submission: copying it would fill the disk. */
const MAX_PREDICTIONS = 4 * 1024 ** 3;

/** Only a regular file counts, and only one that can be held: a link could show another attempt's result. */
export function freeze(file: string, folder: string): AttemptResult["predictions"] {
  const target = path.join(folder, "predictions.csv");
  try {
    fs.rmSync(target, { force: true, recursive: true });
    const stats = fs.lstatSync(file);
    if (!stats.isFile() || stats.size > MAX_PREDICTIONS) return null;
    fs.copyFileSync(file, target);
    fs.chmodSync(target, 0o444);
    return { file: target, sha256: fileDigest(target) };
  } catch {
    return null;
  }
}

/** Where predictions that a step left are as they were then; null for what somebody has changed or removed. */
export function frozenFile(
  { kept }: Pick<Workplace, "kept">,
  name: string,
  sha256: string | null,
): string | null {
  const file = path.join(kept, name, "predictions.csv");
  try {
    return fileDigest(file) === sha256 ? file : null;
  } catch {
    return null;
  }
}

/** Read in pieces: predictions may be large. */
export function fileDigest(file: string): string {
  const hash = createHash("sha256");
  const handle = fs.openSync(file, "r");
  try {
    const piece = Buffer.alloc(1 << 20);
    for (let read = fs.readSync(handle, piece); read > 0; read = fs.readSync(handle, piece))
      hash.update(piece.subarray(0, read));
  } finally {
    fs.closeSync(handle);
  }
  return hash.digest("hex");
}
