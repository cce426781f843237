import type { RunningSandbox } from "../../sandbox/sandbox.ts";
import { announceStart } from "../group/starts.ts";
import { type EventLog, openEvents } from "./events.ts";
import { collectFailures, type Failures, maskedEvents, maskFreeText } from "./failures.ts";
import { type TrialPaths, trialPaths, writeTrial } from "./folder.ts";
import type { TrialControl, TrialRequest } from "./request.ts";
import { openRunLog, type RunLog } from "./run-log.ts";
import type { Trial } from "./schema.ts";

/** What is open while a trial runs. */
export interface Session {
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

export async function openSession(
  request: TrialRequest,
  control: TrialControl,
  trial: Trial,
): Promise<Session> {
  const paths = trialPaths(request.folder);
  const { secrets } = request.agent;
  // First of all: whoever finds a killed trial learns from it what to clean up.
  writeTrial(paths.folder, trial);
  const { plan } = request;
  if (plan !== null) {
    trial.start = await announceStart(plan.starts, request.id, request.attempt);
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

/** Changes the record in memory only: it costs milliseconds to make one last. */
export function note(session: Session, change: Partial<Trial>): void {
  session.trial = maskFreeText({ ...session.trial, ...change }, session.request.agent.secrets);
}

export function save(session: Session, change: Partial<Trial>): void {
  note(session, change);
  if (session.control.isMine?.() === false) return;
  writeTrial(session.paths.folder, session.trial);
}

export async function closeAll(session: Session): Promise<void> {
  for (const close of session.closers.splice(0).reverse()) await close();
}

/** All of it, or what the attempts left that it goes on from; a moment at least, to leave what stands there. */
export function timeLeft({ limits, continued }: TrialRequest): number {
  return continued ? Math.max(1, limits.timeSeconds - continued.usedSeconds) : limits.timeSeconds;
}

export function isScheduled({ place }: TrialRequest): boolean {
  return place.executor !== "local";
}
