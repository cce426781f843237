import path from "node:path";
import { type IntegrityOverview, readIntegrityOverview } from "../../integrity/findings/overview.ts";
import { answer, gone, type Route } from "./route.ts";

export type IntegrityPage = Pick<IntegrityOverview, "checks" | "findings" | "decisions" | "problems">;

/** What the integrity checks found, of a group or of one of its trials; a person decides. */
export const integrity: Route = (store, { group: id = "", trial }) => {
  if (store.group(id) === null) return gone(`The run group ${id}`);
  const { checks, findings, decisions, problems } = readIntegrityOverview(path.join(store.runsDir, id));
  const mine = <T extends { trial: string }>(all: readonly T[]) =>
    trial === undefined ? [...all] : all.filter((one) => one.trial === trial);
  const page: IntegrityPage = { checks, findings: mine(findings), decisions: mine(decisions), problems };
  return answer(page);
};
