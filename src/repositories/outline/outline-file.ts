import { languageOf } from "../parse/languages.ts";
import { type CellLine, notebookSource } from "../parse/notebook.ts";
import { parserFor } from "../parse/parser.ts";
import { outlineJavaScript } from "./javascript.ts";
import type { Outline } from "./outline.ts";
import { outlinePython } from "./python.ts";
import { outlineR } from "./r.ts";

export type OutlinedFile =
  | { status: "outlined"; outline: Outline; cells: CellLine[] | null }
  | { status: "skipped"; why: string };

const WRITERS = { python: outlinePython, javascript: outlineJavaScript, r: outlineR };

/** What a source file declares; a notebook by its code cells. Null for a file that is not source. */
export async function outlineFile(name: string, text: string): Promise<OutlinedFile | null> {
  const kind = languageOf(name);
  if (kind === null) return null;
  let source = { language: kind === "notebook" ? null : kind, text, cells: null as CellLine[] | null };
  if (kind === "notebook") {
    const read = notebookSource(text);
    if (read.status === "unreadable") return { status: "skipped", why: `the notebook ${read.reason}` };
    source = { language: read.language, text: read.text, cells: read.lines };
  }
  if (source.language === null) return { status: "skipped", why: "a notebook of another language" };
  const parsed = (await parserFor(source.language)).parse(source.text);
  switch (parsed.status) {
    case "parsed":
      try {
        return {
          status: "outlined",
          outline: WRITERS[source.language](parsed.tree, source.text),
          cells: source.cells,
        };
      } finally {
        parsed.tree.delete();
      }
    case "too-large":
      return { status: "skipped", why: `over ${parsed.limit} characters` };
    case "too-slow":
      return { status: "skipped", why: `not parsed within ${parsed.milliseconds} ms` };
    case "failed":
      return { status: "skipped", why: `the parser failed: ${parsed.message}` };
  }
}
