import type { Standings } from "../analysis/standings/schema.ts";
import { onePage, pageData } from "./one-page.ts";
import type { StandingsPage } from "./routes/standings.ts";

/** Standings as one file: the viewer's own page. `plain` is escaped markup for whoever runs no scripts. */
export function standingsPage(standings: Standings, plain: string): string {
  return onePage({
    title: "Standings",
    only: { standings: true },
    note: "",
    data: [pageData("standings", {}, { standings, left: [] } satisfies StandingsPage)],
    plain,
    secrets: [],
  });
}
