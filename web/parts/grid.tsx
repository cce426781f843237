import type { CellState } from "../../src/analysis/overview/group-overview.ts";
import type { GroupPage } from "../../src/viewer/routes/group.ts";
import { scoreText } from "../format.ts";
import { hrefTo } from "../state/route.ts";
import { Cell, STATES } from "./cell.tsx";

type GroupCell = GroupPage["cells"][number];

/** Competitions × seeds, one square a trial, as they fill. */
export function Grid({ group, cells }: { group: string; cells: readonly GroupCell[] }) {
  const rows = new Map<string, GroupCell[]>();
  for (const cell of cells) {
    const row = rows.get(cell.competitionId);
    if (row === undefined) rows.set(cell.competitionId, [cell]);
    else row.push(cell);
  }
  const present = new Set(cells.map(({ state }) => state));
  const most = Math.max(0, ...[...rows.values()].map(({ length }) => length));
  const names = [...rows.keys()].sort();
  return (
    <section aria-labelledby="grid">
      <h2 id="grid">Competitions and seeds</h2>
      <ul class="legend">
        {(Object.keys(STATES) as CellState[])
          .filter((state) => present.has(state))
          .map((state) => (
            <li key={state}>
              <Cell state={state} /> <span aria-hidden="true">{STATES[state].name}</span>
            </li>
          ))}
      </ul>
      <div class="scroll snug" tabIndex={0} role="region" aria-label="Trials by competition and seed">
        <table class="grid-table live-grid">
          <thead>
            <tr>
              <th scope="col">competition</th>
              <th scope="col">{most > 1 ? "seeds" : "score"}</th>
            </tr>
          </thead>
          <tbody>
            {names.map((name) => (
              <tr key={name}>
                <th scope="row">
                  <a class="plain-link" href={hrefTo("competition", [name])}>
                    <bdi>{name}</bdi>
                  </a>
                </th>
                <td>
                  <span class="squares">
                    {rows.get(name)!.map((cell) => (
                      <Square key={cell.id} group={group} cell={cell} />
                    ))}
                  </span>
                  {most === 1 && <Worth cell={rows.get(name)![0]} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function Square({ group, cell }: { group: string; cell: GroupCell }) {
  const score = cell.score === null ? "" : `, score ${scoreText(cell.score)}`;
  return (
    <a
      class="square"
      href={hrefTo("trial", [group, cell.id])}
      title={`seed ${cell.seed}: ${STATES[cell.state].name}${score}`}
    >
      <span class={`cell s-${cell.state}`} aria-hidden="true">
        {STATES[cell.state].sign}
      </span>
      <span class="hidden">{`seed ${cell.seed}: ${STATES[cell.state].name}${score}`}</span>
    </a>
  );
}

function Worth({ cell }: { cell: GroupCell }) {
  if (cell.score === null) return null;
  return (
    <span class="worth">
      {Number(cell.score.toPrecision(4))}
      {cell.percentile !== null && ` · p${cell.percentile.toFixed(0)}`}
    </span>
  );
}
