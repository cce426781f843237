import { lstatSync, readdirSync, renameSync, rmSync, statSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { makeFolder } from "../files/make-folder.ts";
import { type ArchiveKind, archiveKind } from "./archive-kind.ts";
import { type ArchiveProblem, refuse, refuseSystemError } from "./archive-problem.ts";
import { defaultLimits, type ExtractLimits } from "./limits.ts";
import { unpackSevenZip } from "./seven-zip.ts";
import { unpackTar } from "./tar.ts";
import type { ExtractProgress, UnpackJob, UnpackOutcome } from "./unpack-job.ts";
import { unpackZip } from "./zip-reader.ts";

export type Extracted = { status: "extracted"; format: ArchiveKind; files: number; bytes: number };
export type ExtractOutcome = Extracted | ArchiveProblem;

export type ExtractOptions = {
  limits?: Partial<ExtractLimits>;
  /** Which entries to extract, by path inside the archive. All by default. */
  only?: (path: string) => boolean;
  onProgress?: (progress: ExtractProgress) => void;
  signal?: AbortSignal;
};

/**
 * Extracts a zip, 7z, tar or tar.gz, told apart by content, into `target`, which may exist: its other files stay, files
 * of the same path are replaced. Everything is unpacked beside the target first, so a refusal leaves the target as it was.
 */
export async function extractArchive(
  archive: string,
  target: string,
  options: ExtractOptions = {},
): Promise<ExtractOutcome> {
  const label = basename(archive);
  const destination = resolve(target);
  const folder = `${destination}${leftoverMark()}${Math.random().toString(36).slice(2)}`;
  try {
    const kind = statSync(archive).isFile() ? archiveKind(archive) : null;
    if (kind === null)
      return refuse("NOT_AN_ARCHIVE", label, null, "is not an archive of a kind we can read");
    removeLeftovers(destination);
    makeFolder(folder);
    const unpacked = await unpack(kind, {
      archive,
      label,
      folder,
      limits: { ...defaultLimits, ...options.limits },
      only: options.only ?? (() => true),
      onProgress: options.onProgress ?? (() => {}),
      signal: options.signal ?? null,
    });
    if (unpacked.status === "refused") return unpacked;
    const conflict = mergeFolder(folder, destination);
    if (conflict !== null) {
      return refuse(
        "TARGET_CONFLICT",
        label,
        conflict,
        "would replace a folder, a file or a link of another kind",
      );
    }
    return { status: "extracted", format: kind, files: unpacked.files, bytes: unpacked.bytes };
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return refuse("NOT_FOUND", label, null, "does not exist");
    }
    const problem = refuseSystemError(error, label, null);
    if (problem) return problem;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function unpack(kind: ArchiveKind, job: UnpackJob): Promise<UnpackOutcome> {
  switch (kind) {
    case "zip":
      return unpackZip(job);
    case "7z":
      return unpackSevenZip(job);
    case "tar":
      return unpackTar(job, false);
    case "gzip":
      return unpackTar(job, true);
  }
}

function leftoverMark(pid: number | string = process.pid): string {
  return `.extracting-${hostname()}-${pid}-`;
}

/** Removes what a killed process of this machine left beside the same target. A live one may be extracting right now. */
function removeLeftovers(destination: string): void {
  const parent = dirname(destination);
  const start = `${basename(destination)}${leftoverMark("")}`.slice(0, -1);
  let names: string[];
  try {
    names = readdirSync(parent);
  } catch {
    return;
  }
  for (const name of names) {
    if (!name.startsWith(start)) continue;
    const pid = Number(name.slice(start.length).split("-")[0]);
    if (Number.isInteger(pid) && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return !(error instanceof Error && "code" in error && error.code === "ESRCH");
  }
}

/**
 * Moves a finished folder to its place by renaming, never copying. Where the place exists, folders are joined and files
 * replaced. Answers the relative path at which a file would meet a folder or a link, having moved nothing; null if done.
 */
function mergeFolder(from: string, to: string): string | null {
  const conflict = findConflict(from, to, "");
  if (conflict !== null) return conflict;
  makeFolder(dirname(to));
  move(from, to);
  return null;
}

function findConflict(from: string, to: string, path: string): string | null {
  // The target itself may be a link the user made; below it a link could lead anywhere.
  const look = path === "" ? statSync : lstatSync;
  const here = look(join(to, path), { throwIfNoEntry: false });
  if (here === undefined) return null;
  if (!lstatSync(join(from, path)).isDirectory()) return here.isFile() ? null : path;
  if (!here.isDirectory()) return path === "" ? "." : path;
  for (const name of readdirSync(join(from, path))) {
    const conflict = findConflict(from, to, path === "" ? name : `${path}/${name}`);
    if (conflict !== null) return conflict;
  }
  return null;
}

function move(from: string, to: string): void {
  if (lstatSync(to, { throwIfNoEntry: false }) === undefined || !lstatSync(from).isDirectory()) {
    renameSync(from, to);
    return;
  }
  for (const name of readdirSync(from)) move(join(from, name), join(to, name));
}
