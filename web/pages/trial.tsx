import { useLayoutEffect, useState } from "preact/hooks";
import { isolationText, networkText } from "../../src/trials/trial/isolation.ts";
import type { CallRow, CallsPart } from "../../src/viewer/routes/calls.ts";
import type { EventsPart, TrialEventRow } from "../../src/viewer/routes/events.ts";
import type { TrialPage as Data } from "../../src/viewer/routes/trial.ts";
import {
  clockText,
  durationText,
  NOT_A_MODEL,
  orNone,
  plural,
  scoreText,
  sizeText,
  spentText,
} from "../format.ts";
import { Cell, STATES } from "../parts/cell.tsx";
import { IntegrityTab } from "../parts/integrity.tsx";
import { Layout } from "../parts/layout.tsx";
import { Shown } from "../parts/states.tsx";
import { Tabs } from "../parts/tabs.tsx";
import { useGrowing } from "../state/growing.ts";
import { onKeys } from "../state/keys.ts";
import { ofTrial } from "../state/live.ts";
import { exported, useData } from "../state/load.ts";
import { go, hrefTo } from "../state/route.ts";
import { CallsTab } from "../trial/calls.tsx";
import { CertificateTab } from "../trial/certificate.tsx";
import { CommandsTab } from "../trial/commands.tsx";
import { FilesTab } from "../trial/files.tsx";
import { LogTab } from "../trial/log.tsx";
import { EventsTab, RecordTab } from "../trial/record.tsx";
import { Story } from "../trial/story.tsx";
import { SubmissionsTab } from "../trial/submissions.tsx";
import { TreeTab } from "../trial/tree.tsx";
import { Figure } from "./group.tsx";

export function TrialPage({ group, trial }: { group: string; trial: string }) {
  const loaded = useData<Data>("trial", { group, trial }, ofTrial(group, trial));
  const name = loaded.status === "loaded" ? loaded.data.cell.competitionId : trial;
  return (
    <Layout
      title={name}
      crumbs={[
        { name: "Runs", href: hrefTo("runs") },
        { name: group, href: hrefTo("group", [group]) },
        { name: trial },
      ]}
    >
      <Shown loaded={loaded} page>
        {(data) => <Trial data={data} />}
      </Shown>
    </Layout>
  );
}

function Trial({ data }: { data: Data }) {
  const { group, cell, trial, running, grade, previous, next } = data;
  const events = useGrowing<EventsPart, TrialEventRow>("events", group, cell.id, (part) => part.events);
  const calls = useGrowing<CallsPart, CallRow>("calls", group, cell.id, (part) => part.calls, data.has.calls);
  useLayoutEffect(
    () =>
      onKeys({
        j: () => next !== null && go(hrefTo("trial", [group, next])),
        k: () => previous !== null && go(hrefTo("trial", [group, previous])),
        u: () => go(hrefTo("group", [group])),
      }),
    [group, previous, next],
  );
  const wall = running?.elapsedSeconds ?? trial?.measurements?.wallSeconds ?? null;
  const memory = running?.peakMemoryBytes ?? trial?.measurements?.peakMemoryBytes ?? null;
  const cpu = running?.cpuSeconds ?? trial?.measurements?.cpuSeconds ?? null;
  const asked = trial?.modelTotals?.calls ?? running?.calls ?? null;
  return (
    <>
      <div class="page-head trial-head">
        <div>
          <h1>
            <Cell state={cell.state} /> <bdi>{cell.competitionId}</bdi>
          </h1>
          <p class="subtitle">
            <bdi>{data.agent}</bdi>, seed {cell.seed}: {STATES[cell.state].name}
            {trial?.outcome && <> · {trial.outcome.message}</>}
          </p>
          {trial && (
            <p class="subtitle">
              {isolationText(trial)}; network: {networkText(trial)};{" "}
              {trial.externalKnowledge ? "materials were mounted" : "no materials"}
            </p>
          )}
        </div>
        <nav class="pager" aria-label="Trials of the group">
          <PagerLink group={group} trial={previous} name="Previous" sign="↑" />
          <PagerLink group={group} trial={next} name="Next" sign="↓" />
          {cell.state === "running" && exported === null && <Cancel data={data} />}
        </nav>
      </div>
      {data.problem !== null && <p class="notice">Its record cannot be shown: {data.problem}.</p>}
      {trial?.modelAccess && !trial.modelAccess.roles.every(({ languageModel }) => languageModel) && (
        <p class="notice">Its model was scripted, simulated or an echo: this is {NOT_A_MODEL}.</p>
      )}
      <dl class="figures">
        <Figure
          name="score"
          value={scoreText(cell.score)}
          of={cell.percentile === null ? gradeText(data) : `percentile ${cell.percentile.toFixed(1)}`}
        />
        <Figure
          name="time"
          value={orNone(wall, clockText)}
          of={trial === null ? "not recorded" : `of ${durationText(trial.limits.timeSeconds)}`}
        />
        <Figure
          name="memory"
          value={orNone(memory, sizeText)}
          of={cpu === null ? "not recorded" : `CPU ${durationText(cpu)}`}
        />
        <Figure
          name="model cost"
          value={spentText(
            data.cost ?? trial?.modelTotals?.cost,
            trial?.modelTotals?.complete ?? running?.costComplete ?? true,
            asked,
          )}
          of={asked ? plural(asked, "call") : trial === null ? "not recorded" : "no calls"}
        />
      </dl>
      {running !== null && (
        <p class="last-line live-line" aria-live="off">
          <code>{running.lastLine || "no output yet"}</code>
        </p>
      )}
      {grade?.reasons && grade.reasons.length > 0 && (
        <ul class="notice reasons">
          {grade.reasons.slice(0, 5).map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
      <Story data={data} events={events.items} calls={calls.items} />
      <Tabs
        tabs={[
          { id: "log", name: "Log", content: () => <LogTab data={data} /> },
          ...(data.has.calls
            ? [
                {
                  id: "calls",
                  name: "Model calls",
                  count: calls.items.length,
                  content: () => <CallsTab data={data} calls={calls} />,
                },
              ]
            : []),
          ...(calls.items.some((row) => row[11])
            ? [
                {
                  id: "commands",
                  name: "Commands",
                  content: () => <CommandsTab data={data} calls={calls.items} />,
                },
              ]
            : []),
          ...(data.has.journal === null
            ? []
            : [
                { id: "tree", name: "Search tree", content: () => <TreeTab group={group} trial={cell.id} /> },
              ]),
          {
            id: "submissions",
            name: "Submissions",
            count: trial?.submissions.length || (running?.submissions ?? 0),
            content: () => <SubmissionsTab data={data} events={events.items} calls={calls.items} />,
          },
          {
            id: "events",
            name: "Events",
            count: events.items.length,
            content: () => <EventsTab data={data} events={events} />,
          },
          { id: "files", name: "Files", content: () => <FilesTab data={data} /> },
          { id: "certificate", name: "Certificate", content: () => <CertificateTab data={data} /> },
          {
            id: "integrity",
            name: "Integrity",
            content: () => <IntegrityTab group={group} trial={cell.id} />,
          },
          { id: "record", name: "Record", content: () => <RecordTab data={data} /> },
        ]}
      />
    </>
  );
}

function gradeText({ cell, grade }: Data): string {
  if (cell.state === "running") return "not graded while it runs";
  if (grade === null) return "not graded";
  return grade.valid_submission ? "no percentile in its report" : STATES[cell.state].name;
}

function PagerLink({
  group,
  trial,
  name,
  sign,
}: {
  group: string;
  trial: string | null;
  name: string;
  sign: string;
}) {
  if (trial === null) return null;
  return (
    <a class="button" href={hrefTo("trial", [group, trial])} title={`${name} trial`}>
      {sign} {name}
    </a>
  );
}

/** The one thing that can be changed here: asked for twice. */
function Cancel({ data }: { data: Data }) {
  const [step, setStep] = useState<"idle" | "sure" | "sent" | string>(data.cancelRequested ? "sent" : "idle");
  const send = async () => {
    const query = new URLSearchParams({ group: data.group, trial: data.cell.id });
    const response = await fetch(`/api/cancel?${query}`, { method: "POST" }).catch(() => null);
    const answer = (await response?.json().catch(() => null)) as { message?: string } | null;
    setStep(response?.ok ? "sent" : (answer?.message ?? "The server did not answer."));
  };
  if (step === "idle")
    return (
      <button type="button" onClick={() => setStep("sure")}>
        Cancel trial
      </button>
    );
  if (step === "sure")
    return (
      <>
        <button type="button" class="danger" onClick={() => void send()}>
          Yes, end it now
        </button>
        <button type="button" onClick={() => setStep("idle")}>
          No
        </button>
      </>
    );
  return (
    <span role="status" class="soft">
      {step === "sent" ? "will be cancelled" : step}
    </span>
  );
}
