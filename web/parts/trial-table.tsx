import { useLayoutEffect, useState } from "preact/hooks";
import type { GroupPage } from "../../src/viewer/routes/group.ts";
import type { Running } from "../../src/viewer/routes/running.ts";
import { durationText, orNone, plural, scoreText, sizeText, spentText } from "../format.ts";
import { onKeys } from "../state/keys.ts";
import { go, hrefTo, place } from "../state/route.ts";
import { Cell } from "./cell.tsx";
import { Search } from "./search.tsx";
import { type Column, Table } from "./table.tsx";

type GroupCell = GroupPage["cells"][number];

/** Every trial of a group in numbers. */
export function TrialTable({
  group,
  cells,
  running,
  complete,
}: {
  group: string;
  cells: readonly GroupCell[];
  /** How far those are that run now. */
  running: readonly Running[];
  complete: boolean;
}) {
  const now = new Map(running.map((one) => [one.trial, one]));
  const q = place.value.query.q ?? "";
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const rows = cells.filter((cell) => {
    const text = `${cell.id} ${cell.state} seed ${cell.seed} ${cell.stopReason ?? ""} ${cell.blame ?? ""}`;
    return words.every((word) => text.toLowerCase().includes(word));
  });
  const [marked, setMarked] = useState(-1);
  useLayoutEffect(
    () =>
      onKeys({
        j: () => setMarked((at) => Math.min(rows.length - 1, at + 1)),
        k: () => setMarked((at) => Math.max(0, at - 1)),
        Enter: () => rows[marked] && go(hrefTo("trial", [group, rows[marked].id])),
      }),
    [rows.length, marked],
  );
  const some = (pick: (cell: GroupCell) => unknown) => cells.some((cell) => pick(cell) != null);
  const columns: Column<GroupCell>[] = [
    { title: "", cell: ({ state }) => <Cell state={state} /> },
    {
      title: "competition",
      by: ({ competitionId }) => competitionId,
      cell: ({ id, competitionId }) => (
        <a href={hrefTo("trial", [group, id])}>
          <bdi>{competitionId}</bdi>
        </a>
      ),
    },
    { title: "seed", by: ({ seed }) => seed, cell: ({ seed }) => seed, number: true },
    { title: "score", by: ({ score }) => score, cell: ({ score }) => scoreText(score), number: true },
    {
      title: "percentile",
      by: ({ percentile }) => percentile,
      cell: ({ percentile }) => orNone(percentile, (value) => value.toFixed(1)),
      number: true,
    },
    {
      title: "end",
      by: ({ stopReason }) => stopReason ?? null,
      cell: ({ stopReason, blame }) => (
        <span title={blame ? `blame: ${blame}` : undefined}>{stopReason ?? "–"}</span>
      ),
    },
    {
      title: "time",
      by: ({ id, wallSeconds }) => now.get(id)?.elapsedSeconds ?? wallSeconds ?? null,
      cell: ({ id, wallSeconds }) => orNone(now.get(id)?.elapsedSeconds ?? wallSeconds, durationText),
      number: true,
    },
    {
      title: "memory",
      by: ({ id, peakMemoryBytes }) => now.get(id)?.peakMemoryBytes ?? peakMemoryBytes ?? null,
      cell: ({ id, peakMemoryBytes }) => orNone(now.get(id)?.peakMemoryBytes ?? peakMemoryBytes, sizeText),
      number: true,
    },
    ...(some(({ cost, calls }) => cost ?? calls)
      ? [
          {
            title: "calls",
            by: ({ calls }: GroupCell) => calls ?? null,
            cell: ({ calls }: GroupCell) => orNone(calls, String),
            number: true,
          },
          {
            title: "cost",
            by: ({ cost }: GroupCell) => cost ?? null,
            cell: ({ cost, costComplete, calls }: GroupCell) => spentText(cost, costComplete ?? true, calls),
            number: true,
          },
        ]
      : []),
    {
      title: "isolation",
      by: ({ isolation }) => isolation ?? null,
      cell: ({ isolation }) => isolation ?? "–",
      wide: true,
    },
  ];
  return (
    <section aria-labelledby="trials">
      <div class="section-head">
        <h2 id="trials">Trials</h2>
        <div class="filters">
          <Search label="Search trials by competition, result, seed or end" value={q} />
        </div>
      </div>
      <p class="note" role="status">
        {plural(rows.length, "trial")}
        {!complete && ", times and costs are still being read"}
      </p>
      <Table
        name="t"
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        label="Trials of the group"
        markedKey={rows[marked]?.id ?? null}
      />
    </section>
  );
}
