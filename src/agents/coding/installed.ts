import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import fs from "node:fs";
import path from "node:path";
import { z } from "zod";
import { userCacheFolder } from "../../data/place/data-folder.ts";
import { makeFolder } from "../../files/make-folder.ts";
import { CODING_PROGRAMS, type CodingProgram, type CodingProgramId } from "./programs.ts";

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
});
export type InstalledProgram = z.infer<typeof InstalledProgram>;

/** An exact version and nothing else: no range, no tag, no path. */
export const isExactVersion = (version: string): boolean => VERSION.test(version);

export type InstallOutcome =
  | { status: "installed" | "already there"; program: InstalledProgram; folder: string }
  | { status: "failed"; message: string; nextStep: string };

const RECORD = "mlebench-program.json";
const VERSION = /^\d+\.\d+\.\d+[0-9A-Za-z.+-]{0,40}$/;

function programFolder(id: CodingProgramId, version: string): string {
  return path.join(userCacheFolder(), "mle-bench", "agents", `${id}@${version}`);
}

/** The newest of what is installed, the pinned version first; null when there is none. */
export function findInstalled(id: CodingProgramId): { program: InstalledProgram; folder: string } | null {
  const parent = path.dirname(programFolder(id, "0"));
  const pinned = `${id}@${CODING_PROGRAMS[id].version}`;
  const names = fs.existsSync(parent)
    ? fs.readdirSync(parent).filter((name) => name.startsWith(`${id}@`))
    : [];
  const order = [
    pinned,
    ...names
      .filter((name) => name !== pinned)
      .sort()
      .reverse(),
  ];
  for (const name of order) {
    const folder = path.join(parent, name);
    const program = readRecord(folder);
    if (program) return { program, folder };
  }
  return null;
}

/** Installs by exact version into the user's cache; no script of the package runs. */
export async function installProgram(
  id: CodingProgramId,
  version: string = CODING_PROGRAMS[id].version,
  onLine: (line: string) => void = () => {},
): Promise<InstallOutcome> {
  const wanted: CodingProgram = CODING_PROGRAMS[id];
  const folder = programFolder(id, version);
  const known = readRecord(folder);
  if (known) return { status: "already there", program: known, folder };
  const partial = `${folder}.partial-${process.pid}`;
  makeFolder(partial);
  try {
    fs.writeFileSync(path.join(partial, "package.json"), '{"private":true}\n');
    const { code, words } = await npmInstall(partial, `${wanted.package}@${version}`, onLine);
    if (code !== 0)
      return failed(
        `npm could not install ${wanted.package}@${version}: ${words}`,
        "look at npm's own words; a registry must be reachable",
      );
    if (!wanted.entries.some((entry) => fs.existsSync(path.join(partial, "node_modules", entry.path))))
      return failed(
        `${wanted.package}@${version} holds no program for this machine (${process.platform} ${process.arch}).`,
        `try the version that was tested: mlebench agents install ${id}@${wanted.version}`,
      );
    const program = writeRecord(partial, id, wanted.package, version);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(partial, folder);
    return { status: "installed", program, folder };
  } finally {
    fs.rmSync(partial, { recursive: true, force: true });
  }
}

function npmInstall(folder: string, name: string, onLine: (line: string) => void) {
  const options = [
    "install",
    "--save-exact",
    "--ignore-scripts",
    "--no-audit",
    "--no-fund",
    "--loglevel=error",
    name,
  ];
  return new Promise<{ code: number | null; words: string }>((resolve) => {
    const child = spawn("npm", options, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    let words = "";
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (piece: Buffer) => {
        words = (words + piece.toString()).slice(-2000);
        for (const line of piece.toString().split("\n")) if (line.trim() !== "") onLine(line);
      });
    child.on("error", (error) => resolve({ code: null, words: error.message }));
    child.on("close", (code) => resolve({ code, words: words.trim().split("\n").at(-1) ?? "" }));
  });
}

function readRecord(folder: string): InstalledProgram | null {
  try {
    const parsed = InstalledProgram.safeParse(JSON.parse(fs.readFileSync(path.join(folder, RECORD), "utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

function writeRecord(folder: string, id: string, name: string, version: string): InstalledProgram {
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
  };
  fs.writeFileSync(path.join(folder, RECORD), `${JSON.stringify(record, null, 2)}\n`);
  return record;
}

const failed = (message: string, nextStep: string): InstallOutcome => ({
  status: "failed",
  message,
  nextStep,
});
