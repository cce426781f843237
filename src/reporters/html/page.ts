import { createHash } from "node:crypto";
import type { Results } from "../../analysis/results.ts";
import { plural } from "../../wording/counts.ts";
import { html, type Markup, trusted } from "./markup.ts";
import { SCRIPT } from "./script.ts";
import { comparisonSection } from "./sections/comparison.ts";
import { failureSection } from "./sections/failures.ts";
import { footer, trialTable } from "./sections/footer.ts";
import { grid } from "./sections/grid.ts";
import { headline } from "./sections/headline.ts";
import { models } from "./sections/models.ts";
import { resources } from "./sections/resources.ts";
import { standings } from "./sections/standing.ts";
import { timelines } from "./sections/time.ts";
import { STYLES } from "./styles.ts";

/**
 * The results as one HTML file that needs nothing else: no network, no other file. Its own policy forbids it to load
 * or run anything but its one script, so that a hostile name could do nothing even if it got through unescaped.
 */
export function htmlReport(results: Results): string {
  const scriptHash = createHash("sha256").update(SCRIPT).digest("base64");
  const policy = `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${scriptHash}'; img-src data:; base-uri 'none'; form-action 'none'`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>${results.title}</title>
<link rel="icon" href="data:,">
<style>${trusted(STYLES)}</style>
</head>
<body>
<a class="skip" href="#content">Skip to the results</a>
${top(results)}
<main id="content">
${headline(results)}
${comparisonSection(results)}
${grid(results)}
${standings(results)}
${timelines(results)}
${resources(results)}
${models(results)}
${failureSection(results)}
${trialTable(results)}
</main>
${footer(results)}
<script>${trusted(SCRIPT)}</script>
</body>
</html>
`;
  return page.markup;
}

function top(results: Results): Markup {
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
    ...(results.agents.some(({ rows }) => rows.flat().some((record) => record?.trial?.modelTotals))
      ? [["models", "Models"]]
      : []),
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
