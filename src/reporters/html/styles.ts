/** Both themes: the reader's system decides, the button overrides. */
const LIGHT = `
--page:#f6f7f9;--card:#ffffff;--ink:#1a1f27;--soft:#505a68;--line:#dde1e7;--faint:#eceff3;--accent:#1f5fd0;
--field:#dbe3ee;--field-line:#8391a5;--gold:#f3cb52;--gold-ink:#3f3000;--silver:#ccd4dd;--silver-ink:#242b33;
--bronze:#e0a67c;--bronze-ink:#3b1f08;--above:#cfe9df;--above-ink:#0d4a36;--valid:#e6e9ee;--valid-ink:#444d59;
--bad:#f8d3d1;--bad-ink:#7c1512;--gold-line:#b58600;--silver-line:#7b8896;--bronze-line:#a9602b;
--heat1:#fdebe9;--heat2:#fad4d0;--heat3:#f5b3ad;--heat4:#ee938b;
--c0:#1f6feb;--c1:#c2410c;--c2:#0f766e;--c3:#8b35c9;--c4:#a16207;--c5:#be185d;--c6:#4d7c0f;--c7:#475569;`;
const DARK = `
--page:#0e1116;--card:#171b22;--ink:#e7ebf0;--soft:#a3aebb;--line:#2b323c;--faint:#20262e;--accent:#7fb0ff;
--field:#28313d;--field-line:#6f7f93;--gold:#d9ad2b;--gold-ink:#201800;--silver:#aab5c1;--silver-ink:#161b21;
--bronze:#c07f4f;--bronze-ink:#1d0e02;--above:#1d4a3b;--above-ink:#b5ecd7;--valid:#2a313b;--valid-ink:#c3ccd6;
--bad:#5a2320;--bad-ink:#ffd0cc;--gold-line:#e3b93c;--silver-line:#b4bfca;--bronze-line:#d29062;
--heat1:#33201f;--heat2:#4a2624;--heat3:#66302c;--heat4:#823a35;
--c0:#6ea8fe;--c1:#ff9d66;--c2:#4fd1bd;--c3:#c99bff;--c4:#e5c04d;--c5:#ff8fbe;--c6:#a6d65c;--c7:#b3bfcd;`;

const AGENTS = Array.from({ length: 8 }, (_, i) => `.c${i}{--agent:var(--c${i})}`).join("");

export const STYLES = `
:root{color-scheme:light;${LIGHT}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${DARK}}}
:root[data-theme=dark]{color-scheme:dark;${DARK}}
*{box-sizing:border-box}
html{scroll-behavior:smooth;-webkit-text-size-adjust:100%}
@media (prefers-reduced-motion:reduce){html{scroll-behavior:auto}}
body{margin:0;background:var(--page);color:var(--ink);font:16px/1.5 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
main,footer,.title,nav{max-width:1240px;margin:0 auto;padding-left:20px;padding-right:20px}
.skip{position:absolute;left:-999px}.skip:focus{left:8px;top:8px;background:var(--card);padding:8px;z-index:9}
a{color:var(--accent)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
.top{background:var(--card);border-bottom:1px solid var(--line)}
.title{display:flex;justify-content:space-between;align-items:flex-start;gap:16px;padding-top:26px}
.brand{margin:0;color:var(--soft);font-size:13px;letter-spacing:.06em;text-transform:uppercase}
h1{margin:2px 0 0;font-size:clamp(24px,4.5vw,36px);line-height:1.15;letter-spacing:-.02em;overflow-wrap:anywhere}
.subtitle{margin:6px 0 0;color:var(--soft)}
#theme{flex:none;font:inherit;font-size:14px;color:var(--ink);background:var(--faint);border:1px solid var(--line);border-radius:999px;padding:6px 14px;cursor:pointer}
nav{display:flex;gap:20px;overflow-x:auto;padding-top:16px;padding-bottom:12px;scrollbar-width:none}
nav a{white-space:nowrap;text-decoration:none;font-size:14px;color:var(--soft)}nav a:hover{color:var(--ink)}
main section{margin:38px 0}
h2{margin:0 0 4px;font-size:22px;letter-spacing:-.01em}
h3{margin:0;font-size:15px;line-height:1.3;overflow-wrap:anywhere}
section[aria-labelledby=searches]>h3{margin:26px 0 6px}section[aria-labelledby=searches]>.note{margin:0 0 8px}
.lead{margin:0 0 16px;color:var(--soft);max-width:76ch}
.note{margin:6px 0 0;color:var(--soft);font-size:13px;overflow-wrap:anywhere}
.note+.cards{margin-top:14px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,330px),1fr));gap:16px}
.card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:16px 18px;min-width:0}
.big{margin:6px 0 6px;font-size:34px;line-height:1.1;font-weight:650;letter-spacing:-.02em}
.big small{font-size:14px;font-weight:400;color:var(--soft);letter-spacing:0}
.facts{display:flex;justify-content:space-between;align-items:flex-end;gap:10px;margin:10px 0 0;max-width:380px}
.facts dt{color:var(--soft);font-size:12px;line-height:1.2;width:min-content}.facts dd{margin:0;font-weight:600;font-size:14px}
.swatch{display:inline-block;width:10px;height:10px;border-radius:3px;background:var(--agent);margin-right:7px}
.keys{list-style:none;margin:8px 0 0;padding:0;font-size:13px}
.keys li{display:flex;align-items:baseline;gap:2px;padding:1px 0}.keys bdi{overflow-wrap:anywhere;min-width:0}
.keys .value{margin-left:auto;padding-left:10px;color:var(--soft);white-space:nowrap}
.legend{display:flex;flex-wrap:wrap;gap:6px 16px;list-style:none;margin:0 0 14px;padding:0;font-size:13px;color:var(--soft)}
.legend li{display:flex;align-items:center;gap:6px}.legend .swatch{margin:0}
.scroll{position:relative;overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:14px}
table{border-collapse:separate;border-spacing:0;font-size:14px}
th{font-weight:600;text-align:left}
.grid-table{min-width:100%}.snug{width:fit-content;max-width:100%}.snug .grid-table{padding-right:16px}
.worth{display:inline-block;min-width:96px;margin-left:9px;text-align:left;color:var(--soft);font-size:13px;white-space:nowrap}
.grid-table td:has(.worth){text-align:left;padding-left:15px}
.grid-table th,.grid-table td{padding:4px 3px;text-align:center}
.grid-table thead th{color:var(--soft);font-size:13px;padding-top:10px;white-space:nowrap}
.grid-table thead th.agent{color:var(--ink);border-left:12px solid transparent;text-align:left;background-clip:padding-box}
.grid-table .sub{font-weight:400;font-size:12px;padding:0 0 4px}.grid-table .spelt{text-align:left;padding-left:15px;white-space:normal}
.grid-table tbody th,.grid-table thead tr:first-child th:first-child{position:sticky;left:0;background:var(--card);text-align:left;padding-left:16px;padding-right:14px;z-index:1}
.grid-table tbody th{font-weight:500;max-width:320px;min-width:150px;overflow-wrap:anywhere;line-height:1.25}
.grid-table tbody tr+tr>*{border-top:1px solid var(--faint)}
.grid-table tbody tr:last-child>*{padding-bottom:10px}
.tag{color:var(--soft);font-weight:400;font-size:12px}
.cell{display:inline-flex;width:28px;height:28px;border-radius:7px;align-items:center;justify-content:center;font-weight:700;font-size:13px;line-height:1}
.legend .cell{width:22px;height:22px;border-radius:6px;font-size:12px}
.bar{display:flex;width:100%;min-width:120px;height:16px;border-radius:5px;overflow:hidden}.bar.tall{height:22px;margin:8px 0}
.part{height:100%}
.fill{background:var(--agent)}
.s-gold{background:var(--gold);color:var(--gold-ink)}.s-silver{background:var(--silver);color:var(--silver-ink)}
.s-bronze{background:var(--bronze);color:var(--bronze-ink)}.s-above-median{background:var(--above);color:var(--above-ink)}
.s-valid{background:var(--valid);color:var(--valid-ink)}.s-invalid,.s-no-submission,.s-disqualified{background:var(--bad);color:var(--bad-ink)}
.s-ungraded{background:var(--faint);color:var(--soft);box-shadow:inset 0 0 0 1px var(--field-line)}
.s-missing{background:repeating-linear-gradient(45deg,var(--faint) 0 4px,var(--line) 4px 8px)}
.plain{width:100%}.plain th,.plain td{padding:7px 14px;vertical-align:top}
.plain thead th{color:var(--soft);font-size:13px;white-space:nowrap;border-bottom:1px solid var(--line)}
.plain tbody tr+tr>*{border-top:1px solid var(--faint)}
.plain tbody th{font-weight:500}
.plain .number{text-align:right}
.heat1{background:var(--heat1)}.heat2{background:var(--heat2)}.heat3{background:var(--heat3)}.heat4{background:var(--heat4)}
details{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:0 16px}
section>details{margin-top:16px}
details[open]{padding-bottom:14px}
details .scroll{border-radius:10px}
summary{cursor:pointer;padding:11px 0;font-weight:600}
.count{color:var(--soft);font-weight:400;margin-left:6px}
.stack{display:grid;gap:8px;margin-top:14px;grid-template-columns:minmax(0,1fr)}
.examples{list-style:none;margin:8px 0 0;padding:0}
.examples li{padding:9px 0;border-top:1px solid var(--faint)}
.examples p{margin:0;font-size:14px;overflow-wrap:anywhere}
.examples .evidence{font-size:13px;margin-top:3px}.where{color:var(--soft)}
code{font:13px/1.45 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;overflow-wrap:anywhere}
.evidence code{background:var(--faint);padding:1px 5px;border-radius:5px}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.chart{display:block;width:100%;height:auto;margin-top:8px;overflow:visible}
.chart text{fill:var(--soft);font-size:11px;font-family:inherit}
.chart .medal-letter{font-weight:700;fill:var(--ink)}
.axis,.grid{stroke:var(--line);stroke-width:1}
.mark{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}
.outer{fill:var(--agent);opacity:.18}.inner{fill:var(--agent);opacity:.4}
.seed{fill:var(--agent);stroke:var(--card);stroke-width:1}
.mean{stroke:var(--agent);stroke-width:3;stroke-linecap:round}
.field{fill:var(--field)}.field-line{fill:none;stroke:var(--field-line);stroke-width:1.5;stroke-linejoin:round}
.line-gold{stroke:var(--gold-line);stroke-width:1.6}.line-silver{stroke:var(--silver-line);stroke-width:1.6}
.line-bronze{stroke:var(--bronze-line);stroke-width:1.6}.line-median{stroke:var(--soft);stroke-width:1;stroke-dasharray:3 3}
.dot{fill:var(--agent);stroke:var(--card);stroke-width:1.3}
.dust{fill:var(--agent);opacity:.45}
.usage{fill:none;stroke:var(--agent);stroke-width:1.3;opacity:.7;stroke-linejoin:round}
.stair{fill:none;stroke:var(--agent);stroke-width:1.6;opacity:.75;stroke-linejoin:round}
.ring{fill:var(--card);stroke:var(--agent);stroke-width:2}
.lost{stroke:var(--agent);stroke-width:1.6;stroke-dasharray:1 3;stroke-linecap:round}
${AGENTS}
.plain tbody th:has(.swatch){white-space:nowrap}
.tree-box{overflow:auto;max-height:560px;background:var(--card)}
.tree{display:block}
.tree text{font-size:11px;fill:var(--soft);font-family:inherit;paint-order:stroke;stroke:var(--card);stroke-width:5px;stroke-linejoin:round}
.tree .is-best{fill:var(--ink);font-weight:650}
.edge{fill:none;stroke:var(--line);stroke-width:1.5}.edge.best{stroke:var(--ink);stroke-width:2.5}
.node circle{fill:var(--agent);stroke:var(--card);stroke-width:1.5}.node.buggy circle{fill:var(--card);stroke:var(--agent);stroke-width:2}
.swatch.hollow{background:none;box-shadow:inset 0 0 0 2px var(--soft)}
footer{margin-top:48px;padding-top:8px;padding-bottom:48px;border-top:1px solid var(--line)}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,400px),1fr));gap:8px 48px}
footer h2{font-size:17px;margin-top:22px}footer ul{margin:8px 0 0;padding-left:18px;color:var(--soft);font-size:14px}
footer li{margin:4px 0;overflow-wrap:anywhere}footer p{color:var(--soft);font-size:14px;margin:8px 0 0}footer h3{font-size:14px;margin-top:10px}footer .note{margin-top:22px;font-size:13px}
@media (max-width:560px){main,footer,.title,nav{padding-left:14px;padding-right:14px}.grid-table tbody th{min-width:118px;max-width:132px;font-size:12.5px;padding-left:10px;padding-right:8px}.cell{width:25px;height:25px}.card{padding:14px}.big{font-size:30px}.plain th,.plain td{padding:6px 9px}.tag:not(.warns){display:none}.worth{display:block;min-width:0;margin:1px 0 0;font-size:12px}}
@media print{#theme,nav,.skip{display:none}.card,.scroll,details{break-inside:avoid}body{background:#fff}}
`;
