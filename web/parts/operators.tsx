import type { AgentSearches } from "../../src/analysis/journal/agent.ts";
import type { OperatorUse } from "../../src/analysis/journal/search.ts";
import { durationText, NONE, plural, scoreText, spentText, tokensText, trialText } from "../format.ts";
import { ofGroup } from "../state/live.ts";
import { useData } from "../state/load.ts";
import { hrefTo } from "../state/route.ts";
import { Empty, Shown } from "./states.tsx";
import { type Column, Table } from "./table.tsx";

const OPERATORS: Column<OperatorUse>[] = [
  { title: "operator", by: ({ operator }) => operator, cell: ({ operator }) => <bdi>{operator}</bdi> },
  { title: "steps", number: true, by: ({ steps }) => steps, cell: ({ steps }) => steps },
  {
    title: "failed",
    number: true,
    by: ({ buggy, steps }) => buggy / steps,
    cell: ({ buggy, steps }) => `${((100 * buggy) / steps).toFixed(0)} %`,
  },
  {
    title: "improvements",
    number: true,
    by: ({ improvements }) => improvements,
    cell: ({ improvements }) => improvements,
  },
  {
    title: "per step",
    number: true,
    by: ({ improvements, steps }) => improvements / steps,
    cell: ({ improvements, steps }) => `${((100 * improvements) / steps).toFixed(0)} %`,
  },
  {
    title: "model time",
    number: true,
    by: ({ modelSeconds }) => modelSeconds,
    cell: ({ modelSeconds }) => durationText(modelSeconds),
  },
  {
    title: "run time",
    number: true,
    by: ({ executionSeconds }) => executionSeconds,
    cell: ({ executionSeconds }) => durationText(executionSeconds),
  },
  { title: "tokens", number: true, by: ({ tokens }) => tokens, cell: ({ tokens }) => tokensText(tokens) },
  {
    title: "cost",
    number: true,
    by: ({ cost }) => cost,
    cell: ({ cost, tokens }) => spentText(cost, true, tokens),
  },
];

/** Which operators produced improvements, and what they took. */
export function OperatorTable({ operators }: { operators: OperatorUse[] }) {
  return (
    <Table
      name="o"
      columns={OPERATORS}
      rows={operators}
      keyOf={({ operator }) => operator}
      label="Operators in numbers"
    />
  );
}

/** The agent over all trials of its group: what paid, and where it got stuck. */
export function AgentTab({ group }: { group: string }) {
  const loaded = useData<AgentSearches>("agent", { group }, ofGroup(group));
  const columns: Column<AgentSearches["trials"][number]>[] = [
    {
      title: "trial",
      by: ({ trial }) => trial,
      cell: ({ trial }) => <a href={hrefTo("trial", [group, trial], { tab: "tree" })}>{trialText(trial)}</a>,
    },
    { title: "steps", number: true, by: ({ steps }) => steps, cell: ({ steps }) => steps },
    {
      title: "improvements",
      number: true,
      by: ({ improvements }) => improvements,
      cell: ({ improvements }) => improvements,
    },
    { title: "best", number: true, by: ({ best }) => best, cell: ({ best }) => scoreText(best) },
    { title: "longest without", number: true, by: ({ longest }) => longest, cell: ({ longest }) => longest },
    {
      title: "after step",
      number: true,
      by: ({ after }) => after,
      cell: ({ after }) => (after === null ? NONE : `#${after}`),
    },
    {
      title: "failed in it",
      number: true,
      by: ({ failed, longest }) => failed / Math.max(1, longest),
      cell: ({ failed, longest }) => (longest === 0 ? NONE : `${((100 * failed) / longest).toFixed(0)} %`),
    },
    { title: "at the end", number: true, by: ({ atEnd }) => atEnd, cell: ({ atEnd }) => atEnd },
  ];
  return (
    <Shown loaded={loaded}>
      {({ operators, faults, trials }) =>
        trials.length === 0 ? (
          <Empty title="No trial of this group has a journal: its agent does not search, or keeps none." />
        ) : (
          <>
            <h2>Which operators produced improvements</h2>
            <p class="note">An improvement is a step that was the best of its search when it ended.</p>
            <OperatorTable operators={operators} />
            <h2>Where it got stuck</h2>
            <p class="note">
              Failed steps:{" "}
              {faults.length === 0 ? "none" : faults.map(({ kind, steps }) => `${kind} ${steps}`).join(", ")}.
              Stretches without an improvement, in steps, for {plural(trials.length, "trial")}:
            </p>
            <Table name="a" columns={columns} rows={trials} keyOf={({ trial }) => trial} label="Searches" />
          </>
        )
      }
    </Shown>
  );
}
