import type { ChildProcess } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import type { Readable, Writable } from "node:stream";
import { checkReadable, handOver, harnessIsRoot, UNPRIVILEGED_USER } from "../agent-user.ts";
import { findProgram } from "../find-program.ts";
import { slotCalled } from "../gpus/devices.ts";
import { launcherEnvironment } from "../host-environment.ts";
import { launch } from "../launch.ts";
import { type CappedOutput, withCappedOutputs } from "../limits/capped-output.ts";
import { type Cgroup, createCgroup, destroyCgroup } from "../limits/cgroup.ts";
import { findCgroupLayout } from "../limits/cgroup-layout.ts";
import { NO_ALARM } from "../limits/freeze-alarm.ts";
import { cgroupAbilities, decideLimits, enforcementNextStep, POLLED_BY } from "../limits/limit-policy.ts";
import { canLimitDisk, type LimitedDisk, limitDisk, restoreDisk } from "../limits/limited-disk.ts";
import { stopProcesses } from "../limits/stop-processes.ts";
import { markedTree } from "../marked-tree.ts";
import { type Companion, forwardInside, forwardInto } from "../network/forwarder.ts";
import { allForwards } from "../network/network.ts";
import { hasSlirp, openNetwork, SLIRP_NAMESERVER } from "../network/slirp.ts";
import { packageFolders } from "../package-folders.ts";
import { descendantsOf, processGone, readProcesses, sendSignal } from "../process/process-table.ts";
import { badRequest, checkRequest, identityInUse, sandboxMissing, startFailed } from "../refuse.ts";
import type { EnforcedPolicy, Refusal, Sandbox, SandboxRequest, StartOutcome } from "../sandbox.ts";
import { createScratch, removeScratch, scratchFolder } from "../scratch.ts";
import { withSecretFiles } from "../secret-files.ts";
import { makeStage, type Stage } from "../stage.ts";
import { supervise } from "../supervise.ts";
import { filterProgram } from "../system-calls/bpf.ts";
import { filterPolicy, knownArchitecture } from "../system-calls/refused.ts";
import { bubblewrapArguments, fillScratch, type ScratchParts } from "./arguments.ts";
import { asAgent, probeBubblewrap } from "./probe.ts";
import { pidNamespace, placeOf, signalNamespace } from "./signal-namespace.ts";

/**
 * Namespaces without a container engine. The agent's user is mapped to the harness's own; a root harness first
 * becomes an unprivileged user and hands the writable mounts over to it.
 */
export const bubblewrap: Sandbox = { kind: "bubblewrap", probe: probeBubblewrap, start, destroyLeftovers };

const ARGUMENTS_FD = 3;
const INFO_FD = 4;
const BLOCK_FD = 5;
const FILTER_FD = 6;

async function start(request: SandboxRequest): Promise<StartOutcome> {
  const wrong = checkRequest(request) ?? checkForBubblewrap(request) ?? checkReadable(request);
  if (wrong !== null) return wrong;
  const { problem } = await probeBubblewrap();
  if (problem !== null) return sandboxMissing(problem.message, problem.nextStep);
  const scratch = createScratch(request.identity);
  if (scratch === null) return identityInUse(request.identity);
  const layout = findCgroupLayout();
  const cgroup = layout === null ? null : createCgroup(layout, request.identity, request.limits);
  const outcome = await withCappedOutputs(scratch, request, (outputs) =>
    startIn(scratch, cgroup, request, outputs),
  ).catch((error: Error) =>
    startFailed(`the sandbox could not be set up: ${error.message}`, "see the message"),
  );
  if (outcome.status === "refused") await cleanUp(request.identity, cgroup, []);
  return outcome;
}

function checkForBubblewrap(request: SandboxRequest): Refusal | null {
  if (request.rootFolder !== undefined && !fs.existsSync(path.join(request.rootFolder, "usr")))
    return badRequest(
      `${request.rootFolder} is not a root file system`,
      "build one: mlebench env build --light",
    );
  if (request.network.mode === "open" && !hasSlirp())
    return sandboxMissing(
      "an open network needs slirp4netns in a bubblewrap sandbox",
      "install it: apt-get install slirp4netns",
    );
  const absent = request.gpus.find((gpu) => slotCalled(gpu) === null);
  if (absent !== undefined)
    return badRequest(`there is no GPU ${absent} on this machine`, "see nvidia-smi -L");
  return null;
}

async function startIn(
  scratch: string,
  cgroup: Cgroup | null,
  asked: SandboxRequest,
  outputs: readonly CappedOutput[],
): Promise<StartOutcome> {
  const request = withSecretFiles(asked, scratch, UNPRIVILEGED_USER);
  // A disk image per trial costs time: only an explicit limit is worth it, a wish is polled.
  const enforceDisk = request.limits.diskBytes?.required === true && canLimitDisk();
  const decision = decideLimits(request.limits, {
    ...cgroupAbilities(cgroup, request.limits),
    diskBytes: enforceDisk
      ? { enforcement: "enforced", by: "a file system of that size", nextStep: "" }
      : { enforcement: "polled", by: POLLED_BY, nextStep: enforcementNextStep("bubblewrap", "diskBytes") },
  });
  if (decision.status === "refused") return decision;
  await handOver(request, UNPRIVILEGED_USER);
  let disk: LimitedDisk | null = null;
  if (enforceDisk) {
    disk = await limitDisk(scratch, request.mounts, request.limits.diskBytes?.value ?? 0);
    if (disk === null)
      return startFailed(
        "a disk of the given size could not be mounted",
        enforcementNextStep("bubblewrap", "diskBytes"),
      );
  }
  const parts = fillScratch(scratch, request.network.mode === "open" ? SLIRP_NAMESERVER : null);
  if (disk !== null) parts.tmp = disk.tmp;
  const stage = harnessIsRoot() ? makeStage(scratch, sourcesOf(request, parts)) : null;
  const hidden = request.rootFolder === undefined ? packageFolders() : [];
  const at = stage?.at ?? ((host: string) => host);
  const { sockets, command } = forwardInside(harnessIsRoot() ? [] : allForwards(request), request.command);
  const args = bubblewrapArguments(request, parts, {
    infoFd: INFO_FD,
    filterFd: knownArchitecture() === null ? null : FILTER_FD,
    blockFd: BLOCK_FD,
    hidden,
    sockets,
    at,
  });
  const child = launchBubblewrap(args, { ...request, command }, cgroup, outputs, stage);
  const companions: Companion[] = [];
  const inner = await innerProcess(child);
  const helped = inner !== null && (await addCompanions(inner, request, companions));
  if (inner === null || !helped) {
    child.kill("SIGKILL");
    // It waits for our word and is not yet tied to its parent's life.
    if (inner !== null) sendSignal(inner, "SIGKILL");
    for (const stream of child.stdio) stream?.destroy();
    for (const companion of companions) companion.stop();
    await Promise.all(outputs.map((output) => output.finish(1)));
    // Its own word comes first: a network cannot be entered whose sandbox has given up meanwhile.
    return inner === null || fs.readFileSync(request.stderr, "utf8").startsWith("bwrap: ")
      ? startFailed(
          `bubblewrap: ${readTail(request.stderr)}`,
          "see the message; mlebench env check tells more",
        )
      : startFailed(
          "the sandbox's network could not be set up",
          "install what it takes: apt-get install util-linux perl-base slirp4netns",
        );
  }
  const helpers = new Set([child.pid, inner]);
  // It waits for our word, so the number is certainly its own still.
  const namespace = pidNamespace(inner);
  const rows = () => descendantsOf([child.pid ?? -1], readProcesses()).filter(({ pid }) => !helpers.has(pid));
  const members = () =>
    cgroup === null ? rows().map(({ pid }) => pid) : cgroup.pids().filter((pid) => !helpers.has(pid));
  const running = supervise({
    child,
    cgroup,
    members,
    rows,
    outputs,
    limits: decision.limits,
    writableFolders: [
      parts.tmp,
      ...(request.countedFolders ?? []),
      ...request.mounts.filter(({ mode }) => mode === "read-write").map(({ host }) => host),
    ],
    ...(disk === null ? {} : { diskIsFull: disk.isFull }),
    signal: (name) => {
      for (const pid of members()) sendSignal(pid, name);
    },
    freeze: async () => {
      if (await cgroup?.freeze()) return;
      await signalNamespace(placeOf(inner), namespace, "STOP");
      await stopProcesses(members);
    },
    freezeAt: (moment) => cgroup?.freezeAt(moment) ?? NO_ALARM,
    thaw: async () => {
      cgroup?.thaw();
      for (const pid of members()) sendSignal(pid, "SIGCONT");
    },
    // The kernel ends a pid namespace with its first process.
    killAll: async () => {
      sendSignal(inner, "SIGKILL");
      child.kill("SIGKILL");
      await processGone(inner);
    },
    cleanUp: () => cleanUp(request.identity, cgroup, companions),
  });
  extraStream<Writable>(child, BLOCK_FD).end("go");
  return { status: "started", running, policy: policyOf(request, decision.limits) };
}

function sourcesOf(request: SandboxRequest, { etc, tmp, empty }: ScratchParts): string[] {
  const root = request.rootFolder === undefined ? [] : [request.rootFolder];
  return [etc, tmp, empty, ...root, ...request.mounts.map(({ host }) => host)];
}

function launchBubblewrap(
  args: readonly string[],
  { command, identity }: SandboxRequest,
  cgroup: Cgroup | null,
  [stdout, stderr]: readonly CappedOutput[],
  stage: Stage | null,
): ChildProcess {
  const [program, ...own] = asAgent(findProgram("bwrap") ?? "bwrap");
  const child = launch(program, [...own, "--args", `${ARGUMENTS_FD}`, "--", ...command], {
    joinFiles: cgroup?.joinFiles ?? [],
    stdio: ["ignore", stdout.writer, stderr.writer, "pipe", "pipe", "pipe", "pipe"],
    // The agent never sees it, but bubblewrap's own processes are found by it.
    env: launcherEnvironment(identity),
    ...(stage === null ? {} : { mountTable: stage.table }),
  });
  stdout.closeWriter();
  stderr.closeWriter();
  for (const stream of child.stdio) stream?.on("error", () => {});
  const architecture = knownArchitecture();
  extraStream<Writable>(child, FILTER_FD).end(architecture === null ? "" : filterProgram(architecture));
  extraStream<Writable>(child, ARGUMENTS_FD).end(args.map((text) => `${text}\0`).join(""));
  return child;
}

/** Node's types end at the fifth descriptor. */
function extraStream<T extends Readable | Writable>(child: ChildProcess, fd: number): T {
  return (child.stdio as readonly unknown[])[fd] as T;
}

/** The first process of the new namespaces, as the host numbers it; null when bubblewrap gave up before. */
function innerProcess(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve) => {
    let text = "";
    extraStream<Readable>(child, INFO_FD).on("data", (chunk) => {
      text += chunk;
      const pid = /"child-pid": (\d+)/.exec(text)?.[1];
      if (pid !== undefined) resolve(Number(pid));
    });
    child.once("error", () => resolve(null));
    child.once("exit", () => resolve(null));
  });
}

async function addCompanions(
  pid: number,
  request: SandboxRequest,
  companions: Companion[],
): Promise<boolean> {
  const forwards = harnessIsRoot() ? allForwards(request) : [];
  const started = await Promise.all([
    ...(forwards.length > 0 ? [forwardInto(pid, forwards)] : []),
    ...(request.network.mode === "open" ? [openNetwork(pid)] : []),
  ]);
  companions.push(...started.filter((companion) => companion !== null));
  return companions.length === started.length;
}

async function cleanUp(
  identity: string,
  cgroup: Cgroup | null,
  companions: readonly Companion[],
): Promise<void> {
  for (const companion of companions) companion.stop();
  await cgroup?.destroy();
  await restoreDisk(scratchFolder(identity));
  await removeScratch(identity);
}

async function destroyLeftovers(identity: string): Promise<void> {
  const layout = findCgroupLayout();
  if (layout !== null) await destroyCgroup(layout, identity);
  await markedTree(identity, null).killAll();
  await restoreDisk(scratchFolder(identity));
  await removeScratch(identity);
}

function readTail(file: string): string {
  return fs.readFileSync(file, "utf8").trim().slice(-500) || "it ended without a message";
}

function policyOf(request: SandboxRequest, limits: EnforcedPolicy["limits"]): EnforcedPolicy {
  const root = request.rootFolder ?? null;
  return {
    kind: "bubblewrap",
    isolation: { user: true, files: true, processes: true, ipc: true, hostname: true, network: true },
    system: { source: root === null ? "host, read-only" : "folder, read-only", name: root },
    mounts: request.mounts.map(({ host, inside, mode }) => ({ host, inside, mode })),
    network: { mode: request.network.mode, forwardedPorts: allForwards(request).map(({ port }) => port) },
    user: {
      inside: request.asRoot ? 0 : 1000,
      outside: harnessIsRoot() ? UNPRIVILEGED_USER : (process.getuid?.() ?? 0),
      capabilities: "none",
      mayGainPrivileges: false,
    },
    systemCalls: filterPolicy(
      knownArchitecture() === null ? `there is no filter for processors of type ${process.arch}` : null,
    ),
    limits,
    gpus: [...request.gpus],
  };
}
