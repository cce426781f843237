import type { EnforcedPolicy } from "../../sandbox/sandbox.ts";
import type { Trial } from "./schema.ts";

/** Whether the agent was kept from the host's files, and what else it shared with the host. */
export function isolationOf({ isolation }: EnforcedPolicy): NonNullable<Trial["isolation"]> {
  const shared = Object.entries(isolation).flatMap(([what, own]) => (own ? [] : [what]));
  return { isolated: isolation.files, shared };
}
