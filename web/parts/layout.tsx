import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { helpOpen } from "../state/keys.ts";
import { connected } from "../state/live.ts";
import { exported } from "../state/load.ts";
import { hrefTo, place } from "../state/route.ts";
import { dark, switchTheme } from "../state/theme.ts";

export interface Crumb {
  name: string;
  href?: string;
}

const PAGES = [
  ["runs", "Runs"],
  ["compare", "Compare"],
  ["standings", "Standings"],
] as const;

/** The frame of every page: where one is, and the way to everything else. */
export function Layout({
  title,
  crumbs = [],
  alone = false,
  children,
}: {
  title: string;
  crumbs?: Crumb[];
  /** There are no other pages. */
  alone?: boolean;
  children: ComponentChildren;
}) {
  useEffect(() => {
    document.title = `${title} · mlebench`;
  }, [title]);
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById("content")?.focus()}>
        Skip to the content
      </button>
      <header class="app-bar">
        {alone ? (
          <span class="brand-link">mlebench</span>
        ) : (
          <>
            <a class="brand-link" href={hrefTo("runs")}>
              mlebench
            </a>
            <nav aria-label="Pages">
              {PAGES.map(([page, name]) => (
                <a
                  key={page}
                  href={hrefTo(page)}
                  aria-current={place.value.page === page ? "page" : undefined}
                >
                  {name}
                </a>
              ))}
            </nav>
          </>
        )}
        <span class="spacer" />
        {!alone && (
          <>
            <LiveMark />
            <button
              type="button"
              class="quiet"
              onClick={() => (helpOpen.value = true)}
              aria-label="Keyboard help"
            >
              ?
            </button>
          </>
        )}
        <button
          type="button"
          class="quiet"
          onClick={switchTheme}
          aria-label={`Switch to the ${dark.value ? "light" : "dark"} theme`}
        >
          {dark.value ? "☀" : "☾"}
        </button>
      </header>
      <main id="content" tabIndex={-1}>
        {crumbs.length > 0 && (
          <nav class="crumbs" aria-label="Where you are">
            {crumbs.map(({ name, href }) => (
              <span key={name}>{href ? <a href={href}>{name}</a> : name}</span>
            ))}
          </nav>
        )}
        {children}
      </main>
    </>
  );
}

function LiveMark() {
  if (exported !== null) return <span class="live-mark">export</span>;
  if (connected.value === null) return null;
  return (
    <span class={`live-mark ${connected.value ? "on" : "off"}`} role="status">
      {connected.value ? "live" : "connection lost"}
    </span>
  );
}
