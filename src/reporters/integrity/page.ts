import { html, type Markup } from "../html/markup.ts";
import { wholePage } from "../html/whole-page.ts";

const STYLES = `:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#f3f4f6;--line:#d5d9de;--bad:#b3261e;--warn:#8a5a00;--mark:#fff3c4}
@media (prefers-color-scheme:dark){:root{--ink:#e6e8eb;--paper:#14171a;--soft:#1f2429;--line:#353c44;--bad:#ff8a80;--warn:#ffca6a;--mark:#40371a}}
*{box-sizing:border-box}body{margin:0;font:16px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main,header{max-width:76rem;margin:0 auto;padding:1rem 1.25rem}h1{font-size:1.5rem;margin:.2rem 0}h2{font-size:1.15rem;margin:2rem 0 .5rem}h3{font-size:1rem;margin:1.2rem 0 .3rem;overflow-wrap:anywhere}
table{border-collapse:collapse;width:100%}th,td{text-align:left;padding:.3rem .6rem;border-bottom:1px solid var(--line);vertical-align:top;overflow-wrap:break-word;max-width:26rem}thead th,td.when{white-space:nowrap}
.scroll{overflow-x:auto}.number{text-align:right;white-space:nowrap;font-variant-numeric:tabular-nums}.note{opacity:.8}.serious{color:var(--bad);font-weight:600}.suspicious{color:var(--warn);font-weight:600}
.sides{display:grid;grid-template-columns:1fr 1fr;gap:.75rem;margin:.5rem 0 1rem}@media (max-width:48rem){.sides{grid-template-columns:1fr}}
figure{margin:0;min-width:0}figcaption{font-size:.85rem;opacity:.8;overflow-wrap:anywhere}pre{margin:0;padding:.6rem;background:var(--soft);border:1px solid var(--line);border-radius:4px;overflow-x:auto;font:13px/1.45 ui-monospace,monospace;tab-size:4}`;

/** A page without a script: whatever a trial wrote stays text. */
export function plainPage(title: string, content: Markup): string {
  const body = html`<header><h1>${title}</h1></header>
<main>
${content}
</main>`;
  return wholePage({ title, styles: STYLES, body });
}
