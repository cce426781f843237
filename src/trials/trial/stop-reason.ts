import { readWindow } from "../../files/window.ts";
import type { Refusal, SandboxExit } from "../../sandbox/sandbox.ts";
import type { Blame } from "../../wording/problem.ts";
import { safeText } from "../../wording/safe-text.ts";
import type { Outcome } from "./schema.ts";

/** Why the harness itself ended the trial, if it did. */
export type HarnessStop = "timeout" | "cancelled" | "interrupted" | null;

/** An agent that ends by itself after it heard that its models' budget is spent has ended because of that. */
export function afterBudget(outcome: Outcome): Outcome {
  if (outcome.stopReason !== "exited" && outcome.stopReason !== "failed") return outcome;
  const message =
    "What it may spend on its models (cost, tokens or calls) was used up; what stood there then counts.";
  return { ...outcome, stopReason: "budget", blame: "budget", message };
}

/**
 * Names how a trial ended and who is to blame. An agent that ends with status 0 while it is being stopped still ran
 * into its limit; being killed for memory or disk wins over the limit that came at the same moment.
 */
export function explainEnd(
  exit: SandboxExit,
  stop: HarnessStop,
  /** The sandbox's own words where the program was not there. */
  launch: string | null = null,
): Outcome {
  const exitCode = exit.kind === "exited" ? exit.code : null;
  const signal = exit.kind === "signalled" ? exit.signal : null;
  const outcome = (stopReason: Outcome["stopReason"], blame: Blame | null, message: string): Outcome => ({
    stopReason,
    blame,
    message,
    exitCode,
    signal,
  });
  if (exit.kind === "out-of-memory")
    return outcome("memory", "budget", "It used more memory than it was allowed and was killed.");
  if (exit.kind === "disk-full")
    return outcome("disk", "budget", "It used more disk space than it was allowed and was stopped.");
  switch (stop) {
    case "timeout":
      return outcome("timeout", "budget", "Its time was up; what stood there at the deadline counts.");
    case "cancelled":
      return outcome("cancelled", "user", "It was cancelled; what stood there at that moment counts.");
    case "interrupted":
      return outcome(
        "cancelled",
        "user",
        "The run was interrupted; `mlebench resume` starts this trial again.",
      );
  }
  if (exit.kind === "too-many-processes")
    return outcome("failed", "agent", "It started more processes than it was allowed and was stopped.");
  if (exit.kind === "signalled") return outcome("failed", "agent", `It was ended by ${exit.signal}.`);
  return exit.code === 0
    ? outcome("exited", null, "It ended by itself.")
    : outcome(
        "failed",
        "agent",
        launch === null ? `It ended with status ${exit.code}.` : `It could not be started: ${launch}`,
      );
}

const HEAD_BYTES = 2048;
const MAX_WORDS = 300;
/** What bubblewrap, the engines and a shell write when there is no such program inside. */
const LAUNCHER =
  /^(bwrap: execvp |(Error: )?(crun|runc): .*executable file|(docker|podman): Error response|Error: .*OCI runtime|\S+: (\d+: )?(exec: )?\S+: (command )?not found|\S+: No such file or directory$)/;

/** The sandbox's own line where the agent's program never ran; null where it did, as far as anybody can tell. */
export function launchFailure(stderr: string): string | null {
  const [line] = readWindow(stderr, 0, HEAD_BYTES)?.bytes.toString("utf8").split("\n") ?? [""];
  return LAUNCHER.test(line) ? safeText(line.trim().slice(0, MAX_WORDS)) : null;
}

/** The scheduler ended the job: for a job of higher rank, because somebody cancelled it, or to empty the node. */
export function explainCut(exit: SandboxExit): Outcome {
  const message = "The scheduler ended the job; the trial starts again with another attempt.";
  return { ...explainEnd(exit, "interrupted"), blame: "host", message };
}

/** The sandbox was never started. */
export function explainRefusal({ message, blame }: Refusal): Outcome {
  return { stopReason: "harness error", blame, message, exitCode: null, signal: null };
}

/** What a machine runs out of, for which neither the agent nor the harness can be blamed. */
const HOST_PROBLEMS: Partial<Record<string, string>> = {
  ENOSPC: "The disk of this machine is full.",
  EDQUOT: "The disk quota on this machine is used up.",
  EROFS: "The disk of this machine cannot be written to.",
  EIO: "The disk of this machine fails.",
  EMFILE: "This process may not open any more files.",
  ENFILE: "This machine cannot open any more files.",
};

/** Something of ours failed; `what` may say in the beginning what it was. */
export function explainHarnessError(error: unknown, what = ""): Outcome {
  const cause = `${what}${error instanceof Error ? error.message : error}`;
  const hostProblem = HOST_PROBLEMS[(error as NodeJS.ErrnoException | null)?.code ?? ""];
  return {
    stopReason: "harness error",
    blame: hostProblem === undefined ? "harness" : "host",
    message: hostProblem === undefined ? cause : `${hostProblem} (${cause})`,
    exitCode: null,
    signal: null,
  };
}

/** The original's `success`, minus its mistake of calling a crash one. */
export function ranItsCourse({ stopReason }: Outcome): boolean {
  return stopReason === "exited" || stopReason === "timeout" || stopReason === "budget";
}
