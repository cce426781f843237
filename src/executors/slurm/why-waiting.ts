import type { QueuedTask } from "./scheduler.ts";

/** Reasons that no waiting mends. */
const STUCK = /Limit$|BadConstraints|Invalid|NotAvail|held|Held|Dependency|DOWN|DRAIN|NodeDown/;
const DRAINED = /DOWN|DRAIN|NodeDown|NotAvail/;

/** What tasks wait for that may need a person, in the scheduler's words; empty when they simply wait their turn. */
export function whyWaiting(tasks: readonly QueuedTask[]): string {
  const reasons = new Set(
    tasks
      .filter(({ state, reason }) => state === "PENDING" && STUCK.test(reason))
      .map(({ reason }) => reason),
  );
  if (reasons.size === 0) return "";
  const line = `some trials wait in Slurm's queue for: ${[...reasons].sort().join(", ")}`;
  // A controller that was killed may start a task twice; the node refuses it, and Slurm drains the node for good.
  return [...reasons].some((reason) => DRAINED.test(reason))
    ? `${line}; \`sinfo -R\` says why nodes are out of service, and an administrator returns one that Slurm has drained: scontrol update nodename=<node> state=resume`
    : line;
}
