import type { ShellLine } from "./code-view.ts";
import { withoutDocuments } from "./shell-commands.ts";
import { short } from "./written-values.ts";

export const shellLine = (line: number, value: string): ShellLine => ({ line, text: short(value), value });

/** The lines of a script that are neither comments nor part of a document that another program is given. */
export function shellLines(text: string): ShellLine[] {
  const own = withoutDocuments(text, "gaps").split("\n");
  return own
    .map((line, i) => shellLine(i + 1, line.trim()))
    .filter(({ text: line }) => line !== "" && !line.startsWith("#"));
}

/** `!wget x`, `files = !ls`, `%sx ls`, `%system ls`. */
const COMMAND = /^\s*(?:\w+\s*=\s*)?(?:!{1,2}|%sx\s|%system\s)\s*(.+)$/;
/** A cell that a shell runs as a whole. */
const SHELL_CELL = /^\s*%%(bash|sh|script\b.*|system|!)\s*$/;
/** A cell that is written to a file. */
const FILE_CELL = /^\s*%%(?:writefile|file)\s+(?:-a\s+)?(\S+)/;

/** What a shell does in the code cells of a notebook, as one script; a cell that writes a file reads as a here-document. */
export function notebookScript(json: string): string {
  try {
    const { cells } = JSON.parse(json) as { cells?: { cell_type?: string; source?: unknown }[] };
    return (cells ?? [])
      .filter(({ cell_type: type }) => type === "code")
      .map(({ source }) => (Array.isArray(source) ? source.join("") : String(source ?? "")))
      .flatMap((source) => cellShell(source.split("\n")))
      .join("\n");
  } catch {
    return "";
  }
}

function cellShell(lines: readonly string[]): string[] {
  const [head = "", ...body] = lines;
  if (SHELL_CELL.test(head)) return ["", ...body];
  const file = FILE_CELL.exec(head)?.[1];
  if (file !== undefined) return [`cat > ${file} <<END_OF_CELL`, ...body, "END_OF_CELL"];
  return lines.map((line) => COMMAND.exec(line)?.[1] ?? "");
}
