import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { userCacheFolder } from "../../data/place/data-folder.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { installedFiles, isUnchanged } from "./installed-files.ts";
import { npmInstall } from "./npm.ts";
import { CODING_PROGRAM_IDS, CODING_PROGRAMS, type CodingProgram, type CodingProgramId } from "./programs.ts";

/** What was installed, written beside it. */
export const InstalledProgram = z.looseObject({
  schema: z.literal("mlebench.installed-program"),
  version: z.literal(1),
  id: z.string(),
  package: z.string(),
  packageVersion: z.string(),
  /** As npm checked it, of the package and of every other that came with it. */
  integrity: z.string(),
  lockDigest: z.string(),
  /** What its files were then; records of earlier releases have none. */
  files: z.object({ digest: z.string(), stamp: z.string() }).optional(),
});
export type InstalledProgram = z.infer<typeof InstalledProgram>;

export type InstallOutcome =
  | { status: "installed" | "already there"; program: InstalledProgram; folder: string }
  | { status: "failed"; message: string; nextStep: string }
  | { status: "interrupted" };

/** `changed`: its files are no longer those that npm installed. */
export interface FoundProgram {
  program: InstalledProgram;
  folder: string;
  isChanged: boolean;
}

const RECORD = "mlebench-program.json";
/** An exact version and nothing else: no range, no tag, no path, and nothing that is still being installed. */
const VERSION = /^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]{1,40})?$/;

function programFolder(id: CodingProgramId, version: string): string {
  return path.resolve(userCacheFolder(), "mle-bench", "agents", `${id}@${version}`);
}

/** A program, or one exact version of it: `codex`, `codex@0.170.0`. Null: it is neither. */
export function readProgramName(name: string): { id: CodingProgramId; version: string | null } | null {
  const [id, version = null] = name.split(/@(.*)/s);
  const known = CODING_PROGRAM_IDS.find((one) => one === id);
  return known !== undefined && (version === null || VERSION.test(version)) ? { id: known, version } : null;
}

/** The version that is asked for; else the pinned one, else the newest of what is installed. Null when there is none. */
export function findInstalled(id: CodingProgramId, version: string | null = null): FoundProgram | null {
  const parent = path.dirname(programFolder(id, "0"));
  const installed = (fs.existsSync(parent) ? fs.readdirSync(parent) : [])
    .map((name) => readProgramName(name))
    .flatMap((name) => (name?.id === id && name.version !== null ? [name.version] : []))
    .sort((a, b) => b.localeCompare(a, "en", { numeric: true }));
  const order = version === null ? [CODING_PROGRAMS[id].version, ...installed] : [version];
  for (const one of order) {
    const folder = programFolder(id, one);
    const program = readInstalled(folder);
    if (program) return { program, folder, isChanged: !isAsInstalled(folder, program) };
  }
  return null;
}

const isAsInstalled = (folder: string, { files }: InstalledProgram) =>
  files === undefined || isUnchanged(modulesOf(folder), files);

const modulesOf = (folder: string) => path.join(folder, "node_modules");

/** Installs by exact version into the user's cache; no script of the package runs. */
export async function installProgram(
  id: CodingProgramId,
  version: string = CODING_PROGRAMS[id].version,
  interrupted?: AbortSignal,
): Promise<InstallOutcome> {
  const wanted: CodingProgram = CODING_PROGRAMS[id];
  const folder = programFolder(id, version);
  const known = readInstalled(folder);
  if (known && isAsInstalled(folder, known)) return { status: "already there", program: known, folder };
  const parent = path.dirname(folder);
  removeLeftOvers(parent);
  makeFolder(parent);
  // Several may be at it, on several machines: each has a folder of its own.
  const partial = fs.mkdtempSync(path.join(parent, `.partial-${id}-`));
  try {
    fs.chmodSync(partial, 0o755);
    fs.writeFileSync(path.join(partial, "package.json"), '{"private":true}\n');
    const failure = await npmInstall(partial, wanted.package, version, interrupted);
    if (interrupted?.aborted) return { status: "interrupted" };
    if (failure !== null)
      return failed(
        `npm could not install ${wanted.package}@${version}: ${failure.words}`,
        failure.code === "ETARGET" && version !== wanted.version
          ? `${failure.nextStep}; or take the one that was tried: mlebench agents install ${id}`
          : failure.nextStep,
      );
    if (!wanted.entries.some((entry) => fs.existsSync(path.join(modulesOf(partial), entry.path))))
      return failed(
        `${wanted.package}@${version} holds no program for this machine (${process.platform} ${process.arch}).`,
        `try the version that was tested: mlebench agents install ${id}@${wanted.version}`,
      );
    writeRecord(partial, id, wanted.package, version);
    return placeProgram(partial, folder);
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
  }
}

/** Where another one was quicker, its program stays: trials may have it mounted by now. */
function placeProgram(partial: string, folder: string): InstallOutcome {
  for (let tries = 0; ; tries++) {
    const isThere = fs.existsSync(folder);
    const there = isThere ? readInstalled(folder) : null;
    if (there && isAsInstalled(folder, there)) return { status: "already there", program: there, folder };
    if (isThere) removeDamaged(folder);
    try {
      fs.renameSync(partial, folder);
      return { status: "installed", program: readInstalled(folder)!, folder };
    } catch (error) {
      const isTaken = ["EEXIST", "ENOTEMPTY"].includes((error as NodeJS.ErrnoException).code ?? "");
      if (!isTaken || tries === MAX_RENAMES) throw error;
    }
  }
}

/** Each failure means that another one has put something there in between. */
const MAX_RENAMES = 5;

/** Moved aside first: another one may have replaced it by a sound one since it was looked at, which then stays. */
function removeDamaged(folder: string): void {
  const aside = fs.mkdtempSync(path.join(path.dirname(folder), ".partial-damaged-"));
  const moved = path.join(aside, "moved");
  try {
    fs.renameSync(folder, moved);
    const program = readInstalled(moved);
    if (program && isAsInstalled(moved, program) && !fs.existsSync(folder)) fs.renameSync(moved, folder);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  } finally {
    fs.rmSync(aside, { recursive: true, force: true });
  }
}

const DAY_MS = 24 * 3_600_000;

/** Of an installation that was killed; a younger one may still be going on, on another machine perhaps. */
function removeLeftOvers(parent: string): void {
  if (!fs.existsSync(parent)) return;
  for (const name of fs.readdirSync(parent).filter((one) => one.includes(".partial-"))) {
    const place = path.join(parent, name);
    const since = Date.now() - (fs.statSync(place, { throwIfNoEntry: false })?.mtimeMs ?? 0);
    if (since > DAY_MS) fs.rmSync(place, { recursive: true, force: true });
  }
}

/** What was written beside it; null where nothing, or something else, was installed. */
export function readInstalled(folder: string): InstalledProgram | null {
  try {
    const parsed = InstalledProgram.safeParse(JSON.parse(fs.readFileSync(path.join(folder, RECORD), "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function writeRecord(folder: string, id: string, name: string, version: string): void {
  const text = fs.readFileSync(path.join(folder, "package-lock.json"), "utf8");
  const { packages } = JSON.parse(text) as {
    packages: Record<string, { version?: string; integrity?: string }>;
  };
  const digests = Object.entries(packages).map(
    ([place, { version: of, integrity }]) => `${place} ${of} ${integrity}`,
  );
  const record: InstalledProgram = {
    schema: "mlebench.installed-program",
    version: 1,
    id,
    package: name,
    packageVersion: packages[`node_modules/${name}`]?.version ?? version,
    integrity: packages[`node_modules/${name}`]?.integrity ?? "unknown",
    lockDigest: createHash("sha256").update(digests.sort().join("\n")).digest("hex"),
    files: installedFiles(modulesOf(folder)),
  };
  fs.writeFileSync(path.join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`);
}

const failed = (message: string, nextStep: string): InstallOutcome => ({
  status: "failed",
  message,
  nextStep,
});
