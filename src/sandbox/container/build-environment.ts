import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { makeFolder } from "../../files/make-folder.ts";
import { findProgram } from "../find-program.ts";
import { findEngine } from "./engine.ts";
import {
  AGENT_FOLDERS,
  ENVIRONMENT_PACKAGES,
  type EnvironmentWeight,
  environmentFolder,
  environmentImage,
} from "./environment.ts";

const run = promisify(execFile);

export type BuildOutcome =
  | {
      status: "built";
      folder: string;
      images: { engine: string; image: string }[];
      bytes: number;
      seconds: number;
    }
  | { status: "failed"; message: string; nextStep: string };

export interface BuildOptions {
  weight: EnvironmentWeight;
  /** Instead of the user's cache. */
  into?: string;
  /** Told at each step, and for every line the package tools print. */
  progress(line: string): void;
}

/**
 * Builds the base an agent expects from Debian's packages: a root file system for bubblewrap, and the same as an
 * image for each container engine that works here. An interrupted build leaves the earlier one in place.
 */
export async function buildEnvironment({ weight, into, progress }: BuildOptions): Promise<BuildOutcome> {
  const program = findProgram("mmdebstrap");
  if (program === null)
    return {
      status: "failed",
      message: "mmdebstrap, which unpacks Debian packages into a folder, is not installed",
      nextStep: "install it: apt-get install mmdebstrap",
    };
  const before = performance.now();
  const folder = environmentFolder(weight, into);
  const partial = `${folder}.partial`;
  const archive = `${folder}.tar`;
  fs.rmSync(partial, { recursive: true, force: true });
  makeFolder(partial);
  try {
    progress(`unpacking ${ENVIRONMENT_PACKAGES[weight].length} packages and what they need`);
    const failure = await unpackPackages(program, weight, archive, progress);
    if (failure !== null)
      return {
        status: "failed",
        message: failure,
        nextStep: "see the lines above; Debian's mirror must be reachable",
      };
    progress("laying out the root file system");
    // Device files cannot be made without root and are never needed: every sandbox brings its own /dev.
    await run("tar", ["-C", partial, "-xf", archive, "--exclude=./dev/*", ...ownership()], {
      maxBuffer: 2 ** 26,
    });
    layOut(partial);
    const images = await importImages(weight, partial, progress);
    fs.rmSync(folder, { recursive: true, force: true });
    fs.renameSync(partial, folder);
    const bytes = fs.statSync(archive).size;
    return { status: "built", folder, images, bytes, seconds: (performance.now() - before) / 1000 };
  } catch (error) {
    return {
      status: "failed",
      message: (error as Error).message,
      nextStep: "see the message, then try again",
    };
  } finally {
    fs.rmSync(archive, { force: true });
    fs.rmSync(partial, { recursive: true, force: true });
  }
}

/** Null when all went well; otherwise the tool's last line. */
async function unpackPackages(
  program: string,
  weight: EnvironmentWeight,
  archive: string,
  progress: (line: string) => void,
): Promise<string | null> {
  const release = fs.existsSync("/etc/os-release") ? fs.readFileSync("/etc/os-release", "utf8") : "";
  const isDebian = /^ID=debian$/m.test(release);
  const suite = (isDebian && /^VERSION_CODENAME=(\w+)$/m.exec(release)?.[1]) || "bookworm";
  // On Debian the machine's own mirrors are the ones that surely answer.
  const sources = isDebian
    ? ["/etc/apt/sources.list.d/debian.sources", "/etc/apt/sources.list"].find((file) => fs.existsSync(file))
    : undefined;
  const mode = process.getuid?.() === 0 ? "root" : "unshare";
  const args = [
    ...[`--mode=${mode}`, "--variant=minbase", "--format=tar"],
    ...["--dpkgopt=path-exclude=/usr/share/man/*", "--dpkgopt=path-exclude=/usr/share/locale/*"],
    ...[`--include=${ENVIRONMENT_PACKAGES[weight].join(",")}`, suite, archive],
    ...(sources === undefined ? [] : ["-"]),
  ];
  const child = spawn(program, args, { stdio: ["pipe", "ignore", "pipe"] });
  child.stdin.on("error", () => {});
  child.stdin.end(sources === undefined ? "" : fs.readFileSync(sources));
  let last = "";
  child.stderr.on("data", (chunk) => {
    for (const line of `${chunk}`.split(/[\r\n]+/).filter(Boolean)) {
      last = line;
      progress(line);
    }
  });
  const [code] = await once(child, "close");
  return code === 0 ? null : `mmdebstrap: ${last}`;
}

function ownership(): string[] {
  return process.getuid?.() === 0 ? ["--numeric-owner"] : ["--no-same-owner", "--no-same-permissions"];
}

/** The user and the folders of the agent contract. */
function layOut(root: string): void {
  const etc = (name: string) => path.join(root, "etc", name);
  fs.appendFileSync(etc("passwd"), "agent:x:1000:1000:agent:/home/agent:/bin/bash\n");
  fs.appendFileSync(etc("group"), "agent:x:1000:\n");
  fs.rmSync(etc("resolv.conf"), { force: true });
  fs.writeFileSync(etc("resolv.conf"), "");
  fs.writeFileSync(etc("hosts"), "127.0.0.1 localhost\n::1 localhost\n");
  // The build machine's name says something about it.
  fs.writeFileSync(etc("hostname"), "mlebench\n");
  for (const name of AGENT_FOLDERS) {
    makeFolder(path.join(root, "home", name));
    fs.chmodSync(path.join(root, "home", name), 0o777);
  }
}

async function importImages(
  weight: EnvironmentWeight,
  root: string,
  progress: (line: string) => void,
): Promise<{ engine: string; image: string }[]> {
  const images: { engine: string; image: string }[] = [];
  const image = environmentImage(weight);
  for (const name of ["podman", "docker"] as const) {
    const found = await findEngine(name);
    if (found.status === "missing") {
      progress(`no ${name} image: ${found.message}`);
      continue;
    }
    progress(`importing the image ${image} into ${name}`);
    const script = 'root=$1; shift; tar -C "$root" -c . | "$@"';
    const change = ["--change", "ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"];
    await run("sh", ["-c", script, "sh", root, name, "import", ...change, "-", image]);
    // The original's agents begin with FROM mlebench-env.
    await run(name, ["tag", image, "localhost/mlebench-env:latest"]);
    images.push({ engine: name, image });
  }
  return images;
}
