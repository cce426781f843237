import { execFile } from "node:child_process";
import fs from "node:fs";
import { findProgram } from "../find-program.ts";
import { engineEnvironment } from "../host-environment.ts";
import type { EngineName } from "../kind.ts";
import { readText } from "../limits/cgroup-layout.ts";

/** What we found out about an engine, once. */
export interface Engine {
  name: EngineName;
  /** Options that belong before the subcommand. */
  globalOptions: readonly string[];
  version: string;
  /** The engine makes cgroups as plain folders, so that ours can be the parent of the container's. */
  plainCgroups: boolean;
  /** The engine can limit memory, CPU and processes by itself. */
  limits: boolean;
  rootless: boolean;
  /** A small first process that reaps and passes signals on; without one the agent itself is process 1. */
  hasInit: boolean;
  /** Null: it cannot filter system calls. `base`: its own profile, where it shows one. */
  seccomp: { base: string | null } | null;
}

export type EngineOutcome =
  | { status: "ready"; engine: Engine }
  | { status: "missing"; message: string; nextStep: string };

export interface CommandResult {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs the engine's command line to its end. Never rejects: an engine that hangs is ended after a minute. */
export function runEngine(name: EngineName, args: readonly string[]): Promise<CommandResult> {
  return new Promise((resolve) => {
    execFile(
      findProgram(name) ?? name,
      args,
      { timeout: 60_000, maxBuffer: 2 ** 24, env: engineEnvironment() },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === "number" ? error.code : null;
        resolve({ code, stdout, stderr: stderr || (error?.message ?? "") });
      },
    );
  });
}

const found = new Map<EngineName, Promise<EngineOutcome>>();

export function findEngine(name: EngineName): Promise<EngineOutcome> {
  let outcome = found.get(name);
  if (outcome === undefined) {
    outcome = name === "docker" ? findDocker() : findPodman();
    found.set(name, outcome);
  }
  return outcome;
}

async function findDocker(): Promise<EngineOutcome> {
  if (findProgram("docker") === null)
    return {
      status: "missing",
      message: "docker is not installed",
      nextStep: "install it: apt-get install docker.io",
    };
  const { code, stdout, stderr } = await runEngine("docker", ["info", "--format", "{{json .}}"]);
  const info = parse(stdout);
  const version = textAt(info, "ServerVersion");
  if (code !== 0 || version === "")
    return {
      status: "missing",
      message: `docker has no daemon to talk to: ${lastLine(stderr)}`,
      nextStep: "start it: systemctl start docker; or use --sandbox podman",
    };
  const root = process.getuid?.() === 0;
  return {
    status: "ready",
    engine: {
      name: "docker",
      globalOptions: [],
      version,
      plainCgroups: root && textAt(info, "CgroupDriver") === "cgroupfs",
      limits: true,
      rootless: false,
      hasInit: true,
      seccomp: JSON.stringify(at(info, "SecurityOptions") ?? []).includes("name=seccomp")
        ? { base: null }
        : null,
    },
  };
}

async function findPodman(): Promise<EngineOutcome> {
  if (findProgram("podman") === null)
    return {
      status: "missing",
      message: "podman is not installed",
      nextStep: "install it: scripts/install-sandboxes.sh",
    };
  // crun, podman's usual runtime, refuses a machine that has cgroup v1 controllers and a v2 mount beside them.
  const hybrid = fs.existsSync("/sys/fs/cgroup/unified/cgroup.procs");
  if (hybrid && findProgram("runc") === null)
    return {
      status: "missing",
      message: "podman needs the runtime runc on a machine with hybrid cgroups",
      nextStep: "install it: apt-get install runc",
    };
  const globalOptions = hybrid ? ["--runtime", "runc"] : [];
  const { code, stdout, stderr } = await runEngine("podman", [...globalOptions, "info", "--format", "json"]);
  const info = parse(stdout);
  if (code !== 0)
    return {
      status: "missing",
      message: `podman does not work here: ${lastLine(stderr)}`,
      nextStep: "see what it says: podman info",
    };
  const rootless = at(info, "host", "security", "rootless") === true;
  // It answers without it, and fails at the first image.
  if (rootless && (findProgram("newuidmap") === null || findProgram("newgidmap") === null))
    return {
      status: "missing",
      message: "podman without root needs newuidmap and newgidmap",
      nextStep: "install them: apt-get install uidmap",
    };
  return {
    status: "ready",
    engine: {
      name: "podman",
      globalOptions,
      version: textAt(info, "version", "Version"),
      plainCgroups: !rootless && textAt(info, "host", "cgroupManager") === "cgroupfs",
      limits: !rootless || hasDelegatedControllers(info),
      rootless,
      hasInit:
        findProgram("catatonit") !== null ||
        ["/usr/libexec/podman/catatonit", "/usr/lib/podman/catatonit"].some((file) => fs.existsSync(file)),
      seccomp:
        at(info, "host", "security", "seccompEnabled") === true
          ? { base: readText(textAt(info, "host", "security", "seccompProfilePath")) || null }
          : null,
    },
  };
}

/** Without root only what systemd has handed over to the user's session can be limited, and never with cgroup v1. */
function hasDelegatedControllers(info: unknown): boolean {
  const delegated = at(info, "host", "cgroupControllers");
  const names: unknown[] = Array.isArray(delegated) ? delegated : [];
  return (
    textAt(info, "host", "cgroupVersion") === "v2" &&
    ["memory", "pids", "cpu"].every((name) => names.includes(name))
  );
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function at(value: unknown, ...keys: string[]): unknown {
  return keys.reduce<unknown>(
    (inner, key) =>
      typeof inner === "object" && inner !== null ? (inner as Record<string, unknown>)[key] : null,
    value,
  );
}

function textAt(value: unknown, ...keys: string[]): string {
  const found = at(value, ...keys);
  return typeof found === "string" ? found : "";
}

function lastLine(text: string): string {
  return text.trim().split("\n").at(-1) ?? "";
}
