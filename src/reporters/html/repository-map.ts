import type { MapRecord } from "../../repositories/map/map-record.ts";
import { html } from "./markup.ts";
import { STYLES } from "./styles.ts";
import { wholePage } from "./whole-page.ts";

const MAX_MODULES = 300;

/** A map as one page without a script: modules by importance, their definitions folded away. */
export function repositoryMapPage(map: MapRecord): string {
  const shown = map.modules.slice(0, MAX_MODULES);
  const body = html`<main id="content">
<h1>Map of <bdi>${map.name}</bdi></h1>
<p>${map.files} files, ${map.modules.length} source files, ${map.calls.length} calls followed; licence ${map.licence.name}${map.commit ? `; commit ${map.commit}` : ""}. Nothing of it was run.</p>
${map.entryPoints.length > 0 && html`<h2>How it is started</h2><ul>${map.entryPoints.map(({ path, options }) => html`<li><code>${path}</code> ${options.map(({ name }) => name).join(" ")}</li>`)}</ul>`}
<h2>Modules, the most important first</h2>
${shown.map(
  (
    module,
  ) => html`<details><summary><code>${module.path}</code> ${module.importance.total.toFixed(1)} of 10, ${module.lines} lines ${module.doc}</summary>
<p>Imports: ${module.imports.join(", ") || "nothing of this repository"}. From outside: ${module.outside.join(", ") || "nothing"}.</p>
<ul>${module.definitions.map(({ signature, line, doc }) => html`<li><code>${signature}</code> line ${line} ${doc}</li>`)}</ul></details>`,
)}
${map.modules.length > shown.length && html`<p>${map.modules.length - shown.length} more are in the JSON form.</p>`}
${map.leftOut.length > 0 && html`<h2>Left out</h2><ul>${map.leftOut.map(({ path, why }) => html`<li><code>${path}</code>: ${why}</li>`)}</ul>`}
</main>`;
  return wholePage({ title: `Map of ${map.name}`, styles: STYLES, body });
}
