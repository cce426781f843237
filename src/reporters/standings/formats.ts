import type { Standings } from "../../analysis/standings/schema.ts";
import { html, trusted } from "../html/markup.ts";
import type { Paint } from "../text/grade.ts";
import { textTable } from "../text/table.ts";
import { COLUMNS, type Column, notesOf, terminalColumns } from "./columns.ts";

const METHOD = [
  "Any medal in per cent of the competitions of each split: mean ± standard error over seeds.",
  "Trust: recomputed – every grade was worked out again here; attested – a signature covers it; declared – somebody says so; broken – the files contradict each other.",
  "NOT isolated: a trial ran as a plain process of the host and could have read the answers.",
  "Deviations are from 24 h, 36 vCPU, 440 GiB, one 24 GB A10 and at least 3 seeds. – means not known.",
];

/**
 * For a terminal: the main columns, as many as its width has room for, and below them what there is to say about each
 * experiment of one's own.
 */
export function standingsLines({ rows }: Standings, paint: Paint, width: number): string[] {
  const { columns, hidden } = terminalColumns(rows, width);
  const right = columns.flatMap((column, i) => (column.right ? [i] : []));
  const cells = rows.map((row) =>
    columns.map(({ text }, i) =>
      i === 0 && !row.published ? paint("bold", oneLine(text(row))) : oneLine(text(row)),
    ),
  );
  const lines = textTable([columns.map(({ title }) => paint("dim", title)), ...cells], right);
  lines.push("", paint("dim", `not shown: ${hidden.join(", ")}; --format markdown, csv or html has them`));
  for (const row of rows.filter(({ published }) => !published)) {
    lines.push("", paint("bold", oneLine(row.agent)), `  ${row.trust}: ${row.trustReason}`);
    lines.push(`  isolation: ${row.isolation ?? "not recorded"}`);
    lines.push(`  deviations: ${row.deviations.join("; ") || "none"}`);
    for (const note of notesOf(row)) lines.push(`  ${oneLine(note)}`);
  }
  return lines;
}

/** A Markdown table with every column, and the method below it. */
export function standingsMarkdown({ rows, createdAt, mlebenchVersion }: Standings): string {
  const line = (cells: readonly string[]) => `| ${cells.map(markdownCell).join(" | ")} |`;
  const rule = COLUMNS.map(({ right }) => (right ? "---:" : "---"));
  return [
    line(COLUMNS.map(({ title }) => title)),
    `| ${rule.join(" | ")} |`,
    ...rows.map((row) => line(COLUMNS.map(({ text }) => text(row)))),
    "",
    ...METHOD.map((sentence) => `${sentence}  `),
    `Made by mlebench ${mlebenchVersion}, ${createdAt}.`,
    "",
  ].join("\n");
}

/** One line a row; rates and errors are columns of their own, so that a spreadsheet can compute with them. */
export function standingsCsv({ rows }: Standings): string {
  const splits = ["low", "medium", "high", "all"] as const;
  const others = COLUMNS.filter(({ title }) => !title.endsWith("(%)"));
  const header = [
    ...splits.flatMap((split) => [`${split}_mean`, `${split}_sem`]),
    ...others.map(({ title }) => title.toLowerCase().replaceAll(/[ -]/g, "_")),
    "comparable",
    "published",
  ];
  const lines = rows.map((row) => [
    ...splits.flatMap((split) => [row[split]?.mean ?? "", row[split]?.sem ?? ""].map(String)),
    ...others.map(({ text }) => text(row)).map((text) => (text === "–" ? "" : text)),
    String(row.comparable),
    String(row.published),
  ]);
  return `${[header, ...lines].map((cells) => cells.map(csvCell).join(",")).join("\r\n")}\r\n`;
}

/** One file that works from disk, light and dark. */
export function standingsHtml({ rows, createdAt, mlebenchVersion }: Standings): string {
  const kind = ({ right, wide }: Column) => (right ? "number" : wide ? "wide" : "short");
  const head = COLUMNS.map((column) => html`<th scope="col" class="${kind(column)}">${column.title}</th>`);
  const body = rows.map((row) => {
    const [agent, ...rest] = COLUMNS;
    const cells = rest.map((column) => html`<td class="${kind(column)}">${column.text(row)}</td>`);
    return html`<tr class="${row.published ? "published" : "own"}"><th scope="row">${agent.text(row)}</th>${cells}</tr>
`;
  });
  const method = METHOD.map((sentence) => html`<p>${sentence}</p>`);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>Standings</title>
<style>${trusted(STYLE)}</style>
</head>
<body>
<main>
<h1>Standings</h1>
<div class="scroll" role="region" aria-label="Standings" tabindex="0">
<table>
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody>
</table>
</div>
${method}
<p>Made by mlebench ${mlebenchVersion}, ${createdAt}.</p>
</main>
</body>
</html>
`.markup;
}

const STYLE = `
:root { color-scheme: light dark; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 0; padding: 1rem; background: light-dark(#fff, #14171a); color: light-dark(#1a1d20, #e6e8ea); }
.scroll { overflow-x: auto; margin-bottom: 1rem; }
table { border-collapse: collapse; }
th, td { padding: .35rem .6rem; text-align: left; vertical-align: top; border-bottom: 1px solid light-dark(#d5d9dd, #363b40); }
tbody .short, .number { white-space: nowrap; }
.wide { min-width: 12rem; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.own { background: light-dark(#eef5ff, #16263a); }
tbody th { position: sticky; left: 0; background: light-dark(#fff, #14171a); }
.own th { background: light-dark(#eef5ff, #16263a); }
`;

/** A name from anywhere must neither end a cell nor bring markup. */
function markdownCell(text: string): string {
  return oneLine(text).replace(/[\\`*_[\]<>|]/g, (character) => `\\${character}`);
}

function csvCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

function oneLine(text: string): string {
  return text.replace(/[^\P{Cc}]+/gu, " ").trim();
}
