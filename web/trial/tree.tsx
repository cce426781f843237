import { useEffect, useRef } from "preact/hooks";
import { operatorColour } from "../../src/analysis/journal/layout.ts";
import type { JournalPage, StepPage } from "../../src/viewer/routes/journal.ts";
import { Chart } from "../charts/figure.tsx";
import { SearchProgress } from "../charts/progress.tsx";
import { TreeChart } from "../charts/tree.tsx";
import { costText, durationText, NONE, orNone, plural, scoreText, sizeText } from "../format.ts";
import { Code } from "../parts/code.tsx";
import { UnifiedDiff } from "../parts/diff.tsx";
import { OperatorTable } from "../parts/operators.tsx";
import { Shown } from "../parts/states.tsx";
import { ofTrial } from "../state/live.ts";
import { useData } from "../state/load.ts";
import { place, setQuery } from "../state/route.ts";

/** The search of a tree agent: tree, progress, and any step's code and what changed in it. */
export function TreeTab({ group, trial }: { group: string; trial: string }) {
  const loaded = useData<JournalPage>("journal", { group, trial }, ofTrial(group, trial));
  return (
    <Shown loaded={loaded}>
      {({ search, doubts }) => {
        const wanted = place.value.query.step ?? null;
        const chosen =
          search.steps.find(({ id }) => id === wanted) ??
          search.steps.find(({ id }) => id === search.bestPath.at(-1)) ??
          search.steps[0];
        const operators = [...new Set(search.steps.map(({ operator }) => operator))];
        return (
          <>
            {doubts.length > 0 && (
              <p class="notice">Parts of the journal were passed over: {doubts.join("; ")}.</p>
            )}
            <p class="note tree-note">
              <bdi>{search.preset}</bdi>, {plural(search.steps.length, "step")}; longest stretch without an
              improvement {plural(search.stuck.longest, "step")}
              {search.stuck.after !== null && ` after #${search.stuck.after}`}, {search.stuck.atEnd} at the
              end of the search. The first row leads to the best.
            </p>
            <div class="two">
              <SearchProgress search={search} over="time" />
              <SearchProgress search={search} over="cost" />
            </div>
            <ul class="legend">
              {operators.map((operator) => (
                <li key={operator} class={operatorColour(operator)}>
                  <span class="swatch" />
                  {operator}
                </li>
              ))}
              <li>
                <span class="swatch hollow" /> failed
              </li>
            </ul>
            <div class="split tree-split">
              <div class="split-list">
                <Chart
                  title="Tree"
                  csv={() => [
                    ["step", "id", "parent", "operator", "value", "buggy", "best"],
                    ...search.steps.map((one) => [
                      one.step,
                      one.id,
                      one.parent,
                      one.operator,
                      one.value,
                      one.buggy ? 1 : 0,
                      one.isBest ? 1 : 0,
                    ]),
                  ]}
                >
                  <TreeBox search={search} chosen={chosen?.id ?? null} />
                </Chart>
                <label class="step-choice">
                  <span class="soft small">Step</span>
                  <select
                    value={chosen?.id}
                    onChange={(event) => setQuery({ step: event.currentTarget.value })}
                  >
                    {search.steps.map((one) => (
                      <option key={one.id} value={one.id}>
                        {`#${one.step} ${one.operator} ${one.value === null ? (one.why ?? "") : scoreText(one.value)}${one.isBest ? " ★" : ""}`}
                      </option>
                    ))}
                  </select>
                </label>
              </div>
              <div class="split-detail">
                {chosen && (
                  <Step key={chosen.id} group={group} trial={trial} step={chosen} all={search.steps} />
                )}
              </div>
            </div>
            <h2>By operator</h2>
            <OperatorTable operators={search.operators} />
          </>
        );
      }}
    </Shown>
  );
}

/** The tree in a box of its own, which shows the chosen step wherever it stands. */
function TreeBox({ search, chosen }: { search: JournalPage["search"]; chosen: string | null }) {
  const box = useRef<HTMLDivElement>(null);
  // Only the box is moved: the page stays where the reader has it.
  useEffect(() => {
    const node = box.current?.querySelector(".node.chosen circle");
    if (!box.current || !node) return;
    const [outer, inner] = [box.current.getBoundingClientRect(), node.getBoundingClientRect()];
    const margin = 40;
    if (inner.top < outer.top || inner.bottom > outer.bottom)
      box.current.scrollTop += inner.top - outer.top - outer.height / 2;
    if (inner.left < outer.left || inner.right + margin > outer.right)
      box.current.scrollLeft += inner.left - outer.left - outer.width / 2;
  }, [chosen]);
  return (
    <div class="tree-box" tabIndex={0} role="region" aria-label="Tree of the search" ref={box}>
      <TreeChart search={search} chosen={chosen} onChoose={(id) => setQuery({ step: id })} />
    </div>
  );
}

function Step({
  group,
  trial,
  step,
  all,
}: {
  group: string;
  trial: string;
  step: JournalPage["search"]["steps"][number];
  all: JournalPage["search"]["steps"];
}) {
  const loaded = useData<StepPage>("journal-step", { group, trial, step: step.id });
  const view = place.value.query.code === "diff" ? "diff" : "code";
  return (
    <article aria-label={`Step ${step.step}`}>
      <h2 class="call-title">
        Step #{step.step} <span class="soft">{step.operator}</span>
      </h2>
      <p class="call-facts soft">
        <span>{step.value === null ? (step.why ?? NONE) : `metric ${scoreText(step.value)}`}</span>
        <span>model {durationText(step.modelSeconds)}</span>
        <span>ran {durationText(step.executionSeconds)}</span>
        {step.cost !== null && <span>{costText(step.cost)}</span>}
      </p>
      <Shown loaded={loaded}>
        {(page) => (
          <>
            {page.why !== null && <p class="notice">{page.why}</p>}
            {page.plan !== "" && <p class="step-plan">{page.plan}</p>}
            <p class="note">
              submission {page.validity}; memory {orNone(page.memory, sizeText)}
              {page.folds.length > 0 && `; folds ${page.folds.map(scoreText).join(", ")}`}
              {page.choice !== null && `; ${scoreText(page.choice)} on rows that only choose the end`}
              {all
                .filter(({ id }) => page.sources.includes(id))
                .map((source) => (
                  <>
                    {"; also from "}
                    <button
                      key={source.id}
                      type="button"
                      class="link"
                      onClick={() => setQuery({ step: source.id })}
                    >
                      #{source.step}
                    </button>
                  </>
                ))}
              {page.calls.map((seq) => (
                <>
                  {" "}
                  <button
                    key={seq}
                    type="button"
                    class="link"
                    onClick={() => setQuery({ tab: "calls", call: String(seq), q: "" })}
                  >
                    call #{seq}
                  </button>
                </>
              ))}
            </p>
            {page.diff !== "" && (
              <div class="filters" role="group" aria-label="Code or changes">
                <button type="button" aria-pressed={view === "code"} onClick={() => setQuery({ code: "" })}>
                  Code
                </button>
                <button
                  type="button"
                  aria-pressed={view === "diff"}
                  onClick={() => setQuery({ code: "diff" })}
                >
                  Changes to its parent
                </button>
              </div>
            )}
            {view === "diff" && page.diff !== "" ? (
              <UnifiedDiff text={page.diff} label="Changes to the parent's code" />
            ) : page.code === null ? (
              <p class="note">
                {page.codePath === null
                  ? "No program was written for this step."
                  : `Its program is too long for the journal: ${page.codePath} beside it.`}
              </p>
            ) : (
              <Code text={page.code} language={page.language} label="Code of the step" />
            )}
            {page.analysis !== "" && <p class="step-plan">{page.analysis}</p>}
            {page.output !== "" && (
              <details>
                <summary>Output</summary>
                <pre class="log">{page.output}</pre>
              </details>
            )}
          </>
        )}
      </Shown>
    </article>
  );
}
