import { File, Region, type TokenizedFile } from "@dodona/dolos-core";
import type { Node } from "web-tree-sitter";
import { languageOf } from "../../../../src/repositories/parse/languages.ts";
import { notebookSource } from "../../../../src/repositories/parse/notebook.ts";
import { parserFor } from "../../../../src/repositories/parse/parser.ts";

/** A tree written down as Dolos documents it: every named node in brackets with its kind, comments left out. By recursion. */
export async function dolosTokens({ name, text }: { name: string; text: string }): Promise<string[]> {
  const kind = languageOf(name);
  const notebook = kind === "notebook" ? notebookSource(text) : null;
  if (kind === null || notebook?.status === "unreadable") throw new Error(`${name} cannot be parsed`);
  const language = kind === "notebook" ? notebook!.language! : kind;
  const parsed = (await parserFor(language)).parse(notebook?.text ?? text);
  if (parsed.status !== "parsed") throw new Error(parsed.status);
  const tokens: string[] = [];
  const write = (node: Node) => {
    const counts = !node.type.includes("comment");
    if (counts) tokens.push("(", node.type);
    for (const child of node.namedChildren) if (child) write(child);
    if (counts) tokens.push(")");
  };
  write(parsed.tree.rootNode);
  parsed.tree.delete();
  return tokens;
}

let count = 0;

/** As Dolos' index takes it; where tokens stand does not matter to a similarity. */
export function tokenisedFile(name: string, tokens: string[]): TokenizedFile {
  const mapping = tokens.map((_, i) => new Region(i, 0, i, 1));
  const file = new File(`${count++}-${name}`, "");
  return { ...file, file, tokens, mapping, id: file.id } as unknown as TokenizedFile;
}
