import fs from "node:fs";
import path from "node:path";
import { makeFolder } from "../../files/make-folder.ts";
import type { PreparationStep, PrepareOutcome, PrepareProblem, Preparer, Settings } from "../preparer.ts";
import type { PreparationStopped } from "./stop-preparing.ts";

export interface PreparerRun {
  readonly preparer: Preparer;
  readonly version?: "v1" | "v2";
  readonly raw: string;
  /** Becomes the parent of `public` and `private`. Whatever it holds of an earlier attempt is removed first. */
  readonly out: string;
  /** Replacements of the preparer's constants. */
  readonly settings?: Settings;
  readonly onProgress?: (step: PreparationStep) => void;
  readonly signal?: AbortSignal;
}

/**
 * Runs one preparer into a folder of its own. Problems of the data, the disk and the settings are outcomes; only a bug throws. After
 * anything but `prepared` the folder is incomplete and belongs to the caller to remove.
 */
export async function runPreparer(run: PreparerRun): Promise<PrepareOutcome> {
  const { preparer, raw, out, version = "v1" } = run;
  const warnings: string[] = [];
  const failed = (problem: PrepareProblem): PrepareOutcome => ({ status: "failed", problem, warnings });
  const prepare = version === "v1" ? preparer.prepare : preparer.prepareV2;
  if (!prepare) return failed(noSuchVersion());
  const settings = overlaid(preparer.settings ?? {}, run.settings ?? {});
  if ("problem" in settings) return failed(settings.problem);
  const signal = run.signal ?? new AbortController().signal;
  const folders = emptyFolders(out);
  try {
    await prepare.call(preparer, {
      raw,
      ...folders,
      settings: settings.values,
      warn: (message) => warnings.push(message),
      progress: run.onProgress ?? (() => {}),
      signal,
    });
    return { status: "prepared", warnings };
  } catch (error) {
    if (signal.aborted) return { status: "interrupted" };
    if (isStop(error)) return failed(error.problem);
    const problem = systemProblem(error, raw);
    if (problem) return failed(problem);
    throw error;
  } finally {
    fs.rmSync(folders.scratch, { recursive: true, force: true });
  }
}

/** By name: a user's own preparer takes the shared blocks from the package's entry point, which has its own copy of the class. */
function isStop(error: unknown): error is PreparationStopped {
  return error instanceof Error && error.name === "PreparationStopped" && "problem" in error;
}

function emptyFolders(out: string): { public: string; private: string; scratch: string } {
  const folders = {
    public: path.join(out, "public"),
    private: path.join(out, "private"),
    scratch: path.join(out, "scratch"),
  };
  for (const folder of Object.values(folders)) {
    fs.rmSync(folder, { recursive: true, force: true });
    makeFolder(folder);
  }
  return folders;
}

/** The defaults with the given replacements, which must have the same type; a key without a default is refused. */
function overlaid(
  defaults: Settings,
  replacements: Settings,
): { values: Settings } | { problem: PrepareProblem } {
  for (const [key, value] of Object.entries(replacements)) {
    if (Object.hasOwn(defaults, key) && typeof defaults[key] === typeof value) continue;
    const known = Object.entries(defaults).map(([name, standard]) => `${name} (${standard})`);
    const message = Object.hasOwn(defaults, key)
      ? `The setting ${key} must be a ${typeof defaults[key]}.`
      : `This competition has no setting ${key}.`;
    const next = known.length > 0 ? `It has: ${known.join(", ")}.` : "It has none.";
    return { problem: { code: "BAD_SETTING", file: null, message, next } };
  }
  return { values: { ...defaults, ...replacements } };
}

function noSuchVersion(): PrepareProblem {
  return {
    code: "NO_SUCH_VERSION",
    file: null,
    message: "The data of this competition have no version v2.",
    next: "Prepare version v1.",
  };
}

/** A problem of the disk, or a raw file that is not there; null for anything that looks like a bug of ours. */
function systemProblem(error: unknown, raw: string): PrepareProblem | null {
  if (!(error instanceof Error) || !("code" in error) || !("syscall" in error)) return null;
  const file = "path" in error && typeof error.path === "string" ? error.path : null;
  if (error.code === "ENOENT" && file !== null && !path.relative(raw, file).startsWith("..")) {
    const name = path.relative(raw, file);
    return {
      code: "RAW_FILE_MISSING",
      file: name,
      message: `${name} is not in the raw data.`,
      next: "Check that the download is complete and unpacked; if in doubt download it again.",
    };
  }
  if (error.code === "ENOSPC" || error.code === "EDQUOT") {
    const message = "The disk is full.";
    return { code: "DISK_FULL", file, message, next: "Free some space and prepare again." };
  }
  if (error.code === "ENOENT") return null;
  return {
    code: "HOST_FAILED",
    file,
    message: `The file system refused: ${error.message}.`,
    next: "Check permissions and the disk, then prepare again.",
  };
}
