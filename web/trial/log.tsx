import { useEffect, useRef, useState } from "preact/hooks";
import type { LogPart } from "../../src/viewer/routes/log.ts";
import type { TrialPage } from "../../src/viewer/routes/trial.ts";
import { sizeText } from "../format.ts";
import { Empty } from "../parts/states.tsx";
import { follow } from "../state/follow.ts";
import { exported, load } from "../state/load.ts";
import { place, setQuery } from "../state/route.ts";

/** So much text is kept in the page; what came before can be fetched again. */
const MAX_CHARACTERS = 600_000;

/** The log: its end first, earlier parts on demand, new lines as they are written. */
export function LogTab({ data }: { data: TrialPage }) {
  const names = data.logs.map(({ name }) => name);
  const wanted = place.value.query.log ?? "";
  const name = names.includes(wanted) ? wanted : (names[0] ?? "run.log");
  if (names.length === 0) return <Empty title="There is no log yet." />;
  return (
    <>
      {names.length > 1 && (
        <div class="filters" role="group" aria-label="Which log">
          {data.logs.map((log) => (
            <button
              key={log.name}
              type="button"
              aria-pressed={log.name === name}
              onClick={() => setQuery({ log: log.name })}
            >
              {log.name} <span class="count">{sizeText(log.bytes)}</span>
            </button>
          ))}
        </div>
      )}
      <Log key={name} group={data.group} trial={data.cell.id} name={name} />
    </>
  );
}

function Log({ group, trial, name }: { group: string; trial: string; name: string }) {
  const [part, setPart] = useState<LogPart | null>(null);
  const [failed, setFailed] = useState<string | null>(null);
  const box = useRef<HTMLPreElement>(null);
  const follows = useRef(true);
  useEffect(() => {
    let to: number | null = null;
    return follow(group, trial, {
      async read(isCurrent) {
        const from = to === null ? {} : { from: String(to) };
        const fresh = await load<LogPart>("log", { group, trial, name, ...from });
        if (!isCurrent()) return false;
        const first = to === null || fresh.from < to;
        to = fresh.to;
        if (first) setPart(fresh);
        else if (fresh.text !== "") setPart((before) => (before === null ? fresh : joined(before, fresh)));
        setFailed(null);
        return fresh.to < fresh.size && fresh.text !== "";
      },
      failed: setFailed,
    });
  }, [group, trial, name]);
  useEffect(() => {
    if (follows.current && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [part]);
  const earlier = async () => {
    if (part === null) return;
    const before = await load<LogPart>("log", { group, trial, name, before: String(part.from) });
    follows.current = false;
    setPart({ ...part, from: before.from, text: before.text + part.text });
  };
  if (failed !== null && part === null) return <Empty title={failed} />;
  if (part === null) return <div class="log" aria-busy="true" />;
  if (part.size === 0) return <Empty title="The log is empty." />;
  return (
    <>
      {part.from > 0 && (
        <p class="more">
          {exported === null && (
            <button type="button" onClick={() => void earlier()}>
              Earlier lines
            </button>
          )}{" "}
          <span class="soft">{sizeText(part.from)} before this</span>
        </p>
      )}
      <pre
        ref={box}
        class="log"
        role="region"
        tabIndex={0}
        aria-label={`${name}, the end first`}
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          follows.current = scrollHeight - scrollTop - clientHeight < 40;
        }}
      >
        {part.text}
      </pre>
    </>
  );
}

function joined(before: LogPart, fresh: LogPart): LogPart {
  const text = before.text + fresh.text;
  if (text.length <= MAX_CHARACTERS) return { ...fresh, from: before.from, text };
  const cut = text.indexOf("\n", text.length - MAX_CHARACTERS / 2) + 1;
  const dropped = new TextEncoder().encode(text.slice(0, cut)).length;
  return { ...fresh, from: before.from + dropped, text: text.slice(cut) };
}
