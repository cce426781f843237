import { Layout } from "../parts/layout.tsx";
import { exported } from "../state/load.ts";
import { TreeTab } from "../trial/tree.tsx";

/** The search of one trial as a page of its own, which was written to a file. */
export function TreePage({ group, trial }: { group: string; trial: string }) {
  const note = exported?.note ?? "";
  return (
    <Layout title={`Search tree of ${trial}`} alone>
      <div class="page-head">
        <h1>Search tree</h1>
        <p class="subtitle">
          <bdi>{trial}</bdi> of <bdi>{group}</bdi>
        </p>
      </div>
      {note !== "" && <p class="notice">{note}</p>}
      <TreeTab group={group} trial={trial} />
    </Layout>
  );
}
