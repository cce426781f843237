import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { regularFiles } from "../../files/folder-digest.ts";
import type { RepositoryMap } from "../../repositories/map/repository-map.ts";

/** A Python of its own for one repository, and what of its requirements is there. */
export interface Environment {
  /** `folder`: this Python makes no virtual environment, so packages lie beside it. */
  kind: "venv" | "folder" | "none";
  /** Requirements that are met as they are written. */
  met: string[];
  /** Met in another version than the one that is asked for: nothing else is at hand. */
  relaxed: string[];
  missing: string[];
  /** Lines of requirements that no tool would understand. */
  broken: string[];
  /** What is wrong, in sentences. */
  notes: string[];
  /** For everything that is started while it is in use. */
  variables: Record<string, string>;
}

const MAX_REQUIREMENTS = 60;
const MAX_WHEEL_FOLDERS = 20;
const STEP_MS = 60_000;

/**
 * Makes an environment from wheels that lie among the materials or in the repository; nothing is fetched, nothing is
 * built and no setup script is run. What cannot be met is said, and the work goes on without it.
 */
export function makeEnvironment(
  map: RepositoryMap,
  materials: string,
  options: { seconds: number; place?: string },
): Environment {
  try {
    return build(map, materials, options);
  } catch (error) {
    // A full disk or an odd Python must not end the work on the task.
    return noEnvironment([`it could not be made (${(error as Error).message})`]);
  }
}

/** What the sandbox has is all there is. */
export function noEnvironment(notes: string[]): Environment {
  return { kind: "none", met: [], relaxed: [], missing: [], broken: [], notes, variables: {} };
}

function build(
  map: RepositoryMap,
  materials: string,
  { seconds, place = os.tmpdir() }: { seconds: number; place?: string },
): Environment {
  const end = Date.now() + seconds * 1000;
  const wanted = map.requirements.list
    .filter(({ file }) => !file.endsWith("package.json"))
    .map(({ name, versions }) => ({ name, text: `${name}${versions}` }));
  const broken = map.requirements.damaged.map(({ file, line }) => `${file}: ${line}`);
  const found: Environment = { ...noEnvironment([]), broken };
  const run = (program: string, ...args: string[]) =>
    spawnSync(program, args, {
      encoding: "utf8",
      timeout: Math.ceil(Math.max(1, Math.min(STEP_MS, end - Date.now()))),
      env: { ...process.env, ...found.variables, PIP_DISABLE_PIP_VERSION_CHECK: "1" },
    });
  if (run("python3", "--version").status !== 0) {
    found.missing = wanted.map(({ text }) => text);
    if (wanted.length > 0) found.notes.push("there is no Python here");
    return found;
  }
  const folder = fs.mkdtempSync(path.join(place, "environment-"));
  const wheels = wheelFolders([materials, map.root]);
  Object.assign(found, openPlace(folder, run));
  Object.assign(found.variables, {
    PIP_NO_INDEX: "1",
    ...(wheels.length > 0 ? { PIP_FIND_LINKS: wheels.join(" ") } : {}),
  });
  const install = installer(found, folder, wheels, run);
  const all = wanted.slice(0, MAX_REQUIREMENTS);
  if (wanted.length > all.length)
    found.notes.push(`only the first ${MAX_REQUIREMENTS} requirements were tried`);
  if (all.length > 0 && install(all.map(({ text }) => text))) found.met = all.map(({ text }) => text);
  else
    for (const { name, text } of all) {
      if (Date.now() >= end) found.missing.push(text);
      else if (install([text])) found.met.push(text);
      else if (name !== text && install([name])) found.relaxed.push(text);
      else found.missing.push(text);
    }
  if (Date.now() >= end && found.missing.length > 0) found.notes.push("the time for installing was used up");
  return found;
}

type Run = (program: string, ...args: string[]) => ReturnType<typeof spawnSync>;

/** A virtual environment that sees what the system has; where there is no such module, a folder on the path. */
function openPlace(folder: string, run: Run): Pick<Environment, "kind" | "variables" | "notes"> {
  const made = run("python3", "-m", "venv", "--system-site-packages", "--without-pip", folder);
  if (made.status === 0 && fs.existsSync(path.join(folder, "bin/python3")))
    return {
      kind: "venv",
      variables: { VIRTUAL_ENV: folder, PATH: `${folder}/bin:${process.env.PATH ?? ""}` },
      notes: [],
    };
  return {
    kind: "folder",
    variables: { PYTHONPATH: [folder, process.env.PYTHONPATH].filter(Boolean).join(":") },
    notes: ["Python makes no virtual environment here: packages lie in a folder of their own"],
  };
}

/** Whether all of these could be had. Without pip, wheels in plain Python are unpacked. */
function installer(
  found: Environment,
  folder: string,
  wheels: readonly string[],
  run: Run,
): (requirements: readonly string[]) => boolean {
  const { PATH = "" } = process.env;
  const outside = spawnSync("sh", ["-c", "command -v python3"], {
    encoding: "utf8",
    env: { ...process.env, PATH },
  });
  const system = String(outside.stdout).trim() || "python3";
  if (run(system, "-m", "pip", "--version").status === 0) {
    const where = found.kind === "venv" ? ["--python", path.join(folder, "bin/python3")] : [];
    const target = found.kind === "venv" ? [] : ["--target", folder, "--upgrade"];
    const links = wheels.flatMap((place) => ["--find-links", place]);
    return (requirements) => {
      const args = ["--no-index", "--only-binary", ":all:", ...links, ...target, ...requirements];
      if (found.kind === "folder" && requirements.every((text) => isThere(text, run))) return true;
      return run(system, "-m", "pip", ...where, "install", "--quiet", ...args).status === 0;
    };
  }
  found.notes.push("there is no pip: wheels in plain Python are unpacked, versions are not compared");
  const site =
    found.kind === "venv"
      ? String(run("python3", "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").stdout).trim()
      : folder;
  return (requirements) =>
    requirements.every((text) => isThere(text, run) || unpackWheel(nameOf(text), wheels, site, run));
}

const nameOf = (text: string) => /^[\w.-]+/.exec(text)?.[0] ?? text;

function isThere(text: string, run: Run): boolean {
  return (
    run(
      "python3",
      "-c",
      "import importlib.metadata, sys; importlib.metadata.version(sys.argv[1])",
      nameOf(text),
    ).status === 0
  );
}

function unpackWheel(name: string, folders: readonly string[], site: string, run: Run): boolean {
  const plain = name.toLowerCase().replace(/[-_.]+/g, "_");
  for (const folder of folders) {
    const wheel = fs
      .readdirSync(folder)
      .find(
        (file) =>
          file.endsWith("-none-any.whl") && file.split("-")[0].toLowerCase().replace(/\./g, "_") === plain,
      );
    if (wheel !== undefined)
      return run("python3", "-m", "zipfile", "-e", path.join(folder, wheel), site).status === 0;
  }
  return false;
}

function wheelFolders(roots: readonly string[]): string[] {
  const folders = roots.flatMap((root) =>
    fs.existsSync(root)
      ? regularFiles(root)
          .filter((file) => file.endsWith(".whl"))
          .map((file) => path.dirname(path.join(root, file)))
      : [],
  );
  return [...new Set(folders)].slice(0, MAX_WHEEL_FOLDERS);
}

/** One line for the log and the model. */
export function environmentText({ kind, met, relaxed, missing, broken, notes }: Environment): string {
  const part = (what: string, names: readonly string[]) =>
    names.length === 0 ? [] : [`${what}: ${names.slice(0, 15).join(", ")}${names.length > 15 ? ", …" : ""}`];
  const parts = [
    ...part("there", met),
    ...part("there in another version", relaxed),
    ...part("missing, do without them", missing),
    ...part("lines of requirements that cannot be understood", broken),
    ...notes,
  ];
  const names = { venv: "a virtual environment", folder: "a folder of packages", none: "none" };
  return `environment: ${names[kind]}${parts.length === 0 ? "; nothing is required" : `; ${parts.join("; ")}`}`;
}

/** Everything that is started meanwhile has the variables. */
export async function inEnvironment<T>({ variables }: Environment, work: () => Promise<T>): Promise<T> {
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    return await work();
  } finally {
    for (const [name, value] of before)
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
  }
}
