import fs from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { sharedJudge } from "../../grading/judge.ts";
import type { RunningSandbox, SandboxRequest } from "../../sandbox/sandbox.ts";
import { durationText } from "../../wording/durations.ts";
import { sizeText } from "../../wording/sizes.ts";
import { sealTrial } from "../certificate/certificate.ts";
import { dataPlaces } from "../certificate/data-digest.ts";
import { newTrial, period } from "../group/new-trial.ts";
import { announceStart } from "../group/starts.ts";
import { type ModelDoor, openModelDoor } from "../surroundings/model-door.ts";
import { openNetwork } from "../surroundings/open-network.ts";
import { startValidationServer } from "../surroundings/validation-server.ts";
import { agentEnvironment, VALIDATION_PORT } from "./agent-environment.ts";
import { type AgentHome, layOutHome } from "./agent-home.ts";
import { removeTree } from "./collect.ts";
import { collectOutputs, placeFinal, refuseLateWrite } from "./end.ts";
import { type EventLog, openEvents } from "./events.ts";
import { collectFailures, type Failures, maskedEvents, maskFreeText, quietEvents } from "./failures.ts";
import { type TrialPaths, trialPaths, writeTrial } from "./folder.ts";
import { isolationOf } from "./isolation.ts";
import { maskFiles } from "./mask-files.ts";
import type { TrialControl, TrialRequest, TrialResult } from "./request.ts";
import { openRunLog, type RunLog } from "./run-log.ts";
import type { Outcome, Trial } from "./schema.ts";
import { afterBudget, explainEnd, explainHarnessError, explainRefusal } from "./stop-reason.ts";
import { WATCH_LIMITS, watchLimits, watchSubmissions } from "./submission-watch.ts";
import { superviseTrial } from "./supervise.ts";

/** What is open while a trial runs. */
interface Session {
  request: TrialRequest;
  control: TrialControl;
  paths: TrialPaths;
  trial: Trial;
  events: EventLog;
  log: RunLog;
  /** What timers and handlers of this trial could not do. */
  failures: Failures;
  running: RunningSandbox | null;
  /** The agent was told that its models may cost no more. */
  budgetSpent: boolean;
  /** Closed in reverse order, whatever happens. */
  closers: (() => Promise<void>)[];
}

/**
 * Runs one agent on one competition with one seed, from an empty folder to a sealed record. Whatever the agent does
 * is an outcome. A failure of ours makes the trial `interrupted`, with everything the agent left kept beside it.
 */
export async function runTrial(request: TrialRequest, control: TrialControl): Promise<TrialResult> {
  const paths = trialPaths(request.folder);
  const trial = newTrial(request);
  let session: Session;
  try {
    session = openSession(request, control, trial);
  } catch (error) {
    // Nothing was started, and on a full disk nothing can be written down.
    const outcome = explainHarnessError(error);
    return { status: "interrupted", trial: { ...trial, status: "interrupted", outcome }, refusal: null };
  }
  let result: TrialResult;
  try {
    result = await attempt(session);
  } catch (error) {
    result = await salvage(session, error);
  }
  session.log.write(`${result.status}: ${session.trial.outcome?.message}`);
  session.log.close();
  session.events.close();
  if (control.isMine?.() === false) return { ...result, status: "interrupted" };
  fs.rmSync(paths.cancel, { force: true });
  control.onEnd?.();
  // After a failure of ours something may still lie there that could not be collected.
  const failed = session.trial.outcome?.stopReason === "harness error";
  if (!failed && !request.retain) await removeTree(paths.work);
  if (result.status !== "finished") return result;
  try {
    await sealTrial(paths.folder, request.signingKey);
    return result;
  } catch (error) {
    return unsealed(session, error);
  }
}

/** A record that cannot be sealed counts as one of an attempt that failed by our fault: `resume` starts it again. */
function unsealed(session: Session, error: unknown): TrialResult {
  const outcome = explainHarnessError(`Its record could not be sealed: ${(error as Error).message}`);
  note(session, { status: "interrupted", outcome });
  try {
    writeTrial(session.paths.folder, session.trial);
  } catch {
    // On a full disk; `resume` seals it, or finds out the same.
  }
  return { status: "interrupted", trial: session.trial, refusal: null };
}

function openSession(request: TrialRequest, control: TrialControl, trial: Trial): Session {
  const paths = trialPaths(request.folder);
  const { secrets } = request.agent;
  // First of all: whoever finds a killed trial learns from it what to clean up.
  writeTrial(paths.folder, trial);
  const { plan } = request;
  if (plan !== null) {
    trial.start = announceStart(plan.starts, request.id, request.attempt);
    writeTrial(paths.folder, trial);
  }
  return {
    request,
    control,
    paths,
    trial,
    events: maskedEvents(openEvents(paths.events), secrets),
    log: openRunLog(paths.runLog, [paths.stdout, paths.stderr], secrets),
    failures: collectFailures(),
    running: null,
    budgetSpent: false,
    closers: [],
  };
}

async function attempt(session: Session): Promise<TrialResult> {
  const { request, paths, events, log } = session;
  const { id, attempt, plan, start, competition, agent, seed, limits, network, materials } = session.trial;
  const known = { id, attempt, ...(plan === undefined ? {} : { plan, start }) };
  events.append("prepared", { ...known, competition, agent, seed, limits, network, materials });
  log.write(`${agent.id} on ${competition.id}, seed ${seed}, attempt ${request.attempt}`);
  if (fs.existsSync(paths.cancel)) {
    events.append("cancel-requested");
    return finish(session, "finished", explainEnd({ kind: "exited", code: 0 }, "cancelled"));
  }
  const home = layOutHome({
    work: paths.work,
    agent: request.agent,
    publicFolder: dataPlaces(request.dataDir, request.loaded.competition, competition.version).publicFolder,
    description: ownDescription(request),
    materials: materials?.folder ?? null,
    code: request.code,
    facts: {
      competitionId: competition.id,
      timeLimit: durationText(limits.timeSeconds),
      memoryLimit: limits.memoryBytes === undefined ? null : sizeText(limits.memoryBytes.value),
      network: network.mode,
    },
  });
  try {
    return await runInSandbox(session, home);
  } finally {
    await closeAll(session);
  }
}

async function runInSandbox(session: Session, home: AgentHome): Promise<TrialResult> {
  const { request, control, paths, events, log } = session;
  const { limits } = request;
  const startedAt = performance.now();
  const remainingSeconds = () => Math.floor(limits.timeSeconds - (performance.now() - startedAt) / 1000);
  const sandboxRequest = await openSurroundings(session, home, remainingSeconds);
  note(session, period(new Date(), limits.timeSeconds));
  const started = await request.sandbox.start(sandboxRequest);
  if (started.status === "refused") {
    const { code, message, nextStep } = started;
    events.append("refused", { code, message, nextStep });
    const result = finish(session, "interrupted", explainRefusal(started));
    return { ...(await result), refusal: started };
  }
  const { running, policy } = started;
  session.running = running;
  const { kind, identity } = session.trial.sandbox;
  events.append("started", { kind, identity, policy });
  save(session, { sandbox: { ...session.trial.sandbox, policy }, isolation: isolationOf(policy) });
  const watch = watchSubmissions(home.submission, paths.submissions, events, {
    startedAt,
    deadline: startedAt + limits.timeSeconds * 1000,
    limits: watchLimits(limits.diskBytes?.value),
  });
  const wallSeconds = () => Math.round(performance.now() - startedAt) / 1000;
  const end = await superviseTrial({
    running,
    watch,
    events,
    limits,
    startedAt,
    cancelFile: paths.cancel,
    control,
    failed: session.failures.failed,
    onLook: () =>
      control.onProgress?.({
        trialId: request.id,
        competitionId: request.loaded.competition.id,
        seed: request.seed,
        elapsedSeconds: wallSeconds(),
        timeSeconds: limits.timeSeconds,
        usage: running.usage(),
        lastLine: log.lastLine(),
        submissions: watch.versions.length,
      }),
  });
  session.running = null;
  const measurements = { wallSeconds: wallSeconds(), ...running.usage() };
  const endedAt = events.append("ended", { exit: end.exit, stop: end.stop, measurements }).time;
  await closeAll(session);
  if (end.stop !== null) await refuseLateWrite(paths, end.final, events);
  const notes = await collect(session);
  events.append("collected", { notes });
  await placeFinal(paths, end.final);
  events.append("final", end.final);
  note(session, { endedAt, measurements, submissions: [...watch.versions], final: end.final, notes });
  const status = end.stop === "interrupted" ? "interrupted" : "finished";
  const outcome = explainEnd(end.exit, end.stop);
  return finish(session, status, session.budgetSpent ? afterBudget(outcome) : outcome);
}

/** Starts what the agent talks to, and says what the sandbox has to be like. */
async function openSurroundings(
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
      sharedJudge().check({
        submissionPath,
        competitionId: competition.id,
        competitionVersion: request.competitionVersion,
        dataDir: request.dataDir,
        competitionsDir: request.competitionsDir ?? undefined,
      }),
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
  const deadlineEpoch = Math.floor(Date.now() / 1000 + timeSeconds);
  home.writeDeadline(deadlineEpoch);
  return {
    command: request.agent.command,
    env: agentEnvironment(
      request.agent,
      {
        competitionId: competition.id,
        seed: request.seed,
        timeSeconds,
        deadlineEpoch,
        memoryBytes: request.limits.memoryBytes?.value,
        hardware: request.hardware,
        kind: request.sandbox.kind,
        image: request.image,
        network: request.network.mode,
      },
      door?.environment,
    ),
    secretFiles: request.agent.secretFiles,
    secrets: request.agent.secrets,
    countedFolders: [uploads],
    workingFolder: request.code === null ? "/home/agent" : "/home/code",
    mounts: home.mounts,
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

/** An upload is the agent's too: it may take what is left of the disk limit. */
async function uploadBytes({ request, running }: Session): Promise<number> {
  const limit = request.limits.diskBytes?.value ?? Number.POSITIVE_INFINITY;
  const left = limit - ((await running?.diskBytes()) ?? 0);
  return Math.max(0, Math.min(WATCH_LIMITS.fileBytes, left));
}

/** The way to the models that the run names, if it names any. */
async function openDoor(session: Session, runtimeFolder: string): Promise<ModelDoor | null> {
  const { request, paths, events } = session;
  if (request.models == null) return null;
  const door = await openModelDoor({
    models: request.models,
    paths,
    runtimeFolder,
    competitionId: request.loaded.competition.id,
    seed: request.seed,
    timeSeconds: request.limits.timeSeconds,
    secrets: request.agent.secrets,
    events,
  });
  session.closers.push(async () => {
    note(session, await door.close());
    session.budgetSpent = door.budgetSpent();
  });
  return door;
}

async function closeAll(session: Session): Promise<void> {
  for (const close of session.closers.splice(0).reverse()) await close();
}

async function finish(
  session: Session,
  status: "finished" | "interrupted",
  outcome: Outcome,
): Promise<TrialResult> {
  await closeAll(session);
  const final = session.trial.final ?? { sha256: null, why: "it never ran" };
  const endedAt = session.trial.endedAt ?? new Date().toISOString();
  session.events.append(status, { outcome, final });
  save(session, { status, outcome, final, endedAt });
  return { status, trial: session.trial, refusal: null };
}

/** After a failure of ours: nobody survives, nothing the agent left is lost, and the trial can be started again. */
async function salvage(session: Session, error: unknown): Promise<TrialResult> {
  const { request, log } = session;
  log.write(`harness error: ${error instanceof Error ? error.stack : error}`);
  const outcome = explainHarnessError(error);
  try {
    await session.running?.kill();
    await request.sandbox.destroyLeftovers(session.trial.sandbox.identity);
    note(session, { notes: await collect(session) });
    return await finish(session, "interrupted", outcome);
  } catch (again) {
    // On a disk that is full nothing more can be written down; `resume` starts the trial again all the same.
    log.write(`and then: ${again instanceof Error ? again.stack : again}`);
    await closeAll(session).catch(() => {});
    note(session, { status: "interrupted", outcome });
    return { status: "interrupted", trial: session.trial, refusal: null };
  }
}

/** Takes over what the agent left, and returns everything a reader should know. */
async function collect({ paths, trial, request }: Session): Promise<string[]> {
  const notes = [...trial.notes, ...(await collectOutputs(paths))];
  for (const folder of [paths.logs, paths.code])
    notes.push(...(await maskFiles(folder, request.agent.secrets)));
  return notes;
}

/** Changes the record in memory only: it costs milliseconds to make one last. */
function note(session: Session, change: Partial<Trial>): void {
  session.trial = maskFreeText({ ...session.trial, ...change }, session.request.agent.secrets);
}

function save(session: Session, change: Partial<Trial>): void {
  note(session, change);
  if (session.control.isMine?.() === false) return;
  writeTrial(session.paths.folder, session.trial);
}

/** The competition's own text, for data that were prepared without one. */
function ownDescription({ loaded }: TrialRequest): string | null {
  const file = fileURLToPath(new URL("description.md", loaded.folder));
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
}

function withoutUndefined<T extends object>(value: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as {
    [K in keyof T]: Exclude<T[K], undefined>;
  };
}
