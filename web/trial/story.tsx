import type { CallRow } from "../../src/viewer/routes/calls.ts";
import type { TrialEventRow } from "../../src/viewer/routes/events.ts";
import type { TrialPage } from "../../src/viewer/routes/trial.ts";
import type { UsagePart } from "../../src/viewer/routes/usage.ts";
import { Chart } from "../charts/figure.tsx";
import { timeTicks } from "../charts/ticks.ts";
import { clockText, durationText, scoreText, sizeText } from "../format.ts";
import { ofTrial } from "../state/live.ts";
import { useData } from "../state/load.ts";
import { setQuery } from "../state/route.ts";
import { versionsOf } from "./submissions.tsx";

const WIDTH = 960;
const LEFT = 112;
const RIGHT = WIDTH - 12;

/** The whole trial on one time axis: what was submitted, what was asked, what happened. */
export function Story({
  data,
  events,
  calls,
}: {
  data: TrialPage;
  events: readonly TrialEventRow[];
  calls: readonly CallRow[];
}) {
  const loaded = useData<UsagePart>(
    "usage",
    { group: data.group, trial: data.cell.id },
    ofTrial(data.group, data.cell.id),
  );
  const usage = loaded.status === "loaded" ? loaded.data.points : [];
  const start = Date.parse(data.trial?.startedAt ?? events[0]?.time ?? "");
  const versions = versionsOf(data, events);
  const marks = events
    .filter(({ type }) => !["prepared", "submission", "collected", "final"].includes(type))
    .map((event) => ({ ...event, seconds: (Date.parse(event.time) - start) / 1000 }));
  const asked = calls.map((row) => ({
    seq: row[0],
    outcome: row[4],
    from: (Date.parse(row[1]) - start) / 1000,
    seconds: row[5] / 1000,
  }));
  const worked = workOf(calls, start, data);
  const end = Math.max(
    1,
    data.running?.elapsedSeconds ?? data.trial?.measurements?.wallSeconds ?? 0,
    versions.at(-1)?.elapsedSeconds ?? 0,
  );
  if (!Number.isFinite(start) || events.length === 0) return null;
  const x = (seconds: number) =>
    Number((LEFT + (Math.min(Math.max(0, seconds), end) / end) * (RIGHT - LEFT)).toFixed(1));
  const heights = heightsOf(versions);
  const withCalls = asked.length > 0;
  const lanes = lanesOf(withCalls, worked.length > 0, usage.length > 1);
  const most = {
    memoryBytes: usage.reduce((highest, { memoryBytes }) => Math.max(highest, memoryBytes ?? 0), 1),
    processors: usage.reduce((highest, { processors }) => Math.max(highest, processors ?? 0), 0.01),
  };
  const area = (pick: "memoryBytes" | "processors", bottom: number) =>
    areaPath(
      usage.flatMap((point) => {
        const value = point[pick];
        return value === null ? [] : [{ x: x(point.seconds), share: value / most[pick] }];
      }),
      bottom,
    );
  return (
    <Chart
      title="What happened when"
      note={
        <>
          Submissions by {versions.some(({ percentile }) => percentile !== null) ? "percentile" : "score"},
          the ring counts. A click on a submission, a call or commands leads there.
          {worked.length > 0 && " Commands run between a call that asked for them and the next one."}
        </>
      }
      csv={() => [
        ["seconds", "kind", "score", "percentile", "text"],
        ...versions.map((one) => [one.elapsedSeconds, "submission", one.score, one.percentile, one.sha256]),
        ...asked.map((one) => [one.from, `call ${one.outcome}`, null, null, `#${one.seq}, ${one.seconds} s`]),
        ...worked.map((one) => [
          one.from,
          "commands",
          null,
          null,
          `of #${one.seq}, ${one.seconds.toFixed(3)} s`,
        ]),
        ...marks.map((one) => [one.seconds, one.type, null, null, one.text]),
        ...usage.map((one) => [
          ...[one.seconds, "usage", null, null],
          `${one.memoryBytes ?? "?"} bytes, ${one.processors?.toFixed(2) ?? "?"} processors`,
        ]),
      ]}
    >
      <div class="story-scroll" tabIndex={0} role="region" aria-label="Time line">
        <svg
          class="chart story"
          viewBox={`0 0 ${WIDTH} ${lanes.axis + 20}`}
          role="img"
          aria-label={`${versions.length} submissions, ${asked.length} model calls and ${marks.length} events over ${clockText(end)}`}
        >
          <text class="lane" x={0} y={lanes.score - 26}>
            submissions
          </text>
          {withCalls && (
            <text class="lane" x={0} y={lanes.calls + 4}>
              model calls
            </text>
          )}
          {lanes.commands !== null && (
            <text class="lane" x={0} y={lanes.commands + 4}>
              commands
            </text>
          )}
          <text class="lane" x={0} y={lanes.events + 4}>
            events
          </text>
          <line class="grid" x1={LEFT} y1={lanes.score} x2={RIGHT} y2={lanes.score} />
          <line class="grid" x1={LEFT} y1={lanes.events} x2={RIGHT} y2={lanes.events} />
          {versions.length > 1 && (
            <path
              class="stair c0"
              d={versions
                .map(
                  (one, i) =>
                    `${i === 0 ? "M" : "H"}${x(one.elapsedSeconds)}${i === 0 ? " " : "V"}${heights[i]}`,
                )
                .join("")}
            />
          )}
          {thinned(versions.map((one, i) => ({ ...one, y: heights[i] }))).map((one) => (
            <circle
              key={one.number}
              class={`${one.final ? "ring" : "dot"} c0 clickable`}
              cx={x(one.elapsedSeconds)}
              cy={one.y}
              r={one.final ? 5 : 4}
              onClick={() => setQuery({ tab: "submissions", version: String(one.number) })}
            >
              <title>{`version ${one.number} at ${clockText(one.elapsedSeconds)}: ${scoreText(one.score)}${one.final ? ", counts" : ""}`}</title>
            </circle>
          ))}
          {thinned(asked).map((one) => (
            <rect
              key={one.seq}
              class={`call-mark ${one.outcome === "answered" ? "" : "bad-mark"} clickable`}
              x={x(one.from)}
              y={lanes.calls - 8}
              width={Math.max(2, x(one.from + one.seconds) - x(one.from))}
              height={16}
              rx={1.5}
              onClick={() => setQuery({ tab: "calls", call: String(one.seq), q: "" })}
            >
              <title>{`call #${one.seq} at ${clockText(one.from)}: ${one.outcome}, ${one.seconds.toFixed(1)} s`}</title>
            </rect>
          ))}
          {thinned(worked).map((one) => (
            <rect
              key={one.seq}
              class="work-mark clickable"
              x={x(one.from)}
              y={lanes.commands! - 5}
              width={Math.max(1.5, x(one.from + one.seconds) - x(one.from) - 1)}
              height={10}
              rx={1.5}
              onClick={() => setQuery({ tab: "commands", q: "" })}
            >
              <title>{`commands of call #${one.seq}: ${durationText(one.seconds)}`}</title>
            </rect>
          ))}
          {thinned(marks).map((one) => (
            <rect
              key={one.seq}
              class={`tick-mark ${/refused|interrupted|late/.test(one.type) ? "bad-mark" : ""}`}
              x={x(one.seconds) - 1.5}
              y={lanes.events - 8}
              width={3}
              height={16}
              rx={1}
            >
              <title>{`${clockText(one.seconds)} ${one.type} ${one.text.slice(0, 120)}`}</title>
            </rect>
          ))}
          {lanes.memory !== null && lanes.processors !== null && (
            <>
              <text class="lane" x={0} y={lanes.memory - 18}>
                memory
              </text>
              <text class="tick" x={0} y={lanes.memory - 1}>
                up to {sizeText(most.memoryBytes)}
              </text>
              <path class="usage-area c2" d={area("memoryBytes", lanes.memory)}>
                <title>{`memory over time, up to ${sizeText(most.memoryBytes)}`}</title>
              </path>
              <text class="lane" x={0} y={lanes.processors - 18}>
                processors
              </text>
              <text class="tick" x={0} y={lanes.processors - 1}>
                up to {Number(most.processors.toPrecision(2))}
              </text>
              <path class="usage-area c4" d={area("processors", lanes.processors)}>
                <title>{`busy processors over time, up to ${Number(most.processors.toPrecision(2))}`}</title>
              </path>
            </>
          )}
          {timeTicks(end).map((tick) => (
            <g key={tick}>
              <line class="grid" x1={x(tick)} y1={lanes.axis - 4} x2={x(tick)} y2={lanes.axis} />
              <text
                class="tick"
                x={x(tick)}
                y={lanes.axis + 12}
                text-anchor={tick === 0 ? "start" : "middle"}
              >
                {clockText(tick)}
              </text>
            </g>
          ))}
          <text class="tick" x={RIGHT} y={lanes.axis + 12} text-anchor="end">
            {clockText(end)}
          </text>
        </svg>
      </div>
    </Chart>
  );
}

const USAGE_HEIGHT = 30;

/** From the end of a call that asked for tools to the beginning of the next call in its role, or to the trial's end. */
function workOf(calls: readonly CallRow[], start: number, { trial }: TrialPage) {
  const nextOf = new Map<string | null, number>();
  const end = trial?.endedAt == null ? null : Date.parse(trial.endedAt);
  return calls
    .toReversed()
    .flatMap(([seq, time, role, , outcome, milliseconds, , , , , , toTools]) => {
      const [from, until] = [Date.parse(time) + milliseconds, nextOf.get(role) ?? end];
      nextOf.set(role, Date.parse(time));
      if (!toTools || outcome !== "answered" || until === null || until <= from) return [];
      return [{ seq, from: (from - start) / 1000, seconds: (until - from) / 1000 }];
    })
    .toReversed();
}

function lanesOf(withCalls: boolean, withCommands: boolean, withUsage: boolean) {
  const commands = withCommands ? 132 : null;
  const events = commands !== null ? 162 : withCalls ? 138 : 108;
  const memory = withUsage ? events + 52 : null;
  const processors = withUsage ? events + 94 : null;
  return {
    score: 74,
    calls: 104,
    commands,
    events,
    memory,
    processors,
    axis: (processors ?? events + 14) + 6,
  };
}

function areaPath(points: readonly { x: number; share: number }[], bottom: number): string {
  if (points.length === 0) return "";
  const line = points.map(({ x, share }) => `L${x} ${(bottom - share * USAGE_HEIGHT).toFixed(1)}`).join("");
  return `M${points[0].x} ${bottom}${line}L${points.at(-1)!.x} ${bottom}Z`;
}

const MAX_MARKS = 800;

/** More marks than a screen has columns say nothing more. */
function thinned<T>(all: readonly T[]): T[] {
  if (all.length <= MAX_MARKS) return [...all];
  return Array.from(
    { length: MAX_MARKS },
    (_, i) => all[Math.round((i * (all.length - 1)) / (MAX_MARKS - 1))],
  );
}

/** By percentile where there is one, by score otherwise; what has neither lies on the line. */
function heightsOf(versions: ReturnType<typeof versionsOf>): number[] {
  const values = versions.map(({ percentile, score }) => percentile ?? score);
  const known = values.filter((value) => value !== null);
  const [low, high] = [Math.min(...known), Math.max(...known)];
  return values.map((value) => {
    if (value === null) return 74;
    return high === low ? 40 : Number((66 - ((value - low) / (high - low)) * 52).toFixed(1));
  });
}
