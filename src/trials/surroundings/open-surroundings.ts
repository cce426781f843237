import fs from "node:fs";
import path from "node:path";
import { sharedJudge } from "../../grading/judge.ts";
import type { NetworkRequest, SandboxRequest } from "../../sandbox/sandbox.ts";
import { agentEnvironment, VALIDATION_PORT } from "../trial/agent-environment.ts";
import type { AgentHome } from "../trial/agent-home.ts";
import { removeTree } from "../trial/collect.ts";
import type { EventLog } from "../trial/events.ts";
import { quietEvents } from "../trial/failures.ts";
import type { Network } from "../trial/schema.ts";
import { note, type Session, timeLeft } from "../trial/session.ts";
import { WATCH_LIMITS } from "../trial/submission-watch.ts";
import { checkInDisguise } from "./check-in-disguise.ts";
import { startEgressProxy } from "./egress-proxy.ts";
import { type ModelDoor, openModelDoor } from "./model-door.ts";
import { startValidationServer } from "./validation-server.ts";

/** Starts what the agent talks to, and says what the sandbox has to be like. */
export async function openSurroundings(
  session: Session,
  home: AgentHome,
  remainingSeconds: () => number,
): Promise<SandboxRequest> {
  const { request, paths, trial } = session;
  const events = quietEvents(session.events, session.failures);
  const { competition } = request.loaded;
  const { runtimeFolder, identity } = trial.sandbox;
  fs.mkdirSync(runtimeFolder, { mode: 0o700 });
  session.closers.push(() => removeTree(runtimeFolder));
  const uploads = path.join(paths.work, "uploads");
  fs.mkdirSync(uploads);
  const socket = path.join(runtimeFolder, "validate.sock");
  const server = await startValidationServer({
    socket,
    folder: uploads,
    maxBytes: () => uploadBytes(session),
    check: (submissionPath) =>
      checkInDisguise(request.disguise ?? null, submissionPath, (file) =>
        sharedJudge().check({
          submissionPath: file,
          competitionId: competition.id,
          competitionVersion: request.competitionVersion,
          dataDir: request.dataDir,
          competitionsDir: request.competitionsDir ?? undefined,
        }),
      ),
    remainingSeconds,
    events,
  });
  session.closers.push(async () => {
    await server.close();
    note(session, { validationCalls: server.calls() });
  });
  const network = await openNetwork(request.network, runtimeFolder, events);
  session.closers.push(network.close);
  const { timeSeconds, graceSeconds: _, ...limits } = request.limits;
  const door = await openDoor(session, runtimeFolder);
  const deadlineEpoch = Math.floor(Date.now() / 1000 + timeLeft(request));
  home.writeDeadline(deadlineEpoch);
  return {
    command: request.agent.command,
    env: agentEnvironment(
      request.agent,
      {
        competitionId: request.disguise?.name ?? competition.id,
        seed: request.seed,
        timeSeconds,
        deadlineEpoch,
        memoryBytes: request.limits.memoryBytes?.value,
        hardware: request.hardware,
        kind: request.sandbox.kind,
        image: request.image,
        network: request.network.mode,
        gpus: request.gpus,
      },
      door?.environment,
    ),
    secretFiles: request.agent.secretFiles,
    secrets: request.agent.secrets,
    countedFolders: [uploads],
    workingFolder: request.code === null ? "/home/agent" : "/home/code",
    mounts: [...home.mounts, ...request.show.map((folder) => readOnly(folder))],
    network: network.request,
    forwards: [{ port: VALIDATION_PORT, socket }, ...(door === null ? [] : [door.forward])],
    limits: withoutUndefined(limits),
    gpus: request.gpus,
    ...(request.image === null ? {} : { image: request.image, writableRoot: request.agent.writableRoot }),
    ...(request.rootFolder === null ? {} : { rootFolder: request.rootFolder }),
    stdout: paths.stdout,
    stderr: paths.stderr,
    identity,
  };
}

/** It is seen where it lies: programs know their own paths. */
function readOnly(folder: string): SandboxRequest["mounts"][number] {
  return { host: folder, inside: folder, mode: "read-only" };
}

/** An upload is the agent's too: it may take what is left of the disk limit. */
async function uploadBytes({ request, running }: Session): Promise<number> {
  const limit = request.limits.diskBytes?.value;
  // Looking at all an agent has written takes time, which only a limit is worth.
  if (limit === undefined) return WATCH_LIMITS.fileBytes;
  const left = limit - ((await running?.diskBytes()) ?? 0);
  return Math.max(0, Math.min(WATCH_LIMITS.fileBytes, left));
}

/** The way to the models that the run names, if it names any. */
async function openDoor(session: Session, runtimeFolder: string): Promise<ModelDoor | null> {
  const { request, paths, events } = session;
  if (request.models == null) return null;
  const before = request.continued && path.join(request.continued.folder, "model");
  if (before && fs.existsSync(before)) fs.cpSync(before, paths.model, { recursive: true });
  const door = await openModelDoor({
    models: request.models,
    paths,
    runtimeFolder,
    competitionId: request.loaded.competition.id,
    seed: request.seed,
    timeSeconds: timeLeft(request),
    spentBefore: request.continued?.spent,
    secrets: request.agent.secrets,
    events,
  });
  session.closers.push(async () => {
    note(session, await door.close());
    session.budgetSpent = door.budgetSpent();
  });
  return door;
}

/** What the sandbox is told about the network; for an allow-list, with the proxy that enforces and records it. */
async function openNetwork(
  network: Network,
  folder: string,
  events: EventLog,
): Promise<{ request: NetworkRequest; close: () => Promise<void> }> {
  if (network.mode !== "allow-list") return { request: { mode: network.mode }, close: async () => {} };
  const proxySocket = path.join(folder, "proxy.sock");
  const proxy = await startEgressProxy({
    socket: proxySocket,
    hosts: network.hosts,
    onConnection: (connection) => void events.append("network", { ...connection }),
  });
  return {
    request: { mode: "allow-list", proxySocket },
    async close() {
      await proxy.close();
      const attempts = proxy.unreported();
      if (attempts > 0) events.append("network-unreported", { attempts });
    },
  };
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
