import path from "node:path";
import type { Standings } from "../../analysis/standings/schema.ts";
import { standingsOf, standings as work } from "../../analysis/standings/standings.ts";
import { answer, type Route } from "./route.ts";

export interface StandingsPage {
  standings: Standings;
  /** Groups whose reports cannot be used, and why. */
  left: string[];
}

/** Every agent of the runs folder as a row, beside the published leaderboard; grades are not worked out again here. */
export const standings: Route = async (store, { published: withPublished = "yes" }) => {
  const byAgent = new Map<string, string[]>();
  for (const { agent, id, graded } of store.groups())
    if (graded) byAgent.set(agent, [...(byAgent.get(agent) ?? []), path.join(store.runsDir, id)]);
  const verify = {
    trustedKey: null,
    dataDir: path.join(path.sep, "nonexistent"),
    competitionsDir: store.competitionsDir,
    known: new Map(),
  };
  const options = { withPublished: false, verify, now: new Date() };
  const left: string[] = [];
  // Each alone: one that cannot be read must not take the others along.
  const published = await work([], { ...options, withPublished: withPublished === "yes" });
  const rows = published.ok ? [...published.standings.rows] : [];
  for (const [agent, reports] of byAgent) {
    const alone = await work([{ agent, reports, padMissing: true }], options);
    if (alone.ok) rows.push(...alone.standings.rows);
    else left.push(`${agent}: ${alone.message}`);
  }
  return answer({ standings: standingsOf(rows, options.now), left } satisfies StandingsPage);
};
