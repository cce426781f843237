import fs from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { isOutOfFiles } from "../../files/system-error.ts";
import { startGpuMeter } from "../../sandbox/gpus/measure.ts";
import type { SandboxExit } from "../../sandbox/sandbox.ts";
import { durationText } from "../../wording/durations.ts";
import { sizeText } from "../../wording/sizes.ts";
import { sealTrial } from "../certificate/certificate.ts";
import { dataPlaces } from "../certificate/data-digest.ts";
import { newTrial, period } from "../group/new-trial.ts";
import { recordUsage } from "../state/usage-history.ts";
import { openSurroundings } from "../surroundings/open-surroundings.ts";
import { type AgentHome, layOutHome } from "./agent-home.ts";
import { removeTree } from "./collect.ts";
import { collectOutputs, placeFinal, programStarts, refuseLateWrite } from "./end.ts";
import { trialPaths, writeTrial } from "./folder.ts";
import { isolationOf } from "./isolation.ts";
import { maskFiles } from "./mask-files.ts";
import { elapsedOf } from "./recover.ts";
import type { TrialControl, TrialRequest, TrialResult } from "./request.ts";
import type { Outcome } from "./schema.ts";
import { closeAll, isScheduled, note, openSession, type Session, save, timeLeft } from "./session.ts";
import {
  afterBudget,
  explainCut,
  explainEnd,
  explainHarnessError,
  explainRefusal,
  launchFailure,
} from "./stop-reason.ts";
import { watchLimits, watchSubmissions } from "./submission-watch.ts";
import { superviseTrial } from "./supervise.ts";

/**
 * Runs one agent on one competition with one seed, from an empty folder to a sealed record. Whatever the agent does
 * is an outcome. A failure of ours makes the trial `interrupted`, with everything the agent left kept beside it.
 */
export async function runTrial(request: TrialRequest, control: TrialControl): Promise<TrialResult> {
  const paths = trialPaths(request.folder);
  const trial = newTrial(request);
  let session: Session;
  try {
    session = await openSession(request, control, trial);
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
  if ((await whenFilesCanBeOpened(() => control.isMine?.())) === false)
    return { ...result, status: "interrupted" };
  fs.rmSync(paths.cancel, { force: true });
  control.onEnd?.();
  // After a failure of ours something may still lie there that could not be collected.
  const failed = session.trial.outcome?.stopReason === "harness error";
  if (!failed && !request.retain) await removeTree(paths.work);
  if (result.status !== "finished") return result;
  try {
    await whenFilesCanBeOpened(() => sealTrial(paths.folder, request.signingKey));
    return result;
  } catch (error) {
    return unsealed(session, error);
  }
}

/** A record that cannot be sealed counts as one of an attempt that failed by our fault: `resume` starts it again. */
function unsealed(session: Session, error: unknown): TrialResult {
  const outcome = explainHarnessError(error, "Its record could not be sealed: ");
  note(session, { status: "interrupted", outcome });
  try {
    writeTrial(session.paths.folder, session.trial);
  } catch {
    // On a full disk; `resume` seals it, or finds out the same.
  }
  return { status: "interrupted", trial: session.trial, refusal: null };
}

async function attempt(session: Session): Promise<TrialResult> {
  const { request, paths, events, log } = session;
  const { id, attempt, plan, start, competition, agent, seed, limits, network, materials } = session.trial;
  const { continuations, usedSeconds } = session.trial;
  const known = {
    ...{ id, attempt, ...(plan === undefined ? {} : { plan, start }) },
    ...(continuations === undefined ? {} : { continuations, usedSeconds }),
  };
  events.append("prepared", { ...known, competition, agent, seed, limits, network, materials });
  log.write(`${agent.id} on ${competition.id}, seed ${seed}, attempt ${request.attempt}`);
  if (fs.existsSync(paths.cancel)) {
    events.append("cancel-requested");
    return finish(session, "finished", explainEnd({ kind: "exited", code: 0 }, "cancelled"));
  }
  const home = await layOutHome({
    work: paths.work,
    agent: request.agent,
    publicFolder:
      request.disguise?.publicFolder ??
      dataPlaces(request.dataDir, request.loaded.competition, competition.version).publicFolder,
    description: ownDescription(request),
    materials: materials?.folder ?? null,
    code: request.code,
    left: request.continued?.folder ?? null,
    facts: {
      competitionId: request.disguise?.name ?? competition.id,
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
  const limits = { ...request.limits, timeSeconds: timeLeft(request) };
  let startedAt = performance.now();
  const remainingSeconds = () => Math.floor(limits.timeSeconds - (performance.now() - startedAt) / 1000);
  const sandboxRequest = await openSurroundings(session, home, remainingSeconds);
  // What the harness needs to open its doors is not the agent's time.
  startedAt = performance.now();
  note(session, period(new Date(), limits.timeSeconds));
  const started = await request.sandbox.start(sandboxRequest);
  if (started.status === "refused" && (await isBeingStopped(control)))
    return finish(session, "interrupted", explainStop(session, { kind: "signalled", signal: "SIGTERM" }));
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
    header: request.disguise?.undoHeader,
  });
  const gpuMeter = startGpuMeter(request.gpus);
  const history = recordUsage(paths.usage);
  const usageNow = () => ({
    seconds: wallSeconds(),
    memoryBytes: running.memoryBytes(),
    cpuSeconds: running.usage().cpuSeconds,
  });
  const wallSeconds = () => Math.round(performance.now() - startedAt) / 1000;
  const end = await superviseTrial({
    running,
    watch,
    events,
    limits,
    interruptedGraceSeconds: isScheduled(request) ? SCHEDULER_GRACE_SECONDS : Number.POSITIVE_INFINITY,
    startedAt,
    cancelFile: paths.cancel,
    control,
    failed: session.failures.failed,
    onLook: () => {
      if (control.isMine?.() !== false) history.note(usageNow());
      control.onProgress?.({
        trialId: request.id,
        competitionId: request.loaded.competition.id,
        seed: request.seed,
        elapsedSeconds: wallSeconds(),
        timeSeconds: limits.timeSeconds,
        usage: running.usage(),
        lastLine: log.lastLine(),
        submissions: watch.versions.length,
      });
    },
  });
  session.running = null;
  const measurements = { wallSeconds: wallSeconds(), ...running.usage() };
  if (control.isMine?.() !== false) history.end(usageNow());
  const gpuUse = await gpuMeter.end();
  const ofGpus = gpuUse.length === 0 ? {} : { gpuUse };
  const endedAt = events.append("ended", { exit: end.exit, stop: end.stop, measurements, ...ofGpus }).time;
  await closeAll(session);
  // Whoever has the trial now has begun anew in the same folder: what this attempt left is no longer ours to move.
  if (control.isMine?.() === false) return { status: "interrupted", trial: session.trial, refusal: null };
  if (end.stop !== null) await refuseLateWrite(paths, end.final, events, request.disguise?.undoHeader);
  const notes = await collect(session);
  events.append("collected", { notes });
  await placeFinal(paths, end.final);
  events.append("final", end.final);
  note(session, {
    ...ofGpus,
    ...programStarts(paths, session.trial.agent),
    endedAt,
    measurements,
    submissions: [...watch.versions],
    final: end.final,
    notes,
  });
  const status = end.stop === "interrupted" ? "interrupted" : "finished";
  const outcome =
    end.stop === "interrupted"
      ? explainStop(session, end.exit)
      : explainEnd(end.exit, end.stop, launchFailure(paths.stderr));
  return finish(session, status, session.budgetSpent ? afterBudget(outcome) : outcome);
}

/** Slurm sends SIGKILL 30 s after SIGTERM unless told otherwise, and what was left is to be collected before. */
const SCHEDULER_GRACE_SECONDS = 5;

/** Whoever stops a job stops the programs that a sandbox is being made with, too: that is no fault of the sandbox. */
async function isBeingStopped({ interrupted, killed }: TrialControl): Promise<boolean> {
  // Their end may be noticed before our own signal.
  await wait(100);
  return interrupted.aborted || killed.aborted;
}

function explainStop({ request }: Session, exit: SandboxExit): Outcome {
  return isScheduled(request) ? explainCut(exit) : explainEnd(exit, "interrupted");
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
    note(session, { elapsedSeconds: elapsedOf(session.paths, session.trial) });
    note(session, { notes: await collect(session) });
    return await finish(session, "interrupted", outcome);
  } catch (again) {
    // On a disk that is full nothing more can be written down; `resume` starts the trial again all the same.
    log.write(`and then: ${again instanceof Error ? again.stack : again}`);
    await closeAll(session).catch(() => {});
    note(session, { status: "interrupted", outcome });
    await whenFilesCanBeOpened(() => save(session, {})).catch(() => {});
    return { status: "interrupted", trial: session.trial, refusal: null };
  }
}

const FILES_WAIT_MS = 10_000;

/** Other trials of this process hold the descriptors that are missing, and let go of them sooner or later. */
async function whenFilesCanBeOpened<T>(action: () => T | Promise<T>): Promise<T> {
  const until = performance.now() + FILES_WAIT_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (!isOutOfFiles(error) || performance.now() > until) throw error;
    }
    await wait(100);
  }
}

/** Takes over what the agent left, and returns everything a reader should know. */
async function collect({ paths, trial, request }: Session): Promise<string[]> {
  const notes = [...trial.notes, ...(await collectOutputs(paths))];
  for (const folder of [paths.logs, paths.code])
    notes.push(...(await maskFiles(folder, request.agent.secrets)));
  return notes;
}

/** The competition's own text, for data that were prepared without one. */
function ownDescription({ loaded }: TrialRequest): string | null {
  const file = fileURLToPath(new URL("description.md", loaded.folder));
  return fs.existsSync(file) ? fs.readFileSync(file, "utf8") : null;
}
