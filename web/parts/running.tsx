import type { Running } from "../../src/viewer/routes/running.ts";
import { clockText, costText, durationText, orNone, plural, sizeText } from "../format.ts";
import { hrefTo } from "../state/route.ts";

const SILENT_AFTER = 15;

/** What runs now: how far, what it says, what it uses. */
export function RunningList({ running }: { running: readonly Running[] }) {
  return (
    <ul class="running">
      {running.slice(0, 12).map((one) => (
        <li key={one.trial} class="card">
          <RunningCard running={one} />
        </li>
      ))}
      {running.length > 12 && <li class="soft">and {plural(running.length - 12, "more trial")}</li>}
    </ul>
  );
}

function RunningCard({ running }: { running: Running }) {
  const { group, trial, competitionId, seed, elapsedSeconds, timeSeconds, silentSeconds, lastLine } = running;
  const share = elapsedSeconds !== null && timeSeconds ? Math.min(1, elapsedSeconds / timeSeconds) : 0;
  return (
    <>
      <div class="running-head">
        <a href={hrefTo("trial", [group, trial])}>
          <bdi>{competitionId}</bdi>
        </a>
        <span class="soft small">seed {seed}</span>
        <span class="running-clock">
          {orNone(elapsedSeconds, clockText)}
          {timeSeconds !== null && <span class="soft"> of {durationText(timeSeconds)}</span>}
        </span>
      </div>
      <div class="meter" aria-hidden="true">
        <i style={{ width: `${100 * share}%` }} />
      </div>
      <p class="last-line" title={lastLine}>
        <code>{lastLine || "no output yet"}</code>
      </p>
      <p class="running-facts">
        <span>{orNone(running.submissions, (count) => plural(count, "submission"))}</span>
        <span>{orNone(running.peakMemoryBytes, sizeText)} peak</span>
        {running.calls !== null && <span>{plural(running.calls, "call")}</span>}
        {running.cost !== null && <span>{costText(running.cost, running.costComplete)}</span>}
        {silentSeconds >= SILENT_AFTER && <span class="warn">silent for {durationText(silentSeconds)}</span>}
      </p>
    </>
  );
}
