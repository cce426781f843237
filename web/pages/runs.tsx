import { useLayoutEffect, useState } from "preact/hooks";
import type { RunsPage as Data, GroupLine } from "../../src/viewer/routes/runs.ts";
import { NONE, NOT_A_MODEL, plural, spentText, timeText } from "../format.ts";
import { Medals, StateBar } from "../parts/cell.tsx";
import { Layout } from "../parts/layout.tsx";
import { RunningList } from "../parts/running.tsx";
import { Search } from "../parts/search.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { onKeys } from "../state/keys.ts";
import { useData } from "../state/load.ts";
import { go, hrefTo, place, setQuery } from "../state/route.ts";

const SHOWN: Record<string, { name: string; fits: (group: GroupLine) => boolean }> = {
  all: { name: "all", fits: () => true },
  running: { name: "running", fits: ({ running, busy }) => running.length > 0 || busy },
  unfinished: { name: "unfinished", fits: ({ finished, trials }) => finished < trials },
  trouble: { name: "with trouble", fits: (group) => healthOf(group).some(({ bad }) => bad) },
  medals: {
    name: "with medals",
    fits: ({ counts }) => Boolean(counts.gold || counts.silver || counts.bronze),
  },
};

const MAX_GROUPS = 200;

/** Every group and experiment, and what runs now. */
export function RunsPage() {
  const loaded = useData<Data>("runs", {}, () => true);
  return (
    <Layout title="Runs">
      <Shown loaded={loaded} page>
        {(data) => <Runs data={data} />}
      </Shown>
    </Layout>
  );
}

function Runs({ data }: { data: Data }) {
  const { q = "", show = "all" } = place.value.query;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const fits = (SHOWN[show] ?? SHOWN.all).fits;
  const groups = data.groups.filter(
    (group) =>
      fits(group) &&
      words.every((word) =>
        `${group.id} ${group.agent} ${group.models.join(" ")}`.toLowerCase().includes(word),
      ),
  );
  const running = data.groups.flatMap((group) => group.running);
  const [marked, setMarked] = useState(-1);
  useLayoutEffect(
    () =>
      onKeys({
        j: () => setMarked((at) => Math.min(groups.length - 1, at + 1)),
        k: () => setMarked((at) => Math.max(0, at - 1)),
        Enter: () => {
          if (groups[marked]) go(hrefTo("group", [groups[marked].id]));
        },
      }),
    [groups.length, marked],
  );
  const trials = data.groups.reduce((sum, group) => sum + group.trials, 0);
  return (
    <>
      <div class="page-head">
        <h1>Runs</h1>
        <p class="subtitle">
          {plural(data.groups.length, "group")}, {plural(trials, "trial")} in <code>{data.runsDir}</code>
          {running.length > 0 && <>, {plural(running.length, "trial")} running now</>}
        </p>
      </div>
      {running.length > 0 && (
        <section aria-labelledby="now">
          <h2 id="now">Running now</h2>
          <RunningList running={running} />
        </section>
      )}
      <section aria-labelledby="groups">
        <div class="section-head">
          <h2 id="groups">Groups</h2>
          <div class="filters">
            <Search label="Search groups by name, agent or model" value={q} />
            <select
              aria-label="Which groups to show"
              value={show}
              onChange={(event) => setQuery({ show: event.currentTarget.value })}
            >
              {Object.entries(SHOWN).map(([key, { name }]) => (
                <option key={key} value={key}>
                  {name}
                </option>
              ))}
            </select>
          </div>
        </div>
        {data.groups.length === 0 ? (
          <Empty title="There are no run groups here yet.">
            <p>
              Start one: <code>mlebench run --agent sample --split starter</code>, or try{" "}
              <code>mlebench demo</code>. It appears here by itself.
            </p>
          </Empty>
        ) : groups.length === 0 ? (
          <Empty title="Nothing matches.">
            <button type="button" onClick={() => setQuery({ q: "", show: "" })}>
              Show all groups
            </button>
          </Empty>
        ) : (
          <ul class="rows">
            <li class="row-heads" aria-hidden="true">
              <span>group</span>
              <span>trials</span>
              <span>medals</span>
              <span class="number">cost</span>
              <span />
              <span class="number">started</span>
            </li>
            {groups.slice(0, MAX_GROUPS).map((group, i) => (
              <Row key={group.id} group={group} marked={i === marked} complete={data.complete} />
            ))}
          </ul>
        )}
        {groups.length > MAX_GROUPS && (
          <p class="note">
            The newest {MAX_GROUPS} of {groups.length}; search for the others.
          </p>
        )}
      </section>
    </>
  );
}

function Row({ group, marked, complete }: { group: GroupLine; marked: boolean; complete: boolean }) {
  const { id, agent, experiment, trials, finished, counts, cost, costComplete } = group;
  return (
    <li class={`row ${marked ? "marked" : ""}`}>
      <div class="row-name">
        <a href={hrefTo("group", [id])}>
          <bdi>{agent}</bdi>
        </a>
        <span class="row-id">
          {experiment !== null && <span class="chip">{experiment}</span>}
          <bdi>{id.split("/").at(-1)}</bdi>
        </span>
      </div>
      <div class="row-bar">
        <StateBar counts={counts} total={trials} />
        <span class="soft small">
          {finished === trials ? plural(trials, "trial") : `${finished} of ${plural(trials, "trial")}`} ·{" "}
          {plural(group.competitions, "competition")}
        </span>
      </div>
      <div class="row-medals">
        <Medals counts={counts} />
      </div>
      <div class="row-cost number">
        {cost === null && !complete ? "…" : spentText(cost, costComplete, group.calls)}
        {cost === null && complete && group.calls === 0 && <span class="hidden">no cost</span>}
      </div>
      <div class="row-health">
        {healthOf(group).map(({ text, bad }) => (
          <span key={text} class={`chip ${bad ? "bad" : ""}`}>
            {text}
          </span>
        ))}
      </div>
      <div class="row-time number">{group.createdAt === null ? NONE : timeText(group.createdAt)}</div>
    </li>
  );
}

/** What a reader should know before trusting or waiting. */
export function healthOf(group: GroupLine): { text: string; bad: boolean }[] {
  const { counts, blamed, unisolated, problem, busy, finished, trials, origin, languageModels } = group;
  const health: { text: string; bad: boolean }[] = [];
  if (problem !== null)
    health.push({ text: trials === 0 ? "cannot be read" : "only in part readable", bad: true });
  if (busy) health.push({ text: "running", bad: false });
  else if (finished < trials) health.push({ text: `${trials - finished} unfinished`, bad: true });
  if (counts.interrupted) health.push({ text: `${counts.interrupted} interrupted`, bad: true });
  const harness = (blamed.harness ?? 0) + (blamed.host ?? 0);
  if (harness > 0) health.push({ text: `${harness} failed by harness or host`, bad: true });
  if (blamed.provider) health.push({ text: `${blamed.provider} failed by the provider`, bad: true });
  if (unisolated)
    health.push({ text: unisolated === trials ? "not isolated" : `${unisolated} not isolated`, bad: true });
  if (languageModels === false) health.push({ text: NOT_A_MODEL, bad: true });
  if (counts.ungraded) health.push({ text: `${counts.ungraded} not graded`, bad: false });
  if (origin === "original") health.push({ text: "of the original", bad: false });
  return health;
}
