import type { EnforcedPolicy } from "../../sandbox/sandbox.ts";
import type { Trial } from "./schema.ts";

/** Whether the agent was kept from the host's files, and what else it shared with the host. */
export function isolationOf({ isolation }: EnforcedPolicy): NonNullable<Trial["isolation"]> {
  const shared = Object.entries(isolation).flatMap(([what, own]) => (own ? [] : [what]));
  return { isolated: isolation.files, shared };
}

/** The same in words, for every place that shows what a trial earned. */
export function isolationText({ sandbox: { kind, policy } }: Pick<Trial, "sandbox">): string {
  if (policy === null) return `${kind}, never started`;
  const { isolated, shared } = isolationOf(policy);
  if (!isolated) return `${kind}, NOT isolated`;
  const others = shared.filter((what) => what !== "network");
  return `${kind}, isolated${others.length === 0 ? "" : `, shares the host's ${others.join(", ")}`}`;
}

/** What network the agent had, as it was enforced; where nothing was started, as it was meant. */
export function networkText({ network, sandbox }: Pick<Trial, "network" | "sandbox">): string {
  const mode = sandbox.policy?.network.mode ?? network.mode;
  if (mode === "allow-list" && network.mode === "allow-list") return `only ${network.hosts.join(", ")}`;
  return mode === "none" ? "none" : mode === "open" ? "open" : "not restricted";
}
