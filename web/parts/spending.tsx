import type { AgentSearches } from "../../src/analysis/journal/agent.ts";
import type { NotableCall, SpendingLine, SpendingPage } from "../../src/viewer/routes/spending.ts";
import { costText, countText, durationText, plural, tokensText, trialText } from "../format.ts";
import { ofGroup } from "../state/live.ts";
import { useData } from "../state/load.ts";
import { hrefTo } from "../state/route.ts";
import { OperatorTable } from "./operators.tsx";
import { Empty, Shown } from "./states.tsx";
import { type Column, Table } from "./table.tsx";

const LINES: Column<SpendingLine>[] = [
  { title: "model", by: ({ model }) => model, cell: ({ model }) => <bdi>{model}</bdi> },
  { title: "role", by: ({ role }) => role, cell: ({ role }) => role },
  { title: "calls", number: true, by: ({ calls }) => calls, cell: ({ calls }) => countText(calls) },
  {
    title: "failed",
    number: true,
    by: ({ failed, refused }) => failed + refused,
    cell: ({ failed, refused }) =>
      failed + refused === 0 ? "–" : `${failed}${refused > 0 ? ` + ${refused} refused` : ""}`,
  },
  {
    title: "tokens in",
    number: true,
    by: ({ tokensIn }) => tokensIn,
    cell: ({ tokensIn }) => tokensText(tokensIn),
  },
  {
    title: "out",
    number: true,
    by: ({ tokensOut }) => tokensOut,
    cell: ({ tokensOut }) => tokensText(tokensOut),
  },
  {
    title: "cost",
    number: true,
    by: ({ cost }) => cost,
    cell: ({ cost, unpriced, calls }) => (unpriced === calls ? "unknown" : costText(cost, unpriced === 0)),
  },
  {
    title: "mean time",
    number: true,
    by: ({ seconds, calls }) => seconds / calls,
    cell: ({ seconds, calls }) => durationText(seconds / calls),
  },
  {
    title: "slowest",
    number: true,
    by: ({ slowest }) => slowest,
    cell: ({ slowest }) => durationText(slowest),
  },
];

/** Model calls across a group: spend by model, role and operator, slow and failed calls. */
export function Spending({ group }: { group: string }) {
  const loaded = useData<SpendingPage>("spending", { group }, ofGroup(group));
  const calls = (all: NotableCall[], label: string) => (
    <ul class="call-list">
      {all.map((one) => (
        <li key={`${one.trial}${one.seq}`}>
          <a
            class="call-item plain-link"
            href={hrefTo("trial", [group, one.trial], { tab: "calls", call: String(one.seq) })}
          >
            <span class="call-top">
              <b>{durationText(one.seconds)}</b>
              <span class="soft">
                {one.role}, {one.model}
              </span>
            </span>
            <span class="call-model soft">
              {label} {trialText(one.trial)}, call #{one.seq}
            </span>
            {one.problem !== null && <span class="warn small">{one.problem}</span>}
          </a>
        </li>
      ))}
    </ul>
  );
  return (
    <Shown loaded={loaded}>
      {(page) =>
        page.lines.length === 0 ? (
          <Empty title="No trial of this group has asked a model." />
        ) : (
          <>
            <p class="note">
              {plural(page.trials, "trial")} asked models
              {page.cut && "; only the first 200,000 calls are counted"}. A cost that is not known is not
              counted as nothing.
            </p>
            <Table
              name="m"
              columns={LINES}
              rows={page.lines}
              keyOf={({ model, role }) => `${model} ${role}`}
              label="Spend by model and role"
            />
            <ByOperator group={group} />
            <div class="two">
              <section aria-labelledby="slow">
                <h2 id="slow">Slowest calls</h2>
                {page.slow.length === 0 ? <p class="note">None.</p> : calls(page.slow, "in")}
              </section>
              <section aria-labelledby="failed">
                <h2 id="failed">Failed and refused calls</h2>
                {page.failed.length === 0 ? <p class="note">None.</p> : calls(page.failed, "in")}
              </section>
            </div>
          </>
        )
      }
    </Shown>
  );
}

/** For agents that keep a journal, which says what each call was for. */
function ByOperator({ group }: { group: string }) {
  const loaded = useData<AgentSearches>("agent", { group }, ofGroup(group));
  if (loaded.status !== "loaded" || loaded.data.operators.length === 0) return null;
  return (
    <section aria-labelledby="by-operator">
      <h2 id="by-operator">By operator</h2>
      <OperatorTable operators={loaded.data.operators} />
    </section>
  );
}
