import { render } from "preact";
import { ComparePage } from "./pages/compare.tsx";
import { CompetitionPage } from "./pages/competition.tsx";
import { GroupPage } from "./pages/group.tsx";
import { RunsPage } from "./pages/runs.tsx";
import { StandingsPage } from "./pages/standings.tsx";
import { TreePage } from "./pages/tree.tsx";
import { TrialPage } from "./pages/trial.tsx";
import { Help } from "./parts/help.tsx";
import { Layout } from "./parts/layout.tsx";
import { Empty } from "./parts/states.tsx";
import { startKeys } from "./state/keys.ts";
import { startListening } from "./state/live.ts";
import { exported } from "./state/load.ts";
import { hrefTo, place } from "./state/route.ts";
import { startTheme } from "./state/theme.ts";

function App() {
  const { page, ids } = place.value;
  if (exported?.standings) return <StandingsPage alone />;
  if (exported?.tree) return <TreePage {...exported.tree} />;
  return (
    <>
      <Page page={page} ids={ids} />
      <Help />
    </>
  );
}

function Page({ page, ids }: { page: string; ids: string[] }) {
  switch (page) {
    case "runs":
      return <RunsPage />;
    case "group":
      return <GroupPage key={ids[0]} id={ids[0] ?? ""} />;
    case "trial":
      return <TrialPage key={`${ids[0]}/${ids[1]}`} group={ids[0] ?? ""} trial={ids[1] ?? ""} />;
    case "competition":
      return <CompetitionPage key={ids[0]} id={ids[0] ?? ""} />;
    case "compare":
      return <ComparePage />;
    case "standings":
      return <StandingsPage />;
    default:
      return (
        <Layout title="Not found">
          <Empty title="There is no such page." page>
            <a href={hrefTo("runs")}>All runs</a>
          </Empty>
        </Layout>
      );
  }
}

startTheme();
if (!exported?.tree && !exported?.standings) startKeys();
if (exported === null) startListening();
const app = document.getElementById("app")!;
// What was there for readers without scripts.
app.textContent = "";
render(<App />, app);
