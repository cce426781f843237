import fs from "node:fs";
import type { RunningSandbox, SandboxExit } from "../../sandbox/sandbox.ts";
import type { EventLog } from "./events.ts";
import type { TrialControl } from "./request.ts";
import type { FinalSubmission, TrialLimits } from "./schema.ts";
import type { HarnessStop } from "./stop-reason.ts";
import type { SubmissionWatch } from "./submission-watch.ts";

const LOOK_EVERY_MS = 500;
/** Timers cannot wait longer than 24 days at once. */
const LONGEST_TIMER_MS = 2 ** 30;

export interface Supervision {
  running: RunningSandbox;
  watch: SubmissionWatch;
  events: EventLog;
  limits: TrialLimits;
  /** The most an agent gets whose trial is interrupted: a scheduler waits for nobody. */
  interruptedGraceSeconds: number;
  /** By the clock that never jumps. */
  startedAt: number;
  /** The file that asks for an end. */
  cancelFile: string;
  control: TrialControl;
  /** Rejects when something beside the agent has failed for good. */
  failed: Promise<never>;
  onLook(): void;
}

export interface SupervisedEnd {
  exit: SandboxExit;
  stop: HarnessStop;
  final: FinalSubmission;
}

/**
 * Lets an agent run until it ends or has to end. At the deadline the whole tree is frozen while the standing
 * submission is copied, and what changed after the deadline does not count; then SIGTERM, the grace period, SIGKILL.
 */
export async function superviseTrial(supervision: Supervision): Promise<SupervisedEnd> {
  const { running, watch, events, limits, startedAt, control } = supervision;
  const deadlineAt = startedAt + limits.timeSeconds * 1000;
  const alarm = running.freezeAt(deadlineAt);
  let stop: HarnessStop = null;
  let stopping: Promise<FinalSubmission> | null = null;
  let ended = false;
  let grace: NodeJS.Timeout | undefined;

  function stopFor(reason: Exclude<HarnessStop, null>): void {
    if (stopping !== null || ended) return;
    stop = reason;
    if (reason !== "timeout") alarm.cancel();
    stopping = freezeAndTerminate(reason);
    // Awaited below, once the tree is gone; until then a failure is nobody's.
    stopping.catch(() => {});
  }

  const graceSeconds = (reason: HarnessStop) =>
    reason === "interrupted"
      ? Math.min(limits.graceSeconds, supervision.interruptedGraceSeconds)
      : limits.graceSeconds;

  async function freezeAndTerminate(reason: Exclude<HarnessStop, null>): Promise<FinalSubmission> {
    const endedAt = Math.min(performance.now(), deadlineAt);
    try {
      await running.freeze();
      const frozenAt = alarm.givenAt() ?? performance.now();
      alarm.cancel();
      if (reason === "timeout")
        events.append("deadline", { frozenAfterSeconds: Math.round(frozenAt - startedAt) / 1000 });
      if (reason === "cancelled") events.append("cancel-requested");
      const final = await watch.standing(endedAt);
      await watch.stop();
      events.append("signal", { signal: "SIGTERM", why: reason, graceSeconds: graceSeconds(reason) });
      return final;
    } finally {
      running.signal("SIGTERM");
      await running.thaw();
      grace = setTimeout(() => running.kill().catch(() => {}), graceSeconds(reason) * 1000);
    }
  }

  const deadline = startTimer(deadlineAt, () => stopFor("timeout"));
  const onInterrupt = () => stopFor("interrupted");
  const onKill = () => {
    stopFor("interrupted");
    running.kill().catch(() => {});
  };
  control.interrupted.addEventListener("abort", onInterrupt);
  control.killed.addEventListener("abort", onKill);
  if (control.interrupted.aborted) onInterrupt();
  if (control.killed.aborted) onKill();
  const look = setInterval(() => {
    if (fs.existsSync(supervision.cancelFile)) stopFor("cancelled");
    try {
      supervision.onLook();
    } catch {
      // Who watches may have gone; the trial goes on.
    }
  }, LOOK_EVERY_MS);
  try {
    const exit = await Promise.race([running.wait(), supervision.failed]);
    ended = true;
    const final = stopping === null ? await watch.standing(deadlineAt) : await stopping;
    return { exit, stop, final };
  } finally {
    alarm.cancel();
    clearTimeout(grace);
    clearInterval(look);
    deadline.cancel();
    control.interrupted.removeEventListener("abort", onInterrupt);
    control.killed.removeEventListener("abort", onKill);
    await watch.stop();
  }
}

/** A timer by the clock that never jumps, for any length of time. */
function startTimer(at: number, run: () => void) {
  let timer: NodeJS.Timeout;
  const arm = () => {
    const left = at - performance.now();
    timer = setTimeout(left <= LONGEST_TIMER_MS ? run : arm, Math.min(Math.max(0, left), LONGEST_TIMER_MS));
  };
  arm();
  return { cancel: () => clearTimeout(timer) };
}
