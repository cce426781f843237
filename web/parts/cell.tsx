import type { CellState } from "../../src/analysis/overview/group-overview.ts";
import { RESULT_STATES } from "../../src/analysis/result-states.ts";

export const STATES: Record<CellState, { sign: string; name: string }> = {
  ...RESULT_STATES,
  running: { sign: "●", name: "running" },
  waiting: { sign: "", name: "waiting" },
  interrupted: { sign: "‖", name: "interrupted" },
};

const ORDER = Object.keys(STATES) as CellState[];

export function Cell({ state }: { state: CellState }) {
  const { sign, name } = STATES[state];
  return (
    <span class={`cell s-${state}`}>
      <span aria-hidden="true">{sign}</span>
      <span class="hidden">{name}</span>
    </span>
  );
}

/** How a group's trials stand, as one bar; the best at the left. */
export function StateBar({ counts, total }: { counts: Partial<Record<CellState, number>>; total: number }) {
  const present = ORDER.filter((state) => counts[state]);
  const text = present.map((state) => `${counts[state]} ${STATES[state].name}`).join(", ");
  return (
    <span class="bar states" title={text}>
      <span class="hidden">{text}</span>
      {present.map((state) => (
        <span
          key={state}
          class={`part s-${state}`}
          aria-hidden="true"
          style={{ width: `${(100 * (counts[state] ?? 0)) / Math.max(1, total)}%` }}
        />
      ))}
    </span>
  );
}

export function Medals({ counts }: { counts: Partial<Record<CellState, number>> }) {
  const medals = (["gold", "silver", "bronze"] as const).filter((medal) => counts[medal]);
  if (medals.length === 0) return <span class="soft">–</span>;
  return (
    <span class="medals">
      {medals.map((medal) => (
        <span key={medal} class={`medal s-${medal}`} title={`${counts[medal]} ${medal}`}>
          {counts[medal]}
          <span class="hidden"> {medal}</span>
        </span>
      ))}
    </span>
  );
}
