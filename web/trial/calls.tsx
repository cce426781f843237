import { useLayoutEffect } from "preact/hooks";
import type { CallRow } from "../../src/viewer/routes/calls.ts";
import type { TrialPage } from "../../src/viewer/routes/trial.ts";
import { clockText, costText, durationText, plural, tokensText } from "../format.ts";
import { Search } from "../parts/search.tsx";
import { Empty } from "../parts/states.tsx";
import type { Growing } from "../state/growing.ts";
import { onKeys } from "../state/keys.ts";
import { place, setQuery } from "../state/route.ts";
import { CallDetail } from "./call-detail.tsx";

const STEP = 60;

/** Model calls: the list, and one of them at length. */
export function CallsTab({ data, calls }: { data: TrialPage; calls: Growing<CallRow> }) {
  const { q = "", call: wanted, role = "" } = place.value.query;
  const all = calls.items;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = all.filter(
    (row) =>
      (role === "" || row[2] === role) &&
      words.every((word) =>
        `${row[2]} ${row[3]} ${row[4]} ${row[10] ?? ""} #${row[0]}`.toLowerCase().includes(word),
      ),
  );
  const at = shown.findIndex(([seq]) => String(seq) === wanted);
  const current = at === -1 ? shown[0] : shown[at];
  const move = (step: number) => {
    const next = shown[Math.min(shown.length - 1, Math.max(0, (at === -1 ? 0 : at) + step))];
    if (next) setQuery({ call: String(next[0]) });
  };
  useLayoutEffect(() => onKeys({ j: () => move(1), k: () => move(-1) }));
  if (!calls.ready) return null;
  if (all.length === 0) return <Empty title={calls.failed ?? "No model has been asked."} />;
  const roles = [...new Set(all.map((row) => row[2]).filter((one) => one !== null))];
  // Around the one that is shown: a list of thousands is not drawn whole.
  const from = Math.max(0, Math.min(at === -1 ? 0 : at - STEP / 2, shown.length - STEP));
  const start = Date.parse(data.trial?.startedAt ?? all[0][1]);
  return (
    <div class="split">
      <div class="split-list">
        <div class="filters">
          <Search label="Search calls by model, role, outcome or number" value={q} clears="call" />
          {roles.length > 1 && (
            <select
              aria-label="Role"
              value={role}
              onChange={(event) => setQuery({ role: event.currentTarget.value, call: "" })}
            >
              <option value="">all roles</option>
              {roles.map((one) => (
                <option key={one} value={one}>
                  {one}
                </option>
              ))}
            </select>
          )}
        </div>
        <p class="note">
          {plural(shown.length, "call")}
          {shown.length > STEP && `, ${from + 1} to ${from + STEP} listed; j and k go on`}
        </p>
        <ul class="call-list">
          {shown.slice(from, from + STEP).map((row) => (
            <CallItem key={row[0]} row={row} start={start} current={row === current} />
          ))}
        </ul>
      </div>
      <div class="split-detail">
        {current ? (
          <CallDetail
            key={current[0]}
            group={data.group}
            trial={data.cell.id}
            row={current}
            previous={previousOf(all, current)}
          />
        ) : (
          <Empty title="Nothing matches." />
        )}
      </div>
    </div>
  );
}

function CallItem({ row, start, current }: { row: CallRow; start: number; current: boolean }) {
  const [seq, time, role, model, outcome, milliseconds, , tokensIn, tokensOut, cost] = row;
  return (
    <li>
      <button
        type="button"
        class={`call-item ${current ? "current" : ""}`}
        aria-current={current}
        onClick={() => setQuery({ call: String(seq) })}
      >
        <span class="call-top">
          <span>
            <b>#{seq}</b> {role ?? ""}
          </span>
          <span class="soft">{clockText((Date.parse(time) - start) / 1000)}</span>
        </span>
        <span class="call-model soft">{model ?? "no model"}</span>
        <span class="call-facts soft">
          {outcome !== "answered" && <span class="warn">{outcome}</span>}
          <span>{durationText(milliseconds / 1000)}</span>
          <span>
            {tokensText(tokensIn)} → {tokensText(tokensOut)}
          </span>
          <span>{costText(cost)}</span>
        </span>
      </button>
    </li>
  );
}

/** The call before it in the same role. */
function previousOf(all: readonly CallRow[], row: CallRow): number | null {
  const at = all.indexOf(row);
  for (let i = at - 1; i >= 0; i--) if (all[i][2] === row[2]) return all[i][0];
  return null;
}
