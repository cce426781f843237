import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { place, setQuery } from "../state/route.ts";

export interface Tab {
  id: string;
  name: string;
  count?: number;
  content: () => ComponentChildren;
}

/** Parts of a page of which one is shown; which one stands in the address. */
export function Tabs({ tabs }: { tabs: Tab[] }) {
  const wanted = place.value.query.tab;
  const current = tabs.find(({ id }) => id === wanted) ?? tabs[0];
  const list = useRef<HTMLDivElement>(null);
  // On a phone the chosen one may lie outside of what is seen.
  useEffect(() => {
    const [all, chosen] = [list.current, document.getElementById(`tab-${current.id}`)];
    if (all === null || chosen === null) return;
    const [left, right] = [chosen.offsetLeft - all.offsetLeft, all.clientWidth - chosen.offsetWidth];
    if (left < all.scrollLeft || left > all.scrollLeft + right) all.scrollLeft = left - right / 2;
  }, [current.id]);
  const move = (event: KeyboardEvent) => {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    const at = (tabs.indexOf(current) + step + tabs.length) % tabs.length;
    setQuery({ tab: tabs[at].id });
    document.getElementById(`tab-${tabs[at].id}`)?.focus();
  };
  return (
    <div class="tabs">
      <div ref={list} class="tab-list" role="tablist" aria-label="Parts of this page" onKeyDown={move}>
        {tabs.map(({ id, name, count }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`tab-${id}`}
            aria-selected={id === current.id}
            aria-controls="tab-panel"
            tabIndex={id === current.id ? 0 : -1}
            onClick={() => setQuery({ tab: id })}
          >
            {name}
            {count !== undefined && count > 0 && <span class="count">{count.toLocaleString("en-US")}</span>}
          </button>
        ))}
      </div>
      <div id="tab-panel" role="tabpanel" aria-labelledby={`tab-${current.id}`} class="tab-panel">
        {current.content()}
      </div>
    </div>
  );
}
