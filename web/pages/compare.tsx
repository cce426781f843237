import type { RunsPage } from "../../src/viewer/routes/runs.ts";
import { plural } from "../format.ts";
import { Layout } from "../parts/layout.tsx";
import { Results } from "../parts/results.tsx";
import { Search } from "../parts/search.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { comparisons, exported, useData } from "../state/load.ts";
import { hrefTo, place, setQuery } from "../state/route.ts";

const MAX_CHOSEN = 6;
const MAX_SHOWN = 60;

/** Two to six groups side by side: paired differences, by competition, over time and over cost. */
export function ComparePage() {
  const loaded = useData<RunsPage>("runs", {});
  const { groups: named = "", q = "" } = place.value.query;
  const chosen = named.split("|").filter(Boolean);
  const choose = (id: string) => {
    const next = chosen.includes(id)
      ? chosen.filter((one) => one !== id)
      : [...chosen, id].slice(-MAX_CHOSEN);
    setQuery({ groups: next.join("|") });
  };
  return (
    <Layout title="Compare">
      <div class="page-head">
        <h1>Compare</h1>
        <p class="subtitle">
          Two to six groups, paired by competition and seed; the first two are tested against each other.
        </p>
      </div>
      {exported !== null ? (
        <Written chosen={chosen} />
      ) : (
        <Shown loaded={loaded}>
          {({ groups }) => {
            const graded = groups.filter((group) => group.graded);
            if (graded.length < 2) return <Empty title="There are not two graded groups to compare." />;
            const words = q.toLowerCase().split(/\s+/).filter(Boolean);
            const fitting = graded.filter(
              ({ id, agent }) =>
                chosen.includes(id) || words.every((word) => `${id} ${agent}`.toLowerCase().includes(word)),
            );
            return (
              <>
                {graded.length > 6 && (
                  <div class="section-head">
                    <p class="note" role="status">
                      {plural(fitting.length, "graded group")}
                      {fitting.length > MAX_SHOWN &&
                        `, the newest ${MAX_SHOWN} listed: search for the others`}
                    </p>
                    <div class="filters">
                      <Search label="Search groups by name or agent" value={q} />
                    </div>
                  </div>
                )}
                <fieldset class="choices">
                  <legend class="hidden">Groups to compare</legend>
                  {fitting.slice(0, MAX_SHOWN).map(({ id, agent }) => (
                    <label key={id} class="choice">
                      <input type="checkbox" checked={chosen.includes(id)} onChange={() => choose(id)} />
                      <span>
                        <b>
                          <bdi>{agent}</bdi>
                        </b>{" "}
                        <span class="soft small">
                          <bdi>{id}</bdi>
                        </span>
                      </span>
                    </label>
                  ))}
                </fieldset>
              </>
            );
          }}
        </Shown>
      )}
      {chosen.length >= 2 ? (
        <Results key={chosen.join("|")} groups={inOrder(chosen)} />
      ) : (
        <p class="note">Choose {chosen.length === 1 ? "one more" : "two"} to see them side by side.</p>
      )}
    </Layout>
  );
}

/** An export holds some comparisons only: those can be chosen. */
function Written({ chosen }: { chosen: readonly string[] }) {
  if (comparisons.length === 0) return <Empty title="There are not two graded groups to compare." />;
  const current = inOrder(chosen).join("|");
  return (
    <ul class="choices">
      {comparisons.map((groups) => (
        <li key={groups.join("|")} class="choice">
          <a
            href={hrefTo("compare", [], { groups: groups.join("|") })}
            aria-current={groups.join("|") === current ? "true" : undefined}
          >
            <bdi>{groups.join(" – ")}</bdi>
          </a>
        </li>
      ))}
    </ul>
  );
}

/** As an export holds them, whichever was named first. */
function inOrder(groups: readonly string[]): readonly string[] {
  const same = (one: readonly string[]) =>
    one.length === groups.length && one.every((id) => groups.includes(id));
  return comparisons.find(same) ?? groups;
}
