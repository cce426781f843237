import type { GpuSlot } from "../gpus/devices.ts";
import { slotsCalled } from "../gpus/inside.ts";
import { readText } from "../limits/cgroup-layout.ts";
import { forwardInside } from "../network/forwarder.ts";
import { allForwards } from "../network/network.ts";
import type { SandboxRequest } from "../sandbox.ts";
import type { Engine } from "./engine.ts";

/**
 * Runs inside. The agent writes into our pipes itself: through the engine's attached streams the last words of a
 * command that ends quickly can be lost. Its variables come from a file: the engine would read some of them itself,
 * its own files cannot hold a line break, and on its command line `ps` would show them.
 */
export const OUTPUT_SCRIPT =
  '. /run/mlebench/environment 2>/dev/null; exec "$@" >/run/mlebench/stdout 2>/run/mlebench/stderr';

/** What the shell inside has to read to have the agent's environment. Those it keeps to itself stay its own. */
export function environmentScript(environment: Readonly<Record<string, string>>): string {
  return Object.entries(environment)
    .map(([name, value]) => `command export ${name}='${value.replaceAll("'", "'\\''")}' || :\n`)
    .join("");
}

/** podman lowers its own limit to this before it starts the runtime, which may not raise it again. */
const MAX_PROCESSES = 32_768;

export interface ContainerUser {
  inside: number;
  outside: number;
  options: readonly string[];
}

/**
 * Who the agent is. A root harness uses user 1000 and hands the writable mounts over; anybody else maps itself, so
 * that files come out as its own.
 */
export function containerUser(engine: Engine, asRoot: boolean): ContainerUser {
  const own = process.getuid?.() ?? 0;
  const group = process.getgid?.() ?? 0;
  if (asRoot) return { inside: 0, outside: engine.rootless ? own : 0, options: ["--user", "0:0"] };
  if (own === 0) return { inside: 1000, outside: 1000, options: ["--user", "1000:1000"] };
  if (engine.rootless)
    return {
      inside: 1000,
      outside: own,
      options: ["--userns", "keep-id:uid=1000,gid=1000", "--user", "1000:1000"],
    };
  return { inside: own, outside: own, options: ["--user", `${own}:${group}`] };
}

/** The engine's arguments. Nothing secret is among them. */
export function containerArguments(
  engine: Engine,
  request: SandboxRequest,
  options: {
    name: string;
    /** What `environmentScript` wrote. */
    environment: string;
    /** The filter of system calls; null where the engine has none. */
    profile: string | null;
    cgroupParent: string | null;
    /** Where podman tells the container's first process. */
    pidFile: string;
    tmp: string;
    user: ContainerUser;
    outputs: { stdout: string; stderr: string };
  },
): string[] {
  const { name, environment, profile, cgroupParent, pidFile, tmp, user, outputs } = options;
  const { sockets, command } = forwardInside(allForwards(request), request.command);
  return [
    ...[...engine.globalOptions, "run", "--name", name, "--rm", "--pull", "never", "--hostname", "mlebench"],
    ...(engine.hasInit ? ["--init"] : []),
    ...(engine.name === "podman" ? ["--pidfile", pidFile] : []),
    ...["--cap-drop", "ALL", "--security-opt", "no-new-privileges", "--security-opt", "label=disable"],
    ...(profile === null ? [] : ["--security-opt", `seccomp=${profile}`]),
    ...user.options,
    ...(request.writableRoot ? [] : ["--read-only"]),
    ...["--tmpfs", "/run:rw,nosuid,nodev,mode=755", "--shm-size", "4g", "--log-driver", "none"],
    ...["--network", networkName(engine, request), ...resourceOptions(engine, request, cgroupParent)],
    ...[...request.mounts, { host: tmp, inside: "/tmp", mode: "read-write" as const }].flatMap(
      ({ host, inside, mode }) => ["--mount", bindOption(host, inside, mode)],
    ),
    ...sockets.flatMap(({ host, inside }) => ["--mount", bindOption(host, inside, "read-write")]),
    ...Object.entries(outputs).flatMap(([stream, fifo]) => [
      "--mount",
      bindOption(fifo, `/run/mlebench/${stream}`, "read-write"),
    ]),
    ...gpuOptions(engine.name, slotsCalled(request.gpus)),
    ...["--mount", bindOption(environment, "/run/mlebench/environment", "read-only")],
    ...["--workdir", request.workingFolder, "--entrypoint", "", request.image ?? ""],
    ...["sh", "-c", OUTPUT_SCRIPT, "sh", ...command],
  ];
}

function networkName(engine: Engine, request: SandboxRequest): string {
  if (request.network.mode !== "open") return "none";
  return engine.name === "podman" ? "slirp4netns:allow_host_loopback=false" : "bridge";
}

/** Our hard limits, explicitly: an engine that tries to raise them fails where the machine does not allow it. */
function resourceOptions(engine: Engine, request: SandboxRequest, cgroupParent: string | null): string[] {
  const limits = readText("/proc/self/limits");
  const hard = (name: string) => new RegExp(`^${name} +\\S+ +(\\d+)`, "m").exec(limits)?.[1];
  const [files, processes] = [hard("Max open files"), hard("Max processes")];
  const options = ["--ulimit", "core=0:0"];
  if (files !== undefined) options.push("--ulimit", `nofile=${files}:${files}`);
  if (processes !== undefined) {
    const count = Math.min(Number(processes), MAX_PROCESSES);
    options.push("--ulimit", `nproc=${count}:${count}`);
  }
  if (cgroupParent !== null) options.push("--cgroup-parent", cgroupParent);
  // Otherwise its monitor would count as the agent's, and die with it.
  if (cgroupParent !== null && engine.name === "podman") options.push("--cgroups", "no-conmon");
  const { memoryBytes, cpus, processes: count } = request.limits;
  // Even the wish for no limit makes an engine that cannot set any complain, in the agent's own output.
  if (!engine.limits) return options;
  if (cgroupParent !== null) return [...options, "--pids-limit", "-1"];
  if (memoryBytes !== undefined)
    options.push("--memory", `${memoryBytes.value}`, "--memory-swap", `${memoryBytes.value}`);
  if (cpus !== undefined) options.push("--cpus", `${cpus.value}`);
  return [...options, "--pids-limit", count === undefined ? "-1" : `${count.value}`];
}

/** The engines read this option as a line of CSV. */
function bindOption(host: string, inside: string, mode: "read-only" | "read-write"): string {
  const fields = ["type=bind", `source=${host}`, `destination=${inside}`];
  if (mode === "read-only") fields.push("readonly");
  return fields.map((field) => (/[",]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field)).join(",");
}

/**
 * NVIDIA's devices by the names of the container toolkit: docker's own option, podman's CDI (`nvidia.com/gpu=0`, a slice by
 * its identifier). AMD's are plain device files, which both engines pass on.
 */
export function gpuOptions(engine: Engine["name"], slots: readonly GpuSlot[]): string[] {
  if (slots.length === 0) return [];
  if (slots[0].kind === "amd") {
    const files = ["/dev/kfd", ...slots.map(({ device }) => `/dev/dri/renderD${128 + Number(device)}`)];
    const groups = engine === "podman" ? ["--group-add", "keep-groups"] : ["--group-add", "video"];
    return [...files.flatMap((file) => ["--device", file]), ...groups];
  }
  const names = slots.map(({ slot }) => slot);
  return engine === "docker"
    ? ["--gpus", `"device=${names.join(",")}"`]
    : names.flatMap((name) => ["--device", `nvidia.com/gpu=${name}`]);
}
