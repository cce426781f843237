import { useEffect, useState } from "preact/hooks";
import type { CallRow } from "../../src/viewer/routes/calls.ts";
import type { Command, CommandsPart } from "../../src/viewer/routes/commands.ts";
import type { TrialPage } from "../../src/viewer/routes/trial.ts";
import { clockText, plural } from "../format.ts";
import { Search } from "../parts/search.tsx";
import { Empty } from "../parts/states.tsx";
import { ToolInput } from "../parts/tool-input.tsx";
import { holds, load } from "../state/load.ts";
import { place, setQuery } from "../state/route.ts";

/** Parts without a command that are read on from at once. */
const MAX_EMPTY = 20;

/** What the agent did by tools, told by its conversation: the command, and what came back. */
export function CommandsTab({ data, calls }: { data: TrialPage; calls: readonly CallRow[] }) {
  const { group, cell } = data;
  const { q = "" } = place.value.query;
  const [known, setKnown] = useState<Command[]>([]);
  const [next, setNext] = useState<number | null>(0);
  const [failed, setFailed] = useState<string | null>(null);
  const ask = (from: number) => ({ group, trial: cell.id, ...(from > 0 ? { from: String(from) } : {}) });
  const readOn = async (from: number) => {
    try {
      let part = await load<CommandsPart>("commands", ask(from));
      // An agent may only talk for a while: nobody wants to ask for each of those parts.
      for (let i = 0; i < MAX_EMPTY && part.commands.length === 0 && part.next !== null; i++) {
        if (!holds("commands", ask(part.next))) break;
        part = await load<CommandsPart>("commands", ask(part.next));
      }
      setKnown((before) => [...before.filter(({ call }) => call < from), ...part.commands]);
      setNext(part.next);
    } catch (error) {
      setFailed((error as Error).message);
    }
  };
  const held = holds("commands", ask(0));
  // While the trial runs, the last part grows with its calls.
  const last = next === null ? (known.at(-1)?.call ?? 0) - ((known.at(-1)?.call ?? 0) % 25) : null;
  useEffect(() => {
    if (held && (known.length === 0 || last !== null)) void readOn(last ?? next ?? 0);
  }, [calls.length]);
  if (!held) return <Empty title="What was said to models is not part of this export." />;
  if (failed !== null) return <Empty title={failed} />;
  if (next === 0) return null;
  if (known.length === 0 && next === null)
    return <Empty title="No conversation was kept that names a command." />;
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  const shown = known.filter(({ tool, input, result }) =>
    words.every((word) => `${tool} ${input} ${result ?? ""}`.toLowerCase().includes(word)),
  );
  const start = Date.parse(data.trial?.startedAt ?? calls[0]?.[1] ?? "");
  const timeOf = new Map(calls.map(([seq, time]) => [seq, (Date.parse(time) - start) / 1000]));
  return (
    <>
      <div class="section-head">
        <p class="note">
          {plural(shown.length, "command")}
          {next !== null && ` of the calls before #${next}`}, as the conversation with the model tells
        </p>
        <div class="filters">
          <Search label="Search commands and their results" value={q} />
        </div>
      </div>
      {shown.length === 0 && <Empty title={known.length === 0 ? "None so far." : "Nothing matches."} />}
      {shown.map((one, i) => (
        <article key={`${one.call} ${i}`} class="card command" aria-label={`${one.tool}, call ${one.call}`}>
          <p class="call-top">
            <span>
              <b>{one.tool}</b> {one.isError && <span class="chip bad">error</span>}
            </span>
            <span class="soft small">
              {Number.isFinite(timeOf.get(one.call)) && `${clockText(timeOf.get(one.call)!)}, `}
              <button
                type="button"
                class="link"
                onClick={() => setQuery({ tab: "calls", call: String(one.call), q: "" })}
              >
                call #{one.call}
              </button>
            </span>
          </p>
          <ToolInput text={one.input} label={`Input of ${one.tool}`} />
          {one.result !== null && one.result !== "" && (
            <pre class="turn-text result" tabIndex={0} role="group" aria-label={`Result of ${one.tool}`}>
              {one.result}
            </pre>
          )}
          {one.cut > 0 && <p class="note">{plural(one.cut, "more character")}</p>}
        </article>
      ))}
      {next !== null && holds("commands", ask(next)) && (
        <p class="more">
          <button type="button" onClick={() => void readOn(next)}>
            Show more
          </button>
        </p>
      )}
    </>
  );
}
