import type { ComponentChildren } from "preact";
import { isolationText, networkText } from "../../src/trials/trial/isolation.ts";
import type { TrialEventRow } from "../../src/viewer/routes/events.ts";
import type { TrialPage } from "../../src/viewer/routes/trial.ts";
import { clockText, durationText, orNone, sizeText, timeText } from "../format.ts";
import { Empty } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import type { Growing } from "../state/growing.ts";

/** As groups of the original are, and what was damaged. */
const NO_RECORD = "It left no record of its own that can be read: only what the group says of it is known.";

/** What went in, what was enforced, what was measured. */
export function RecordTab({ data }: { data: TrialPage }) {
  const { trial, cell } = data;
  if (trial === null) return <Empty title={cell.finished ? NO_RECORD : "The trial has no record yet."} />;
  const { limits, host, agent, measurements } = trial;
  const network = networkText(trial);
  const asked =
    trial.network.mode === "allow-list" ? `only ${trial.network.hosts.join(", ")}` : trial.network.mode;
  const facts: [string, ComponentChildren][] = [
    ["agent", <bdi key="a">{agent.id}</bdi>],
    ["command", <code key="c">{agent.command.join(" ")}</code>],
    ...(agent.image === null
      ? []
      : [["image", <code key="i">{agent.image}</code>] as [string, ComponentChildren]]),
    ["competition", `${trial.competition.id}, version ${trial.competition.version}`],
    ["seed, attempt", `${trial.seed}, ${trial.attempt}`],
    ["started", timeText(trial.startedAt)],
    ["ended", timeText(trial.endedAt)],
    ["sandbox", isolationText(trial)],
    ["network", network === asked ? network : `${network} (asked for: ${asked})`],
    ["external knowledge", trial.externalKnowledge ? "yes, materials were mounted" : "no"],
    ["time limit", durationText(limits.timeSeconds)],
    ["memory limit", orNone(limits.memoryBytes?.value, sizeText)],
    ["CPU limit", orNone(limits.cpus?.value, String)],
    ["disk limit", orNone(limits.diskBytes?.value, sizeText)],
    ["GPUs", trial.gpus.join(", ") || "none"],
    ["written to disk", orNone(measurements?.bytesWritten, sizeText)],
    ["validation calls", String(trial.validationCalls)],
    ["machine", `${host.hardware}, ${host.cpus} CPUs, ${sizeText(host.memoryBytes)}`],
    ["mlebench", trial.mlebenchVersion],
  ];
  return (
    <>
      <dl class="facts-list">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {trial.notes.length > 0 && (
        <ul class="notice">
          {trial.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** What the harness wrote down, each line hashed into the next. */
export function EventsTab({ data, events }: { data: TrialPage; events: Growing<TrialEventRow> }) {
  if (events.items.length === 0)
    return <Empty title={events.failed ?? (data.cell.finished ? NO_RECORD : "Nothing has happened yet.")} />;
  const start = Date.parse(data.trial?.startedAt ?? events.items[0].time);
  const columns: Column<TrialEventRow>[] = [
    { title: "at", number: true, cell: ({ time }) => clockText((Date.parse(time) - start) / 1000) },
    { title: "event", by: ({ type }) => type, cell: ({ type }) => <span class="chip">{type}</span> },
    { title: "what", cell: ({ text }) => <code class="soft-code">{text}</code> },
  ];
  return (
    <Table
      name="e"
      columns={columns}
      rows={events.items}
      keyOf={({ seq }) => String(seq)}
      label="Events of the trial"
    />
  );
}
