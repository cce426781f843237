import type { CallRow } from "../../src/viewer/routes/calls.ts";
import type { TrialEventRow } from "../../src/viewer/routes/events.ts";
import type { SubmissionDiff } from "../../src/viewer/routes/submission-diff.ts";
import type { TrialPage } from "../../src/viewer/routes/trial.ts";
import { clockText, countText, plural, scoreText, sizeText } from "../format.ts";
import { Empty, Shown } from "../parts/states.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { exported, useData } from "../state/load.ts";
import { place, setQuery } from "../state/route.ts";

interface Version {
  number: number;
  sha256: string;
  bytes: number | null;
  elapsedSeconds: number;
  time: string;
  score: number | null;
  percentile: number | null;
  medal: string | null;
  status: string | null;
  final: boolean;
}

/** Every version of submission.csv the harness found, with its score where it was graded. */
export function versionsOf({ trial, timeline }: TrialPage, events: readonly TrialEventRow[]): Version[] {
  const start = Date.parse(trial?.startedAt ?? events[0]?.time ?? "");
  const found =
    trial !== null && trial.submissions.length > 0
      ? trial.submissions
      : events
          .filter(({ type, sha256 }) => type === "submission" && sha256 !== null)
          .map(({ sha256, bytes, time }) => ({
            sha256: sha256!,
            bytes,
            time,
            elapsedSeconds: (Date.parse(time) - start) / 1000,
          }));
  const last = found.findLastIndex(({ sha256 }) => sha256 === trial?.final?.sha256);
  return found.map(({ sha256, bytes, time, elapsedSeconds }, i) => {
    const point =
      timeline.find((one) => one.sha256 === sha256 && Math.abs(one.elapsedSeconds - elapsedSeconds) < 1) ??
      timeline.find((one) => one.sha256 === sha256);
    return {
      ...{ number: i + 1, sha256, bytes, time, elapsedSeconds },
      score: point?.score ?? null,
      percentile: point?.percentile ?? null,
      medal: point?.medal ?? null,
      status: point?.status ?? null,
      final: i === last,
    };
  });
}

export function SubmissionsTab({
  data,
  events,
  calls,
}: {
  data: TrialPage;
  events: readonly TrialEventRow[];
  calls: readonly CallRow[];
}) {
  const versions = versionsOf(data, events);
  if (versions.length === 0) return <Empty title="No submission.csv was found." />;
  const chosen = versions.find(({ number }) => String(number) === place.value.query.version);
  const columns: Column<Version>[] = [
    { title: "version", number: true, by: ({ number }) => number, cell: ({ number }) => number },
    { title: "at", number: true, cell: ({ elapsedSeconds }) => clockText(elapsedSeconds) },
    { title: "score", number: true, by: ({ score }) => score, cell: ({ score }) => scoreText(score) },
    {
      title: "percentile",
      number: true,
      by: ({ percentile }) => percentile,
      cell: ({ percentile }) => percentile?.toFixed(1) ?? "–",
    },
    {
      title: "result",
      cell: ({ medal, status, final }) => (
        <>
          {medal ?? status ?? "not graded"} {final && <span class="chip good">counts</span>}
        </>
      ),
    },
    { title: "size", number: true, cell: ({ bytes }) => (bytes === null ? "–" : sizeText(bytes)) },
    {
      title: "made by",
      cell: ({ time }) => {
        const call = callBefore(calls, time);
        return call === null ? (
          "–"
        ) : (
          <button
            type="button"
            class="link"
            onClick={() => setQuery({ tab: "calls", call: String(call), q: "" })}
          >
            call #{call}
          </button>
        );
      },
    },
    {
      title: "changes",
      cell: ({ number }) =>
        number === 1 || exported !== null ? (
          "–"
        ) : (
          <button type="button" class="link" onClick={() => setQuery({ version: String(number) })}>
            compare with {number - 1}
          </button>
        ),
    },
    { title: "hash", wide: true, cell: ({ sha256 }) => <code class="soft-code">{sha256.slice(0, 12)}</code> },
  ];
  return (
    <>
      {data.trial?.final && <p class="note">What counts: {data.trial.final.why}.</p>}
      <Table
        name="s"
        columns={columns}
        rows={versions}
        keyOf={({ number }) => String(number)}
        label="Submissions of the trial"
        markedKey={chosen ? String(chosen.number) : null}
      />
      {chosen !== undefined && chosen.number > 1 && exported === null && (
        <VersionDiff data={data} version={chosen} before={versions[chosen.number - 2]} />
      )}
    </>
  );
}

/** The last call that had ended when the submission was found: it led to it, as far as time can tell. */
function callBefore(calls: readonly CallRow[], time: string): number | null {
  const at = Date.parse(time);
  const before = calls.findLast(([, started, , , outcome, milliseconds]) => {
    return outcome === "answered" && Date.parse(started) + milliseconds <= at;
  });
  return before?.[0] ?? null;
}

function VersionDiff({ data, version, before }: { data: TrialPage; version: Version; before: Version }) {
  const loaded = useData<SubmissionDiff>("submission-diff", {
    group: data.group,
    trial: data.cell.id,
    sha256: version.sha256,
    before: before.sha256,
  });
  return (
    <section aria-labelledby="version-diff">
      <h2 id="version-diff">
        Version {version.number} against {before.number}
      </h2>
      <Shown loaded={loaded}>
        {({ changed, lines, linesBefore, sample, cut }) => (
          <>
            <p class="note">
              {changed === 0 ? "The same bytes" : `${plural(changed, "line")} of ${countText(lines)} differ`}
              {lines !== linesBefore && `; there were ${countText(linesBefore)} before`}
              {sample.length < changed && `; the first ${sample.length}:`}
              {cut && " (only the beginning of each was compared)"}
            </p>
            {sample.length > 0 && (
              <div class="scroll" tabIndex={0} role="region" aria-label="Lines that differ">
                <table class="plain">
                  <thead>
                    <tr>
                      <th scope="col" class="number">
                        line
                      </th>
                      <th scope="col">before</th>
                      <th scope="col">after</th>
                    </tr>
                  </thead>
                  <tbody>
                    {sample.map((row) => (
                      <tr key={row.line}>
                        <td class="number">{row.line}</td>
                        <td class={row.before === null ? "" : "diff-removed"}>
                          <code>{row.before ?? ""}</code>
                        </td>
                        <td class={row.after === null ? "" : "diff-added"}>
                          <code>{row.after ?? ""}</code>
                        </td>
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            )}
          </>
        )}
      </Shown>
    </section>
  );
}
