import type { StandingsRow } from "../../src/analysis/standings/schema.ts";
import { METHOD } from "../../src/reporters/standings/method.ts";
import type { StandingsPage as Data } from "../../src/viewer/routes/standings.ts";
import { plural } from "../format.ts";
import { Layout } from "../parts/layout.tsx";
import { Search } from "../parts/search.tsx";
import { Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { useData } from "../state/load.ts";
import { place } from "../state/route.ts";

const TRUST: Record<StandingsRow["trust"], { text: string; kind: string }> = {
  recomputed: { text: "every grade was worked out again here", kind: "standing-recomputed" },
  attested: { text: "a signature covers it", kind: "standing-attested" },
  declared: { text: "somebody says so", kind: "" },
  broken: { text: "the files contradict each other", kind: "standing-broken" },
};
const ORDER = ["recomputed", "attested", "declared", "broken"];

type Rate = StandingsRow["all"];
const rate = (one: Rate) =>
  one === null ? (
    "–"
  ) : (
    <>
      {one.mean.toFixed(1)} <span class="soft">± {one.sem.toFixed(1)}</span>
    </>
  );

/** Any medal over the competitions that were tried, where they are others than the 75. */
const OWN = "own %";

const COLUMNS: Column<StandingsRow>[] = [
  {
    title: "trust",
    by: ({ trust }) => ORDER.indexOf(trust),
    cell: ({ trust, trustReason }) => (
      <span class={`chip ${TRUST[trust].kind}`} title={trustReason}>
        {trust}
      </span>
    ),
  },
  {
    title: "agent",
    by: ({ agent }) => agent.toLowerCase(),
    cell: (row) => (
      <div class="standing-agent">
        <b>
          <bdi>{row.agent}</bdi>
        </b>
        {row.languageModels === false && <span class="chip bad">no LLM</span>}
        {row.unisolated && <span class="chip bad">NOT isolated</span>}
        {!row.comparable && <span class="chip bad">not comparable</span>}
        {row.models && <span class="soft small">{row.models}</span>}
      </div>
    ),
  },
  { title: "all %", number: true, by: ({ all }) => all?.mean ?? null, cell: ({ all }) => rate(all) },
  {
    title: OWN,
    number: true,
    wide: true,
    by: ({ covered }) => covered?.mean ?? null,
    cell: ({ covered, published }) =>
      published || covered === null ? (
        "–"
      ) : (
        <>
          {rate(covered)} <span class="soft">of {covered.competitions}</span>
        </>
      ),
  },
  {
    title: "low",
    number: true,
    by: ({ low }) => low?.mean ?? null,
    cell: ({ low }) => rate(low),
    wide: true,
  },
  {
    title: "medium",
    number: true,
    by: ({ medium }) => medium?.mean ?? null,
    cell: ({ medium }) => rate(medium),
    wide: true,
  },
  {
    title: "high",
    number: true,
    by: ({ high }) => high?.mean ?? null,
    cell: ({ high }) => rate(high),
    wide: true,
  },
  { title: "seeds", number: true, by: ({ seeds }) => seeds, cell: ({ seeds }) => seeds ?? "–", wide: true },
  {
    title: "date",
    by: ({ date }) => date,
    cell: ({ date }) => <span class="nowrap">{date ?? "–"}</span>,
    wide: true,
  },
  {
    title: "more",
    cell: (row) => (
      <details class="inline-details">
        <summary aria-label={`Details of ${row.agent}`}>
          <span class="only-wide">details</span>
        </summary>
        <dl>
          {detailsOf(row).map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
    ),
  },
];

function detailsOf(row: StandingsRow): [string, string][] {
  const text = (value: boolean | string | null) =>
    value === null ? "not known" : value === true ? "yes" : value === false ? "no" : value;
  return [
    ["trust", row.trustReason],
    ...(row.covered && row.all === null
      ? [
          [
            "own competitions",
            `${row.covered.mean.toFixed(1)} ± ${row.covered.sem.toFixed(1)} % over ${row.covered.competitions}`,
          ] as [string, string],
        ]
      : []),
    [
      "low, medium, high",
      [row.low, row.medium, row.high].map((one) => (one === null ? "–" : one.mean.toFixed(1))).join(", "),
    ],
    ["isolation", row.isolation ?? "not known"],
    ["hours", row.hours.join(", ") || "not known"],
    ["artefacts", text(row.artefacts)],
    ["competition version", row.competitionVersion ?? "not known"],
    ["source available", text(row.sourceAvailable)],
    ["grading reports available", text(row.gradingReportsAvailable)],
    ["hardware", row.hardware ?? "not known"],
    ["seeds, date", `${row.seeds ?? "–"}, ${row.date ?? "–"}`],
    ["internet", text(row.internet)],
    ["external knowledge", text(row.externalKnowledge)],
    ["test-set feedback", text(row.testSetFeedback)],
    ["deviations", row.deviations.join("; ") || "none"],
    ["source", row.source ?? (row.published ? "published leaderboard" : "this folder")],
    ...row.notes.map((note): [string, string] => ["note", note]),
  ];
}

/** Agents of this folder beside the published leaderboard; how far a row can be trusted comes first. */
export function StandingsPage({ alone = false }: { alone?: boolean }) {
  const loaded = useData<Data>("standings", {});
  const { q = "" } = place.value.query;
  return (
    <Layout title="Standings" alone={alone}>
      <div class="page-head">
        <h1>Standings</h1>
        <p class="subtitle">
          Any medal, in per cent of the competitions of each split: mean ± standard error over seeds.
        </p>
      </div>
      <ul class="legend">
        {ORDER.map((trust) => (
          <li key={trust}>
            <span class={`chip ${TRUST[trust as StandingsRow["trust"]].kind}`}>{trust}</span>{" "}
            {TRUST[trust as StandingsRow["trust"]].text}
          </li>
        ))}
      </ul>
      <Shown loaded={loaded}>
        {({ standings, left }) => {
          const words = q.toLowerCase().split(/\s+/).filter(Boolean);
          const rows = standings.rows.filter(({ agent, models, trust }) =>
            words.every((word) => `${agent} ${models ?? ""} ${trust}`.toLowerCase().includes(word)),
          );
          const others = standings.rows.some(
            ({ published, all, covered }) => !published && all === null && covered,
          );
          return (
            <>
              <div class="section-head">
                <p class="note" role="status">
                  {plural(rows.length, "row")}
                </p>
                <div class="filters">
                  <Search label="Search agents by name, model or trust" value={q} />
                </div>
              </div>
              {left.map((why) => (
                <p key={why} class="notice">
                  {why}
                </p>
              ))}
              <Table
                name="l"
                columns={COLUMNS.filter(({ title }) => others || title !== OWN)}
                rows={rows}
                keyOf={(row) => `${row.agent}${row.date}${row.published}${row.models}`}
                label="Standings"
                kindOf={({ published }) => (published ? "" : "own")}
              />
              {others && (
                <p class="note">
                  own: over the competitions of the row itself, which are not the 75 of the others.
                </p>
              )}
              {METHOD.filter((sentence) => !/^(Any medal|Trust:)/.test(sentence)).map((sentence) => (
                <p key={sentence} class="note">
                  {sentence}
                </p>
              ))}
              <p class="note">
                Made by mlebench {standings.mlebenchVersion},{" "}
                {standings.createdAt.slice(0, 16).replace("T", " ")} UTC.
              </p>
            </>
          );
        }}
      </Shown>
    </Layout>
  );
}
