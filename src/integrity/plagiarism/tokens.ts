import { type LanguageName, languageOf } from "../../repositories/parse/languages.ts";
import { notebookSource } from "../../repositories/parse/notebook.ts";
import { parserFor } from "../../repositories/parse/parser.ts";
import { walkTree } from "../../repositories/parse/walk-tree.ts";
import { tokenHash } from "./winnow.ts";

/** A source file as what it does, not how it is called or laid out: the kinds of its syntax nodes, comments left out. */
export interface TokenRow {
  language: LanguageName;
  tokens: Int32Array;
  /** The line of the source, from 1, on which each token begins. */
  lines: Int32Array;
  /** What was parsed; of a notebook its code cells. */
  source: string;
}

export type Tokenised = { status: "read"; row: TokenRow } | { status: "skipped"; why: string };

/** Beyond these a file is data that looks like code. */
const MAX_TOKENS = 2_000_000;

/** Every named node opens and closes, as Dolos writes trees down. */
export async function tokenise(fileName: string, text: string): Promise<Tokenised> {
  const kind = languageOf(fileName);
  if (kind === null) return { status: "skipped", why: "it is not in a language we parse" };
  if (kind !== "notebook") return tokeniseSource(kind, text);
  const notebook = notebookSource(text);
  if (notebook.status === "unreadable") return { status: "skipped", why: `it ${notebook.reason}` };
  if (notebook.language === null)
    return { status: "skipped", why: "its cells are not in a language we parse" };
  return tokeniseSource(notebook.language, notebook.text);
}

async function tokeniseSource(language: LanguageName, source: string): Promise<Tokenised> {
  const parsed = (await parserFor(language)).parse(source);
  if (parsed.status !== "parsed") return { status: "skipped", why: whyNot(parsed) };
  const { tree } = parsed;
  const tokens: number[] = [];
  const lines: number[] = [];
  const push = (hash: number, row: number) => {
    tokens.push(hash);
    lines.push(row + 1);
  };
  let tooMany = false;
  try {
    walkTree(
      tree,
      (cursor) => {
        if (tooMany || !isToken(cursor.nodeIsNamed, cursor.nodeType)) return tooMany ? "skip" : "enter";
        const { row } = cursor.startPosition;
        push(OPEN, row);
        push(hashOf(cursor.nodeType), row);
        tooMany = tokens.length > MAX_TOKENS;
        return "enter";
      },
      (cursor) => {
        if (isToken(cursor.nodeIsNamed, cursor.nodeType)) push(CLOSE, cursor.startPosition.row);
      },
    );
  } finally {
    tree.delete();
  }
  if (tooMany) return { status: "skipped", why: `it has more than ${MAX_TOKENS} tokens` };
  return {
    status: "read",
    row: { language, tokens: Int32Array.from(tokens), lines: Int32Array.from(lines), source },
  };
}

const OPEN = tokenHash("(");
const CLOSE = tokenHash(")");
const known = new Map<string, number>();

function hashOf(type: string): number {
  let hash = known.get(type);
  if (hash === undefined) {
    hash = tokenHash(type);
    known.set(type, hash);
  }
  return hash;
}

function isToken(named: boolean, type: string): boolean {
  return named && !type.includes("comment");
}

function whyNot(
  parsed: Exclude<Awaited<ReturnType<Awaited<ReturnType<typeof parserFor>>["parse"]>>, { status: "parsed" }>,
): string {
  switch (parsed.status) {
    case "too-large":
      return `it has ${parsed.characters} characters, more than ${parsed.limit}`;
    case "too-slow":
      return `it could not be parsed within ${parsed.milliseconds} ms`;
    case "failed":
      return "it cannot be parsed";
  }
}
