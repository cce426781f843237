import fs from "node:fs";
import type { Writable } from "node:stream";
import { launcherEnvironment, MARKER_VARIABLE } from "../host-environment.ts";
import { launch } from "../launch.ts";
import { type CappedOutput, withCappedOutputs } from "../limits/capped-output.ts";
import { type Cgroup, createCgroup, destroyCgroup } from "../limits/cgroup.ts";
import { findCgroupLayout } from "../limits/cgroup-layout.ts";
import { NO_ALARM } from "../limits/freeze-alarm.ts";
import {
  cgroupAbilities,
  cgroupCapabilities,
  decideLimits,
  enforcementNextStep,
  POLLED_BY,
} from "../limits/limit-policy.ts";
import { stopProcesses } from "../limits/stop-processes.ts";
import { markedTree } from "../marked-tree.ts";
import { forwardLocally, type LocalForwarder } from "../network/forwarder.ts";
import { agentEnvironment, allForwards } from "../network/network.ts";
import { onHost } from "../on-host.ts";
import { badRequest, checkRequest, identityInUse, startFailed } from "../refuse.ts";
import type { Capabilities, EnforcedPolicy, Sandbox, SandboxRequest, StartOutcome } from "../sandbox.ts";
import { createScratch, removeScratch } from "../scratch.ts";
import { withSecretFiles } from "../secret-files.ts";
import { supervise } from "../supervise.ts";
import { filterPolicy } from "../system-calls/refused.ts";
import { environmentText, withEnvironmentFrom } from "./with-environment.ts";

/**
 * No isolation at all: the agent is a child of the harness with the harness's rights, for agents one trusts. Paths
 * and ports of the request are rewritten to what they are on the host. Limits are polled, and enforced only where a
 * cgroup can be had. After `kill -9` of the harness the agent lives on until `destroyLeftovers`.
 */
export const process: Sandbox = { kind: "process", probe, start, destroyLeftovers };

const ENVIRONMENT_FD = 3;

async function probe(): Promise<Capabilities> {
  return {
    kind: "process",
    available: globalThis.process.platform !== "win32",
    problem:
      globalThis.process.platform === "win32"
        ? { message: "process trees cannot be followed on Windows", nextStep: "run mlebench in WSL" }
        : null,
    isolated: false,
    version: null,
    limits: {
      ...cgroupCapabilities(findCgroupLayout()),
      diskBytes: "polled",
    },
    networks: ["open"],
  };
}

async function start(request: SandboxRequest): Promise<StartOutcome> {
  const wrong = checkRequest(request);
  if (wrong !== null) return wrong;
  const scratch = createScratch(request.identity);
  if (scratch === null) return identityInUse(request.identity);
  const layout = findCgroupLayout();
  const cgroup = layout === null ? null : createCgroup(layout, request.identity, request.limits);
  const outcome = await startIn(scratch, cgroup, request).catch((error: Error) =>
    startFailed(`the process could not be set up: ${error.message}`, "see the message"),
  );
  if (outcome.status === "refused") await destroyLeftovers(request.identity);
  return outcome;
}

async function startIn(
  scratch: string,
  cgroup: Cgroup | null,
  request: SandboxRequest,
): Promise<StartOutcome> {
  const decision = decideLimits(request.limits, {
    ...cgroupAbilities(cgroup, request.limits),
    diskBytes: {
      enforcement: "polled",
      by: POLLED_BY,
      nextStep: enforcementNextStep("process", "diskBytes"),
    },
  });
  if (decision.status === "refused") return decision;
  const forwarder = await forwardLocally(allForwards(request));
  let started = false;
  try {
    const outcome = await startBehind(forwarder, scratch, cgroup, request, decision.limits);
    started = outcome.status === "started";
    return outcome;
  } finally {
    // Its open ports would keep the harness from ever ending.
    if (!started) forwarder.stop();
  }
}

async function startBehind(
  forwarder: LocalForwarder,
  scratch: string,
  cgroup: Cgroup | null,
  request: SandboxRequest,
  limits: EnforcedPolicy["limits"],
): Promise<StartOutcome> {
  const own = withSecretFiles(request, scratch, globalThis.process.getuid?.() ?? 0);
  const view = onHost({ ...own, env: agentEnvironment(request) }, forwarder.ports);
  if (!fs.existsSync(view.workingFolder))
    return badRequest(`there is no folder ${view.workingFolder} to work in`, "mount it, or create it");
  return withCappedOutputs(scratch, request, (outputs) =>
    startWith(outputs, { forwarder, cgroup, request, view, limits }),
  );
}

function startWith(
  outputs: readonly CappedOutput[],
  {
    forwarder,
    cgroup,
    request,
    view,
    limits,
  }: {
    forwarder: LocalForwarder;
    cgroup: Cgroup | null;
    request: SandboxRequest;
    view: ReturnType<typeof onHost>;
    limits: EnforcedPolicy["limits"];
  },
): StartOutcome {
  const [program, ...args] = withEnvironmentFrom(ENVIRONMENT_FD, view.command);
  const child = launch(program, args, {
    joinFiles: cgroup?.joinFiles ?? [],
    stdio: ["ignore", ...outputs.map(({ writer }) => writer), "pipe"],
    env: launcherEnvironment(request.identity),
    cwd: view.workingFolder,
    detached: true,
  });
  const environment = child.stdio[ENVIRONMENT_FD] as Writable;
  environment.on("error", () => {});
  environment.end(environmentText({ ...view.env, [MARKER_VARIABLE]: request.identity }));
  for (const output of outputs) output.closeWriter();
  const tree = markedTree(request.identity, child.pid);
  const running = supervise({
    child,
    cgroup,
    members: () => cgroup?.pids() ?? tree.rows().map(({ pid }) => pid),
    rows: tree.rows,
    outputs,
    limits,
    writableFolders: [
      ...(request.countedFolders ?? []),
      ...request.mounts.filter(({ mode }) => mode === "read-write").map(({ host }) => host),
    ],
    signal: tree.signal,
    freeze: async () => {
      if (!(await cgroup?.freeze())) await stopProcesses(() => tree.rows().map(({ pid }) => pid));
    },
    freezeAt: (moment) => cgroup?.freezeAt(moment) ?? NO_ALARM,
    thaw: async () => {
      cgroup?.thaw();
      tree.signal("SIGCONT");
    },
    killAll: async () => {
      await cgroup?.destroy();
      await tree.killAll();
    },
    cleanUp: async () => {
      forwarder.stop();
      await removeScratch(request.identity);
    },
  });
  return { status: "started", running, policy: policyOf(request, limits) };
}

async function destroyLeftovers(identity: string): Promise<void> {
  const layout = findCgroupLayout();
  if (layout !== null) await destroyCgroup(layout, identity);
  await markedTree(identity, null).killAll();
  await removeScratch(identity);
}

function policyOf(request: SandboxRequest, limits: EnforcedPolicy["limits"]): EnforcedPolicy {
  const user = globalThis.process.getuid?.() ?? 0;
  return {
    kind: "process",
    isolation: { user: false, files: false, processes: false, ipc: false, hostname: false, network: false },
    system: { source: "host", name: null },
    // Nothing keeps the agent from writing to what was meant to be read-only.
    mounts: request.mounts.map(({ host }) => ({ host, inside: host, mode: "read-write" })),
    network: { mode: "not restricted", forwardedPorts: allForwards(request).map(({ port }) => port) },
    user: { inside: user, outside: user, capabilities: "the harness's", mayGainPrivileges: true },
    systemCalls: filterPolicy("a plain process has no filter"),
    limits,
    gpus: [...request.gpus],
  };
}
