import fs from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { checkReadable, handOver } from "../agent-user.ts";
import { findProgram } from "../find-program.ts";
import { engineEnvironment } from "../host-environment.ts";
import type { EngineName } from "../kind.ts";
import { launch } from "../launch.ts";
import { type CappedOutput, withCappedOutputs } from "../limits/capped-output.ts";
import { type Cgroup, createCgroup, destroyCgroup, thawCgroup } from "../limits/cgroup.ts";
import { findCgroupLayout, readText } from "../limits/cgroup-layout.ts";
import { NO_ALARM } from "../limits/freeze-alarm.ts";
import {
  cgroupAbilities,
  decideLimits,
  enforcementNextStep,
  type LimitAbility,
  POLLED_BY,
} from "../limits/limit-policy.ts";
import { canLimitDisk, type LimitedDisk, limitDisk, restoreDisk } from "../limits/limited-disk.ts";
import { observeCgroup } from "../limits/observed-cgroup.ts";
import { stopProcesses } from "../limits/stop-processes.ts";
import { agentEnvironment, allForwards } from "../network/network.ts";
import { descendantsOf, type ProcessRow, readProcesses, sendSignal } from "../process/process-table.ts";
import { badRequest, checkRequest, identityInUse, sandboxMissing, startFailed } from "../refuse.ts";
import type {
  Capabilities,
  EnforcedPolicy,
  LimitName,
  Sandbox,
  SandboxRequest,
  StartOutcome,
} from "../sandbox.ts";
import { createScratch, removeScratch, scratchFolder } from "../scratch.ts";
import { withSecretFiles, writeForAgent } from "../secret-files.ts";
import { supervise } from "../supervise.ts";
import { engineProfile } from "../system-calls/profile.ts";
import { filterPolicy } from "../system-calls/refused.ts";
import { containerArguments, containerUser, environmentScript, OUTPUT_SCRIPT } from "./arguments.ts";
import { type Engine, findEngine, runEngine } from "./engine.ts";

export const docker: Sandbox = containerSandbox("docker");
export const podman: Sandbox = containerSandbox("podman");

/** What the engines' command lines exit with when they, not the agent, have failed. */
const ENGINE_FAILED = 125;

/**
 * A container, driven through the engine's command line. Where the engine lets us, its cgroup hangs below one of our
 * own: limits, measurement and killing are then the same as for bubblewrap, and memory kills are seen, which podman
 * does not report. The image needs `sh`, and Perl when ports are forwarded. A container outlives a killed harness until
 * `destroyLeftovers`.
 */
function containerSandbox(kind: EngineName): Sandbox {
  return {
    kind,
    probe: () => probe(kind),
    start: (request) => start(kind, request),
    destroyLeftovers: (identity) => destroyLeftovers(kind, identity),
  };
}

async function probe(kind: EngineName): Promise<Capabilities> {
  const found = await findEngine(kind);
  const engine = found.status === "ready" ? found.engine : null;
  const limited = (otherwise: "polled" | "not enforced") => (engine?.limits ? "enforced" : otherwise);
  return {
    kind,
    available: engine !== null,
    problem: found.status === "missing" ? { message: found.message, nextStep: found.nextStep } : null,
    isolated: true,
    version: engine?.version ?? null,
    limits: {
      memoryBytes: limited("polled"),
      cpus: limited("not enforced"),
      processes: limited("polled"),
      diskBytes: canLimitDisk() ? "enforced" : "polled",
    },
    networks: ["none", "allow-list", "open"],
  };
}

/** What programs say where the machine has run out of something. */
const SHORTAGE = /too many open files|no space left|cannot allocate memory|temporarily unavailable/i;

async function start(kind: EngineName, request: SandboxRequest): Promise<StartOutcome> {
  const wrong = checkRequest(request) ?? checkReadable(request);
  if (wrong !== null) return wrong;
  const found = await findEngine(kind);
  if (found.status === "missing") return sandboxMissing(found.message, found.nextStep);
  if (request.image === undefined)
    return badRequest(`the sandbox ${kind} needs an image`, "build one: mlebench env build --light");
  const image = await runEngine(kind, [...found.engine.globalOptions, "image", "inspect", request.image]);
  // To be unable to ask says nothing about the image.
  if (image.code === null || SHORTAGE.test(image.stderr))
    return startFailed(
      `${kind} could not be asked for the image ${request.image}: ${image.stderr.trim().slice(-500)}`,
      "see the message",
    );
  if (image.code !== 0)
    return badRequest(
      `${kind} has no image ${request.image}`,
      `fetch it (${kind} pull ${request.image}) or build the base: mlebench env build --light`,
    );
  const scratch = createScratch(request.identity);
  if (scratch === null) return identityInUse(request.identity);
  const layout = found.engine.plainCgroups ? findCgroupLayout() : null;
  const cgroup = layout === null ? null : createCgroup(layout, request.identity, request.limits);
  const outcome = await withCappedOutputs(scratch, request, (outputs) =>
    startIn(found.engine, scratch, cgroup, request, outputs),
  ).catch((error: Error) =>
    startFailed(`the container could not be set up: ${error.message}`, "see the message"),
  );
  if (outcome.status === "refused") await destroyLeftovers(kind, request.identity);
  return outcome;
}

async function startIn(
  engine: Engine,
  scratch: string,
  cgroup: Cgroup | null,
  asked: SandboxRequest,
  outputs: readonly CappedOutput[],
): Promise<StartOutcome> {
  const user = containerUser(engine, asked.asRoot === true);
  const request = withSecretFiles(asked, scratch, user.outside);
  const enforceDisk = request.limits.diskBytes?.required === true && canLimitDisk() && !request.writableRoot;
  const decision = decideLimits(request.limits, {
    ...(cgroup === null ? engineAbilities(engine) : cgroupAbilities(cgroup, request.limits)),
    diskBytes: enforceDisk
      ? { enforcement: "enforced", by: "a file system of that size", nextStep: "" }
      : {
          enforcement: "polled",
          by: request.writableRoot ? `${POLLED_BY}, without the image's own folders` : POLLED_BY,
          nextStep: request.writableRoot
            ? "use an image whose root can be read-only"
            : enforcementNextStep(engine.name, "diskBytes"),
        },
  });
  if (decision.status === "refused") return decision;
  await handOver(request, user.outside);
  let tmp = path.join(scratch, "tmp");
  let disk: LimitedDisk | null = null;
  if (enforceDisk) {
    disk = await limitDisk(scratch, request.mounts, request.limits.diskBytes?.value ?? 0);
    if (disk === null)
      return startFailed(
        "a disk of the given size could not be mounted",
        enforcementNextStep(engine.name, "diskBytes"),
      );
    tmp = disk.tmp;
  } else {
    fs.mkdirSync(tmp);
    fs.chmodSync(tmp, 0o1777);
  }
  const pipes = { stdout: path.join(scratch, "stdout"), stderr: path.join(scratch, "stderr") };
  const name = containerName(request.identity);
  const cgroupParent = cgroup?.path ?? null;
  const pidFile = path.join(scratch, "pid");
  const environment = path.join(scratch, "environment");
  writeForAgent(environment, environmentScript(agentEnvironment(request)), user.outside);
  const profile = engine.seccomp === null ? null : path.join(scratch, "seccomp.json");
  if (profile !== null) fs.writeFileSync(profile, engineProfile(engine.seccomp!.base));
  const args = containerArguments(engine, request, {
    name,
    profile,
    environment,
    cgroupParent,
    pidFile,
    tmp,
    user,
    outputs: pipes,
  });
  const child = launch(findProgram(engine.name) ?? engine.name, args, {
    joinFiles: [],
    stdio: ["ignore", ...outputs.map(({ writer }) => writer)],
    env: engineEnvironment(),
    // podman's monitor leaves a file called "oom" where it was started.
    cwd: scratch,
    detached: true,
  });
  for (const output of outputs) output.closeWriter();
  const observed = cgroup === null && engine.limits ? observeCgroup() : null;
  let first: number | null = null;
  let paused = false;
  const rows = (): ProcessRow[] =>
    first === null
      ? []
      : descendantsOf([first], readProcesses()).filter(
          ({ pid, zombie }) => !zombie && !(engine.hasInit && pid === first),
        );
  // An agent may make pid namespaces of its own, each with a first process that is not the engine's.
  const depth = namespaceDepth(process.pid) + 1;
  const members = () =>
    cgroup === null
      ? rows().map(({ pid }) => pid)
      : cgroup
          .pids()
          .filter((pid) => !engine.hasInit || !isFirstProcess(pid) || namespaceDepth(pid) !== depth);
  const remove = () =>
    runEngine(engine.name, [...engine.globalOptions, ...removeArguments(engine.name), name]);
  const running = supervise({
    child,
    cgroup: cgroup ?? observed,
    members,
    rows,
    outputs,
    limits: decision.limits,
    writableFolders: [
      tmp,
      ...(request.countedFolders ?? []),
      ...request.mounts.filter(({ mode }) => mode === "read-write").map(({ host }) => host),
    ],
    ...(disk === null ? {} : { diskIsFull: disk.isFull }),
    signal: (signal) => {
      if (cgroup !== null || first !== null) for (const pid of members()) sendSignal(pid, signal);
      else void signalInside(engine, name, signal);
    },
    freeze: async () => {
      if (await cgroup?.freeze()) return;
      paused = (await runEngine(engine.name, [...engine.globalOptions, "pause", name])).code === 0;
      if (paused) return;
      await signalInside(engine, name, "SIGSTOP");
      await stopProcesses(members);
    },
    freezeAt: (moment) => cgroup?.freezeAt(moment) ?? NO_ALARM,
    thaw: async () => {
      cgroup?.thaw();
      if (paused) await runEngine(engine.name, [...engine.globalOptions, "unpause", name]);
      paused = false;
      if (cgroup !== null || first !== null) for (const pid of members()) sendSignal(pid, "SIGCONT");
    },
    killAll: async () => {
      for (const pid of cgroup?.pids() ?? []) sendSignal(pid, "SIGKILL");
      // The kernel ends a pid namespace with its first process.
      if (first !== null && isFirstProcess(first)) sendSignal(first, "SIGKILL");
      await remove();
    },
    cleanUp: async () => {
      observed?.detach();
      await cgroup?.destroy();
      await restoreDisk(scratch);
      await removeScratch(request.identity);
    },
  });
  const hasAppeared = async () => {
    if (cgroup === null && first === null) {
      first = await firstProcess(engine, name, pidFile);
      if (first !== null) observed?.attach(first);
    }
    return members().length > 0;
  };
  const early = await Promise.race([running.wait(), appeared(hasAppeared)]);
  if (early?.kind === "exited" && early.code === ENGINE_FAILED)
    return startFailed(`${engine.name}: ${readText(request.stderr).trim().slice(-500)}`, "see the message");
  return { status: "started", running, policy: policyOf(engine, request, user, decision.limits) };
}

function engineAbilities(engine: Engine): Record<Exclude<LimitName, "diskBytes">, LimitAbility> {
  if (!engine.limits) return cgroupAbilities(null, {});
  const ability: LimitAbility = { enforcement: "enforced", by: engine.name, nextStep: "" };
  return { memoryBytes: ability, cpus: ability, processes: ability };
}

/** Settles with null once the agent is there. */
async function appeared(hasAppeared: () => Promise<boolean>): Promise<null> {
  const before = performance.now();
  while (performance.now() - before < 120_000 && !(await hasAppeared())) await delay(10);
  return null;
}

/** The container's first process, as this host numbers it; null before it is there, and where the engine's host is another. */
async function firstProcess(engine: Engine, name: string, pidFile: string): Promise<number | null> {
  const ask = ["inspect", "--format", "{{.State.Pid}}", name];
  const text = engine.name === "podman" ? readText(pidFile) : (await runEngine(engine.name, ask)).stdout;
  const pid = Number(text);
  if (!(pid > 0) || !isFirstProcess(pid)) return null;
  // Behind a docker that runs in a virtual machine the same number is somebody else here.
  const ours = engine.name === "podman" || readText(`/proc/${pid}/cmdline`).includes(OUTPUT_SCRIPT);
  return ours ? pid : null;
}

/** Without a cgroup of ours its processes may not be ours to signal, but they are each other's. */
async function signalInside(engine: Engine, name: string, signal: NodeJS.Signals): Promise<void> {
  const kill = ["sh", "-c", `kill -${signal.replace("SIG", "")} -1`];
  const { code } = await runEngine(engine.name, [...engine.globalOptions, "exec", name, ...kill]);
  if (code !== 0) await runEngine(engine.name, [...engine.globalOptions, "kill", "--signal", signal, name]);
}

/** In how many pid namespaces a process is, one inside the other, as far as ours can see. */
function namespaceDepth(pid: number): number {
  return (
    /^NSpid:(.*)$/m
      .exec(readText(`/proc/${pid}/status`))?.[1]
      .trim()
      .split("\t").length ?? 0
  );
}

function isFirstProcess(pid: number): boolean {
  return /^NSpid:.*\t1$/m.test(readText(`/proc/${pid}/status`));
}

async function destroyLeftovers(kind: EngineName, identity: string): Promise<void> {
  const layout = findCgroupLayout();
  if (layout !== null) thawCgroup(layout, identity);
  const found = await findEngine(kind);
  if (found.status === "ready") {
    const { globalOptions } = found.engine;
    await runEngine(kind, [...globalOptions, ...removeArguments(kind), containerName(identity)]);
  }
  if (layout !== null) await destroyCgroup(layout, identity);
  await restoreDisk(scratchFolder(identity));
  await removeScratch(identity);
}

function removeArguments(kind: EngineName): string[] {
  return kind === "podman" ? ["rm", "--force", "--time", "0", "--ignore"] : ["rm", "--force"];
}

function containerName(identity: string): string {
  return `mlebench-${identity}`;
}

function policyOf(
  engine: Engine,
  request: SandboxRequest,
  user: { inside: number; outside: number },
  limits: EnforcedPolicy["limits"],
): EnforcedPolicy {
  return {
    kind: engine.name,
    // Without a mapping, which only a rootless engine makes, the agent's user is one of the host's.
    isolation: {
      user: user.inside !== user.outside,
      files: true,
      processes: true,
      ipc: true,
      hostname: true,
      network: true,
    },
    system: {
      source: request.writableRoot ? "image, writable" : "image, read-only",
      name: request.image ?? null,
    },
    mounts: request.mounts.map(({ host, inside, mode }) => ({ host, inside, mode })),
    network: { mode: request.network.mode, forwardedPorts: allForwards(request).map(({ port }) => port) },
    user: { inside: user.inside, outside: user.outside, capabilities: "none", mayGainPrivileges: false },
    systemCalls: filterPolicy(
      engine.seccomp === null ? `this ${engine.name} cannot filter system calls` : null,
    ),
    limits,
    gpus: [...request.gpus],
  };
}
