/** Text that may hold anything, as Markdown shows it literally: no link, no table cell, no tag comes out of it. */
export function plainMarkdown(text: string): string {
  return text
    .replace(/\p{Cc}+/gu, " ")
    .replace(/&/g, "&amp;")
    .replace(/</g, "&lt;")
    .replace(/[\\`*_{}[\]|~]/g, (character) => `\\${character}`);
}

/** An item of a list: how somebody's set-up deviates from the canonical one. */
export function deviationItem(name: string, deviations: readonly string[]): string {
  return `- ${plainMarkdown(name)}: ${plainMarkdown(deviations.join("; ") || "none")}`;
}

/** A code span; the fence is longer than any row of backticks inside. */
export function codeSpan(text: string): string {
  const plain = text.replace(/\p{Cc}+/gu, " ").replaceAll("|", "¦");
  const longest = Math.max(0, ...[...plain.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = "`".repeat(longest + 1);
  const pad = longest > 0 ? " " : "";
  return `${fence}${pad}${plain}${pad}${fence}`;
}

/** Cells are Markdown already. Columns named in `right` are numbers. */
export function markdownTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  right: readonly number[] = [],
): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(header), line(header.map((_, i) => (right.includes(i) ? "--:" : "---"))), ...rows.map(line)];
}
