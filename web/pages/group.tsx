import { useLayoutEffect } from "preact/hooks";
import type { GroupPage as Data } from "../../src/viewer/routes/group.ts";
import { durationText, orNone, plural, sizeText, spentText, timeText } from "../format.ts";
import { Grid } from "../parts/grid.tsx";
import { IntegrityTab } from "../parts/integrity.tsx";
import { Layout } from "../parts/layout.tsx";
import { AgentTab } from "../parts/operators.tsx";
import { Results } from "../parts/results.tsx";
import { RunningList } from "../parts/running.tsx";
import { Spending } from "../parts/spending.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { TrialTable } from "../parts/trial-table.tsx";
import { onKeys } from "../state/keys.ts";
import { ofGroup } from "../state/live.ts";
import { useData } from "../state/load.ts";
import { go, hrefTo } from "../state/route.ts";
import { healthOf } from "./runs.tsx";

export function GroupPage({ id }: { id: string }) {
  const loaded = useData<Data>("group", { group: id }, ofGroup(id));
  useLayoutEffect(() => onKeys({ u: () => go(hrefTo("runs")) }), []);
  return (
    <Layout title={id} crumbs={[{ name: "Runs", href: hrefTo("runs") }, { name: id }]}>
      <Shown loaded={loaded} page>
        {(data) => <Group data={data} />}
      </Shown>
    </Layout>
  );
}

function Group({ data }: { data: Data }) {
  const { group, cells, complete } = data;
  const { counts, trials, finished } = group;
  const medals = (counts.gold ?? 0) + (counts.silver ?? 0) + (counts.bronze ?? 0);
  const graded = cells.filter(({ finished: done, state }) => done && state !== "ungraded").length;
  return (
    <>
      <div class="page-head">
        <h1>
          <bdi>{group.agent}</bdi>
        </h1>
        <p class="subtitle">
          {plural(group.competitions, "competition")} × {plural(group.seeds, "seed")},{" "}
          {timeText(group.createdAt)}
        </p>
        <p class="chips">
          {healthOf(group).map(({ text, bad }) => (
            <span key={text} class={`chip ${bad ? "bad" : ""}`}>
              {text}
            </span>
          ))}
        </p>
      </div>
      {group.problem !== null && <p class="notice">{group.problem}</p>}
      <dl class="figures">
        <Figure name="finished" value={`${finished}`} of={`of ${trials}`} />
        <Figure
          name="any medal"
          value={graded === 0 ? "–" : `${((100 * medals) / graded).toFixed(1)} %`}
          of={graded === 0 ? "nothing graded yet" : `${medals} of ${graded} graded`}
        />
        <Figure
          name="model cost"
          value={spentText(group.cost, group.costComplete, group.calls)}
          of={
            group.calls > 0
              ? plural(group.calls, "call")
              : group.origin === "original"
                ? "not recorded"
                : "no calls"
          }
        />
        <Figure
          name="limits"
          value={orNone(data.settings?.timeSeconds, durationText)}
          of={limitsText(data)}
        />
      </dl>
      {group.running.length > 0 && (
        <section aria-labelledby="now">
          <h2 id="now">Running now</h2>
          <RunningList running={group.running} />
        </section>
      )}
      <Tabs
        tabs={[
          {
            id: "trials",
            name: "Trials",
            count: trials,
            content: () =>
              cells.length === 0 ? (
                <Empty title="No trial of this group can be read." />
              ) : (
                <>
                  <Grid group={group.id} cells={cells} />
                  <TrialTable group={group.id} cells={cells} running={group.running} complete={complete} />
                </>
              ),
          },
          {
            id: "results",
            name: "Results",
            content: () =>
              group.graded ? (
                <Results groups={[group.id]} />
              ) : (
                <Empty title="Nothing is graded yet.">
                  <p>
                    {group.busy ? "It still runs. Afterwards: " : "Grade it: "}
                    <code>mlebench grade {group.id}</code>
                  </p>
                </Empty>
              ),
          },
          {
            id: "calls",
            name: "Model calls",
            count: group.calls,
            content: () => <Spending group={group.id} />,
          },
          { id: "agent", name: "Agent", content: () => <AgentTab group={group.id} /> },
          { id: "integrity", name: "Integrity", content: () => <IntegrityTab group={group.id} /> },
          { id: "compare", name: "Compare", content: () => <Others data={data} /> },
        ]}
      />
    </>
  );
}

function limitsText({ settings, memoryBytes, cpus }: Data): string {
  if (settings === null) return "not recorded";
  return [
    orNone(cpus, (count) => plural(count, "CPU")),
    orNone(memoryBytes, sizeText),
    settings.gpus > 0 ? plural(settings.gpus, "GPU") : "no GPU",
    settings.sandbox,
  ].join(", ");
}

export function Figure({ name, value, of }: { name: string; value: string; of?: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        <span class="figure-value">{value}</span>
        {of && <span class="figure-of">{of}</span>}
      </dd>
    </div>
  );
}

function Others({ data }: { data: Data }) {
  if (data.others.length === 0) return <Empty title="No other graded group has a competition in common." />;
  return (
    <>
      <p class="note">Graded groups with competitions in common, to be seen beside this one.</p>
      <ul class="call-list">
        {data.others.map(({ id, agent, common }) => (
          <li key={id}>
            <a
              class="call-item plain-link"
              href={hrefTo("compare", [], { groups: `${data.group.id}|${id}` })}
            >
              <span class="call-top">
                <b>
                  <bdi>{agent}</bdi>
                </b>
                <span class="soft">{plural(common, "competition")} in common</span>
              </span>
              <span class="call-model soft">
                <bdi>{id}</bdi>
              </span>
            </a>
          </li>
        ))}
      </ul>
    </>
  );
}
