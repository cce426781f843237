import type { Standings } from "../../analysis/standings/schema.ts";
import { html } from "../html/markup.ts";
import type { Paint } from "../text/grade.ts";
import { textTable } from "../text/table.ts";
import { COLUMNS, type Column, notesOf, terminalColumns } from "./columns.ts";
import { METHOD } from "./method.ts";

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

/** Every column as a plain table, escaped, for the page in a file. */
export function standingsTable({ rows, createdAt, mlebenchVersion }: Standings): string {
  const kind = ({ right }: Column) => (right ? "number" : "");
  const head = COLUMNS.map((column) => html`<th scope="col" class="${kind(column)}">${column.title}</th>`);
  const body = rows.map((row) => {
    const [agent, ...rest] = COLUMNS;
    const cells = rest.map((column) => html`<td class="${kind(column)}">${column.text(row)}</td>`);
    return html`<tr class="${row.published ? "published" : "own"}"><th scope="row">${agent.text(row)}</th>${cells}</tr>
`;
  });
  return html`<main><h1>Standings</h1>
<div class="scroll" role="region" aria-label="Standings" tabindex="0"><table class="plain">
<thead><tr>${head}</tr></thead>
<tbody>
${body}</tbody>
</table></div>
${METHOD.map((sentence) => html`<p class="note">${sentence}</p>`)}
<p class="note">Made by mlebench ${mlebenchVersion}, ${createdAt}.</p></main>`.markup;
}

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
