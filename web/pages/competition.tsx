import type { CompetitionPage as Data } from "../../src/viewer/routes/competition.ts";
import { countText, NOT_A_MODEL, orNone, plural, scoreText, sizeText } from "../format.ts";
import { Cell } from "../parts/cell.tsx";
import { Drawn } from "../parts/drawn.tsx";
import { Layout } from "../parts/layout.tsx";
import { Markdown } from "../parts/markdown.tsx";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { useData } from "../state/load.ts";
import { hrefTo } from "../state/route.ts";
import { Figure } from "./group.tsx";

type CompetitionTrial = Data["trials"][number];

export function CompetitionPage({ id }: { id: string }) {
  const loaded = useData<Data>("competition", { id }, () => true);
  return (
    <Layout title={id} crumbs={[{ name: "Runs", href: hrefTo("runs") }, { name: id }]}>
      <Shown loaded={loaded} page>
        {(data) => <Competition data={data} />}
      </Shown>
    </Layout>
  );
}

function Competition({ data }: { data: Data }) {
  const { id, facts, board, description, trials } = data;
  const columns: Column<CompetitionTrial>[] = [
    { title: "", cell: ({ state }) => <Cell state={state} /> },
    {
      title: "agent",
      by: ({ agent }) => agent,
      cell: ({ agent, group, id: trial, languageModels, isolated }) => (
        <>
          <a href={hrefTo("trial", [group, trial])}>
            <bdi>{agent}</bdi>
          </a>{" "}
          {languageModels === false && <span class="chip bad">{NOT_A_MODEL}</span>}
          {isolated === false && <span class="chip bad">NOT isolated</span>}
        </>
      ),
    },
    { title: "seed", number: true, by: ({ seed }) => seed, cell: ({ seed }) => seed },
    { title: "score", number: true, by: ({ score }) => score, cell: ({ score }) => scoreText(score) },
    {
      title: "percentile",
      number: true,
      by: ({ percentile }) => percentile,
      cell: ({ percentile }) => orNone(percentile, (value) => value.toFixed(1)),
    },
    {
      title: "isolation",
      wide: true,
      by: ({ isolation }) => isolation,
      cell: ({ isolation }) => <span class="nowrap">{isolation ?? "not known"}</span>,
    },
    {
      title: "group",
      wide: true,
      by: ({ group }) => group,
      cell: ({ group }) => (
        <a class="plain-link" href={hrefTo("group", [group])}>
          <bdi>{group}</bdi>
        </a>
      ),
    },
  ];
  return (
    <>
      <div class="page-head">
        <h1>
          <bdi>{facts?.name ?? id}</bdi>
        </h1>
        <p class="subtitle">
          <code>{id}</code>
          {facts && <>, {facts.category}</>}
        </p>
      </div>
      {facts === null && (
        <p class="notice">This mlebench does not know the competition; its trials are shown all the same.</p>
      )}
      {facts && (
        <dl class="figures">
          <Figure
            name="metric"
            value={facts.metric}
            of={facts.direction === "minimize" ? "lower is better" : "higher is better"}
          />
          <Figure
            name="complexity"
            value={facts.complexity}
            of={orNone(facts.dataSizeGB, (size) => `${sizeText(size * 1e9)} of data`)}
          />
          {board && (
            <>
              <Figure
                name="gold"
                value={scoreText(board.gold)}
                of={`silver ${scoreText(board.silver)}, bronze ${scoreText(board.bronze)}`}
              />
              <Figure
                name="median"
                value={scoreText(board.median)}
                of={`${countText(board.teams)} ${board.source === "kaggle" ? "Kaggle teams" : `entries, ${board.source}`}`}
              />
            </>
          )}
        </dl>
      )}
      {board && (
        <section aria-labelledby="field" class="narrow">
          <h2 id="field">Against the field</h2>
          <p class="note">
            Which share of the field a score beats; lines are the median and the medals, dots the trials here.
          </p>
          <Drawn
            markup={board.chart}
            csv={[["share beaten", "score"], ...board.quantiles.map((score, i) => [100 - i, score])]}
          />
        </section>
      )}
      {facts && facts.errata.length > 0 && (
        <section aria-labelledby="errata">
          <h2 id="errata">Known defects</h2>
          <ul class="errata">
            {facts.errata.map(({ defect, v2 }) => (
              <li key={defect}>
                {defect} <span class="soft">Version 2: {v2}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="trials">
        <h2 id="trials">Trials</h2>
        {trials.length === 0 ? (
          <Empty title="No group here has tried it." />
        ) : (
          <>
            <p class="note">{plural(trials.length, "trial")}</p>
            <Table
              name="c"
              columns={columns}
              rows={trials}
              keyOf={(one) => `${one.group}/${one.id}`}
              label="Trials on this competition"
            />
          </>
        )}
      </section>
      {description !== null && (
        <section aria-labelledby="description">
          <h2 id="description">Description</h2>
          <Markdown text={description} />
        </section>
      )}
    </>
  );
}
