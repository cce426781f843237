import type { CallPage, Turn } from "../../src/viewer/routes/call.ts";
import type { CallRow } from "../../src/viewer/routes/calls.ts";
import { costText, durationText, orNone, plural, tokensText } from "../format.ts";
import { Diff } from "../parts/diff.tsx";
import { Shown } from "../parts/states.tsx";
import { ToolInput } from "../parts/tool-input.tsx";
import { holds, useData } from "../state/load.ts";
import { place, setQuery } from "../state/route.ts";

/** One call at length: what was asked, compared with the call before, and what came back. */
export function CallDetail({
  group,
  trial,
  row,
  previous,
}: {
  group: string;
  trial: string;
  row: CallRow;
  previous: number | null;
}) {
  const [seq, , role, model, outcome, milliseconds, firstByte, tokensIn, tokensOut, cost, problem] = row;
  const ask = {
    group,
    trial,
    call: String(seq),
    ...(previous === null ? {} : { previous: String(previous) }),
  };
  const loaded = useData<CallPage>("call", ask);
  return (
    <article aria-label={`Call ${seq}`}>
      <h2 class="call-title">
        Call #{seq} <span class="soft">{[role, model].filter(Boolean).join(", ")}</span>
      </h2>
      <p class="call-facts soft">
        <span class={outcome === "answered" ? "" : "warn"}>{outcome}</span>
        <span>{durationText(milliseconds / 1000)}</span>
        <span>first byte {orNone(firstByte, (ms) => durationText(ms / 1000))}</span>
        <span>{tokensText(tokensIn)} tokens in</span>
        <span>{tokensText(tokensOut)} out</span>
        <span>{costText(cost)}</span>
      </p>
      {problem !== null && <p class="notice">{problem}</p>}
      {holds("call", ask) ? (
        <Shown loaded={loaded}>{(page) => <Said page={page} previous={previous} />}</Shown>
      ) : (
        <p class="note">What was said is not part of this export.</p>
      )}
    </article>
  );
}

function Said({ page, previous }: { page: CallPage; previous: number | null }) {
  const { request, reply, problem } = page;
  const view = place.value.query.prompt === "all" || page.previous === null ? "all" : "new";
  return (
    <>
      {reply.map((turn, i) => (
        <TurnView key={`r${i}${turn.who}`} turn={turn} fresh />
      ))}
      {problem !== null && <p class="notice">{problem}</p>}
      {request !== null && (
        <>
          <div class="section-head">
            <h3>Prompt</h3>
            {page.previous !== null && (
              <div class="filters" role="group" aria-label="How to show the prompt">
                <button type="button" aria-pressed={view === "new"} onClick={() => setQuery({ prompt: "" })}>
                  Changed since #{previous}
                </button>
                <button
                  type="button"
                  aria-pressed={view === "all"}
                  onClick={() => setQuery({ prompt: "all" })}
                >
                  Whole
                </button>
              </div>
            )}
          </div>
          {view === "all" ? (
            request.map((turn, i) => <TurnView key={`q${i}${turn.who}`} turn={turn} />)
          ) : (
            <Changes request={request} before={page.previous ?? []} />
          )}
          {page.tools.length > 0 && <p class="note">Tools: {page.tools.join(", ")}</p>}
          {page.settings.length > 0 && <p class="note">Settings: {page.settings.join(", ")}</p>}
        </>
      )}
    </>
  );
}

/** What both begin with is counted; turns at the same place are compared; what is left over is new. */
function Changes({ request, before }: { request: readonly Turn[]; before: readonly Turn[] }) {
  let same = 0;
  while (same < request.length && same < before.length && isSame(request[same], before[same])) same++;
  const rest = request.slice(same);
  return (
    <>
      {same > 0 && <p class="note">{plural(same, "turn")} as before.</p>}
      {rest.length === 0 && <p class="note">Nothing was added.</p>}
      {rest.map((turn, i) => {
        const old = before[same + i];
        return old !== undefined && old.who === turn.who ? (
          <div key={`d${i}${turn.who}`} class="turn">
            <p class="turn-who">{turn.who}</p>
            <Diff before={old.text} after={turn.text} label={`Changes of ${turn.who}`} />
          </div>
        ) : (
          <TurnView key={`n${i}${turn.who}`} turn={turn} />
        );
      })}
    </>
  );
}

function isSame(a: Turn, b: Turn): boolean {
  return a.who === b.who && a.text === b.text;
}

function TurnView({ turn, fresh = false }: { turn: Turn; fresh?: boolean }) {
  const { who, text, cut } = turn;
  return (
    <div class={`turn ${fresh ? "fresh" : ""}`}>
      <p class="turn-who">{who}</p>
      {who.startsWith("call ") ? (
        <ToolInput text={text} label={who} />
      ) : (
        <pre class="turn-text" tabIndex={0} role="group" aria-label={who}>
          {text}
        </pre>
      )}
      {cut > 0 && <p class="note">{plural(cut, "more character")}</p>}
    </div>
  );
}
