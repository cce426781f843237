import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { expect } from "vitest";
import type { SandboxKind } from "../../../src/sandbox/kind.ts";
import { sandboxes } from "../../../src/sandbox/kinds.ts";
import type {
  EnforcedPolicy,
  RunningSandbox,
  SandboxExit,
  SandboxRequest,
  Usage,
} from "../../../src/sandbox/sandbox.ts";
import { notTested } from "../../tools.ts";
import { makeEssentialRoot } from "./essential-root.ts";

/** Whether a kind can be tested here; with MLEBENCH_REQUIRE_ALL=1 not being able to is a failure. */
export async function canTest(kind: SandboxKind): Promise<boolean> {
  const { problem } = await sandboxes[kind].probe();
  const why = problem?.message ?? (kind === "podman" ? importProblem() : null);
  if (why === null) return true;
  notTested({ what: `sandbox ${kind}`, why, command: "sudo bash scripts/install-sandboxes.sh" });
  return false;
}

let imported: string | null | undefined;

/** What keeps podman from taking an image in: an engine that is installed by half answers, and fails only then. */
function importProblem(): string | null {
  if (imported !== undefined) return imported;
  const image = `localhost/mlebench-can-import-${process.pid}`;
  const script =
    'tar -C /dev -c null | podman import - "$1" >/dev/null && podman rmi --force "$1" >/dev/null';
  const tried = oneAtATime(script, [image]);
  imported = tried.status === 0 ? null : `podman cannot take an image in: ${tried.stderr.trim()}`;
  return imported;
}

/** Makes a folder an image. */
export function importFolder(folder: string, image: string): void {
  const { status, stderr } = oneAtATime('tar -C "$1" -c . | podman import - "$2"', [folder, image]);
  if (status !== 0) throw new Error(stderr);
}

/** podman loses a layer that one process takes in while another removes the same one ("layer not known"). */
function oneAtATime(script: string, args: readonly string[]) {
  const lock = path.join(os.tmpdir(), "mlebench-podman-images.lock");
  return spawnSync("flock", [lock, "sh", "-c", script, "sh", ...args], {
    encoding: "utf8",
    timeout: 120_000,
  });
}

export interface Rig {
  folder: string;
  root: string;
  /** Makes the essential root an image for the container engines too. */
  importImage(): void;
  /** A request for a shell script, with /home/work writable; the rest of it as given. */
  request(script: string, changes?: Partial<SandboxRequest>): SandboxRequest;
  run(kind: SandboxKind, script: string, changes?: Partial<SandboxRequest>): Promise<Outcome>;
  /** Fails unless every sandbox made since the last call is gone without a trace. */
  expectNothingLeft(): void;
  close(): void;
}

/** The harness as a program of its own in the rig's folder, for tests in which it is killed or is another user. */
export async function harnessProgram({ folder }: Rig): Promise<string> {
  fs.chmodSync(folder, 0o755);
  const outfile = path.join(folder, "harness.mjs");
  await build({
    entryPoints: [path.join(import.meta.dirname, "harness.ts")],
    bundle: true,
    platform: "node",
    format: "esm",
    outfile,
  });
  return outfile;
}

interface Outcome {
  exit: SandboxExit;
  usage: Usage;
  policy: EnforcedPolicy;
  stdout: string;
  stderr: string;
  milliseconds: number;
}

let count = 0;

export function makeRig(): Rig {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "mlebench-sandbox-test-"));
  const root = path.join(folder, "root");
  const image = `localhost/${path.basename(folder).toLowerCase()}`;
  makeEssentialRoot(root);
  const identities: string[] = [];
  const request = (script: string, changes: Partial<SandboxRequest> = {}): SandboxRequest => {
    const identity = `test-${process.pid}-${count++}`;
    identities.push(identity);
    const work = path.join(folder, identity);
    fs.mkdirSync(work);
    return {
      command: ["sh", "-c", script],
      env: { PATH: "/usr/bin:/bin:/usr/sbin:/sbin", SANDBOX_TEST: identity },
      workingFolder: "/home/work",
      mounts: [{ host: work, inside: "/home/work", mode: "read-write" }],
      network: { mode: "none" },
      forwards: [],
      limits: {},
      gpus: [],
      image,
      stdout: path.join(folder, `${identity}.out`),
      stderr: path.join(folder, `${identity}.err`),
      identity,
      ...changes,
    };
  };
  return {
    folder,
    root,
    request,
    run: async (kind, script, changes) => {
      const asked = request(script, changes);
      const before = performance.now();
      const { running, policy } = await startOf(kind, asked);
      const exit = await running.wait();
      const read = (file: string) => fs.readFileSync(file, "latin1");
      return {
        exit,
        usage: running.usage(),
        policy,
        stdout: read(asked.stdout),
        stderr: read(asked.stderr),
        milliseconds: performance.now() - before,
      };
    },
    expectNothingLeft: () => {
      for (const identity of identities.splice(0)) expect(tracesOf(identity)).toEqual([]);
    },
    importImage: () => importFolder(root, image),
    close: () => {
      oneAtATime('podman rmi --force "$1"', [image]);
      fs.rmSync(folder, { recursive: true, force: true });
    },
  };
}

export async function startOf(
  kind: SandboxKind,
  request: SandboxRequest,
): Promise<{ running: RunningSandbox; policy: EnforcedPolicy }> {
  const outcome = await sandboxes[kind].start(request);
  if (outcome.status === "refused") throw new Error(`${outcome.message}; ${outcome.nextStep}`);
  return outcome;
}

/** Every process, cgroup, mount, loop device, folder and container on the host that carries the identity. */
export function tracesOf(identity: string): string[] {
  const mounts = fs.readFileSync("/proc/self/mounts", "utf8").split("\n");
  const loops = spawnSync("losetup", ["-a"], { encoding: "utf8" }).stdout.split("\n");
  const groups = spawnSync("find", ["/sys/fs/cgroup", "-maxdepth", "3", "-name", `mlebench-${identity}`], {
    encoding: "utf8",
  }).stdout.split("\n");
  const containers = spawnSync("podman", ["ps", "-a", "--format", "{{.Names}}"], { encoding: "utf8" });
  return [
    ...processesWith(identity).map((pid) => `process ${pid}: ${commandLine(pid)}`),
    ...mounts.filter((line) => line.includes(identity)),
    ...loops.filter((line) => line.includes(identity)),
    ...groups.filter(Boolean),
    ...(containers.stdout ?? "").split("\n").filter((name) => name === `mlebench-${identity}`),
    ...[path.join(os.tmpdir(), `mlebench-sandboxes-${process.getuid?.()}`, identity)].filter(fs.existsSync),
  ];
}

/** The ids of processes. Agents are told their identity through SANDBOX_TEST, so that even one that left everything else is found. */
export function processesWith(identity: string): string[] {
  return fs
    .readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((name) => {
      try {
        const text = ["environ", "cmdline", "cgroup"].map((file) =>
          fs.readFileSync(`/proc/${name}/${file}`, "utf8"),
        );
        return new RegExp(`${identity}(?!\\d)`).test(text.join("\0"));
      } catch {
        return false;
      }
    });
}

function commandLine(pid: string): string {
  try {
    return fs.readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "(gone since)";
  }
}

export async function until(condition: () => boolean, what: string): Promise<void> {
  for (let tries = 0; tries < 2000; tries++) {
    if (condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`waited in vain for ${what}`);
}
