import type { TrialSearches } from "../../analysis/journal/of-results.ts";
import type { Results } from "../../analysis/results.ts";
import { type TrialUsages, usagesOf } from "../../analysis/usage/over-time.ts";
import { plural } from "../../wording/counts.ts";
import { html, type Markup } from "./markup.ts";
import { comparisonSection } from "./sections/comparison.ts";
import { failureSection } from "./sections/failures.ts";
import { footer, trialTable } from "./sections/footer.ts";
import { grid } from "./sections/grid.ts";
import { headline } from "./sections/headline.ts";
import { models } from "./sections/models.ts";
import { resources, usageOverTime } from "./sections/resources.ts";
import { searchSection } from "./sections/searches.ts";
import { standings } from "./sections/standing.ts";
import { timelines } from "./sections/time.ts";
import { STYLES } from "./styles.ts";
import { wholePage } from "./whole-page.ts";

const NO_SEARCHES: TrialSearches = { searches: [], left: 0 };

/** The results as one page. */
export function htmlReport(results: Results, searches: TrialSearches = NO_SEARCHES): string {
  const usages = usagesOf(results);
  const body = html`<a class="skip" href="#content">Skip to the results</a>
${top(results, searches, usages)}
<main id="content">
${headline(results)}
${comparisonSection(results)}
${grid(results)}
${standings(results)}
${timelines(results)}
${resources(results)}
${usageOverTime(results, usages)}
${models(results)}
${searchSection(searches)}
${failureSection(results)}
${trialTable(results)}
</main>
${footer(results)}`;
  return wholePage({ title: results.title, styles: STYLES, body, script: SCRIPT });
}

function top(results: Results, { searches }: TrialSearches, usages: TrialUsages): Markup {
  const { agents, competitions, title, failures } = results;
  const sections = [
    ["headline", "Medal rate"],
    ...(results.comparison === null ? [] : [["comparison", "Comparison"]]),
    ["grid", "Grid"],
    ...(competitions.some(({ leaderboard }) => leaderboard !== null)
      ? [["standing", "Against the field"]]
      : []),
    ["time", "Over time"],
    ["resources", "Resources"],
    ...(usages.trials.length > 0 ? [["usage", "Memory and CPU"]] : []),
    ...(results.agents.some(({ rows }) => rows.flat().some((record) => record?.trial?.modelTotals))
      ? [["models", "Models"]]
      : []),
    ...(searches.length > 0 ? [["searches", "Searches"]] : []),
    ["failures", "Failures"],
    ["trials", "Trials"],
    ["method", "Method"],
    ["deviations", "Deviations"],
  ];
  return html`<header class="top"><div class="title"><div><p class="brand">mlebench report</p><h1><bdi>${title}</bdi></h1>
<p class="subtitle">${plural(agents.length, "agent")} · ${plural(competitions.length, "competition")} · ${plural(failures.trials, "trial")}</p></div>
<button id="theme" type="button" hidden>Theme</button></div>
<nav aria-label="Sections">${sections.map(([id, name]) => html`<a href="#${id}">${name}</a>`)}</nav></header>`;
}

/** The page's only script: the theme button. It runs from disk, where storage may be refused. */
const SCRIPT = `(() => {
  const root = document.documentElement;
  const button = document.getElementById("theme");
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const stored = () => { try { return localStorage.getItem("mlebench-theme"); } catch { return null; } };
  const store = (value) => { try { localStorage.setItem("mlebench-theme", value); } catch {} };
  const current = () => root.dataset.theme || (dark.matches ? "dark" : "light");
  const show = () => {
    const other = current() === "dark" ? "light" : "dark";
    button.textContent = other === "dark" ? "\\u263E Dark" : "\\u2600 Light";
    button.setAttribute("aria-label", "Switch to the " + other + " theme");
  };
  const known = stored();
  if (known === "dark" || known === "light") root.dataset.theme = known;
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset.theme = current() === "dark" ? "light" : "dark";
    store(root.dataset.theme);
    show();
  });
  dark.addEventListener("change", show);
  show();
})();`;
