import path from "node:path";
import type { Node, Tree } from "web-tree-sitter";
import { type LanguageName, languageOf } from "../../repositories/parse/languages.ts";
import { notebookSource } from "../../repositories/parse/notebook.ts";
import { parserFor } from "../../repositories/parse/parser.ts";
import { walkTree } from "../../repositories/parse/walk-tree.ts";
import { argumentsAsShell, RUNS_SHELL } from "./shell-commands.ts";
import { notebookScript, shellLine, shellLines } from "./shell-lines.ts";
import { addAssignment, addChoice, addLabel, type Named } from "./written-labels.ts";
import { addLiteral, DICTIONARIES, LISTS, plainString, STRINGS, short } from "./written-values.ts";

/** Something in a source file, with its line from 1 and what stands there. */
export interface Seen {
  line: number;
  text: string;
}

/** A line of shell: whole in `value`, shortened in `text`. */
export interface ShellLine extends Seen {
  value: string;
}

/** A collection that is written out: every element is a literal. */
export interface Literal extends Seen {
  values: string[];
  /** Of a dictionary or an object; empty for a list. */
  keys: string[];
}

export interface Label extends Seen {
  names: string[];
  value: string;
  /** Texts of the place that is written to, where that is another one than `names`. */
  place: string[];
  /** The place reads as `test.loc[[3, 8], "y"]`: its numbers are rows, counted from 0. */
  byRow: boolean;
}

/** What a source file does, as far as rules ask. Comments and documentation are nowhere in it. */
export interface CodeFile {
  /** Relative to the trial's folder. */
  name: string;
  calls: (Seen & { callee: string })[];
  imports: (Seen & { module: string })[];
  strings: (Seen & { value: string })[];
  literals: Literal[];
  /** Where a condition or a place names texts, and one written value follows: `x.loc[x.id == "a"] = 1`, `if id == "a": return 1`. */
  labels: Label[];
  /** Integers too long for a count, which may be many answers in a row. */
  numbers: (Seen & { value: string })[];
  /** Lines of shell: of a script, of a notebook behind an exclamation mark, and what code has a shell do. */
  shell: ShellLine[];
  /** The shell's whole text, with the documents that stand in it, line for line; empty where there is none. */
  script: string;
  /** Names that stand for written texts: `OUT = "x.csv"`. */
  constants: { name: string; value: string }[];
}

/** A file in which nothing was seen yet. */
export const emptyView = (name: string): CodeFile => ({
  name,
  calls: [],
  imports: [],
  strings: [],
  literals: [],
  labels: [],
  numbers: [],
  shell: [],
  script: "",
  constants: [],
});

/** The view of one file; null for what is neither code nor a shell script, or cannot be parsed. */
export async function viewCode(name: string, text: string): Promise<CodeFile | null> {
  const empty = emptyView(name);
  if (/\.(sh|bash)$/i.test(name)) return { ...empty, shell: shellLines(text), script: text };
  const kind = languageOf(name);
  if (kind === null) return null;
  if (kind !== "notebook") return view(empty, kind, text);
  const notebook = notebookSource(text);
  if (notebook.status === "unreadable" || notebook.language === null) return null;
  const seen = await view(empty, notebook.language, notebook.text);
  const script = notebookScript(text);
  return seen === null ? null : { ...seen, shell: [...seen.shell, ...shellLines(script)], script };
}

async function view(file: CodeFile, language: LanguageName, text: string): Promise<CodeFile | null> {
  const parsed = (await parserFor(language)).parse(text);
  if (parsed.status !== "parsed") return null;
  try {
    collect(file, parsed.tree);
  } finally {
    parsed.tree.delete();
  }
  return file;
}

const CALLS = new Set(["call", "call_expression", "new_expression"]);
const IMPORTS = new Set(["import_statement", "import_from_statement"]);
const BINARY = new Set(["binary_operator", "binary_expression"]);
const CHOICES = new Set(["if_statement", "elif_clause", "conditional_expression"]);

function collect(file: CodeFile, tree: Tree): void {
  /** Lists of texts that have a name. */
  const named: Named = new Map();
  let binaryEnd = -1;
  walkTree(tree, (cursor) => {
    const type = cursor.nodeType;
    if (!cursor.nodeIsNamed) return "enter";
    const line = cursor.startPosition.row + 1;
    if (CALLS.has(type)) {
      const node = cursor.currentNode;
      const callee = node.childForFieldName("function") ?? node.childForFieldName("constructor");
      const name = callee?.text ?? "";
      const args = node.childForFieldName("arguments");
      file.calls.push({ line, text: short(node.text), callee: short(name) });
      if (RUNS_SHELL.test(name)) file.shell.push(shellLine(line, argumentsAsShell(node.text)));
      if (args && name === "c") addLiteral(file, args, line);
      if (args && JOINS.test(name))
        addPath(file, line, node.text, args.namedChildren.map(pathPart).join("/"));
      if (args && /(^|\.)(where|mask|ifelse|if_else)$/.test(name)) addLabel(file, named, args.namedChildren);
    } else if (BINARY.has(type)) {
      const node = cursor.currentNode;
      // The outermost one has all parts. Asking each for its parent would take as long as they are deep.
      if (cursor.startIndex >= binaryEnd) {
        binaryEnd = cursor.endIndex;
        addPath(file, line, node.text, pathPart(node));
      }
      if (/^(<-|=)$/.test(operatorOf(node))) addAssignment(file, named, node);
    } else if (ASSIGNMENTS.has(type)) addAssignment(file, named, cursor.currentNode);
    else if (CHOICES.has(type)) addChoice(file, named, cursor.currentNode);
    else if (IMPORTS.has(type)) {
      const text = short(cursor.currentNode.text);
      file.imports.push(...modulesOf(text).map((module) => ({ line, text, module })));
    } else if (STRINGS.has(type)) {
      const node = cursor.currentNode;
      // A string that nobody takes is documentation.
      if (node.parent?.type !== "expression_statement")
        file.strings.push({ line, text: short(node.text), value: plainString(node.text) });
      return "skip";
    } else if (/^(integer|number|float)$/.test(type)) {
      const value = cursor.nodeText;
      if (value.length >= LONG_NUMBER) file.numbers.push({ line, text: short(value), value });
    } else if (LISTS.has(type) || DICTIONARIES.has(type)) addLiteral(file, cursor.currentNode, line);
    return "enter";
  });
}

/** Ten answers are three digits; what counts seeds or bytes has fewer than these. */
const LONG_NUMBER = 12;
const ASSIGNMENTS = new Set(["assignment", "assignment_expression", "variable_declarator"]);
const JOINS = /(^|\.)(join|joinpath|Path|PurePath|PosixPath|resolve|file\.path)$/;
/** No person or model writes a path that is nested deeper than that. */
const MAX_PARTS = 50;

const operatorOf = (node: Node) => node.childForFieldName("operator")?.text ?? "";

/** A path that is put together from written parts; what is computed stands in it as `?`. */
function addPath(file: CodeFile, line: number, text: string, value: string): void {
  if (/[/\\]/.test(value) && /\w/.test(value.replaceAll("?", "")))
    file.strings.push({ line, text: short(text), value: value.replace(/\/{2,}/g, "/") });
}

function pathPart(node: Node | null, depth = 0): string {
  if (node === null || depth > MAX_PARTS) return "?";
  if (STRINGS.has(node.type)) return plainString(node.text);
  const operator = BINARY.has(node.type) ? operatorOf(node) : "";
  if (operator === "/" || operator === "+")
    return ["left", "right"]
      .map((side) => pathPart(node.childForFieldName(side), depth + 1))
      .join(operator === "/" ? "/" : "");
  if (node.type === "argument") return pathPart(node.childForFieldName("value"), depth + 1);
  const args = CALLS.has(node.type) ? node.childForFieldName("arguments") : null;
  const name = node.childForFieldName("function")?.text ?? "";
  if (args && JOINS.test(name)) return args.namedChildren.map((one) => pathPart(one, depth + 1)).join("/");
  return "?";
}

/** `import a.b as c, d` and `from a.b import c`; in JavaScript the text behind `from`. */
function modulesOf(text: string): string[] {
  const from = /^from\s+([\w.]+)\s+import\s+\(?\s*(\w*)/.exec(text);
  // `from google.cloud import storage` is `google.cloud.storage`.
  if (from) return [from[2] === "" ? from[1] : `${from[1]}.${from[2]}`];
  const script = /["']([^"']+)["']\s*;?\s*$/.exec(text);
  if (script) return [script[1]];
  return text
    .replace(/^import\s+/, "")
    .split(",")
    .map((part) => part.trim().split(/\s+as\s+/)[0])
    .filter((module) => /^[\w.]+$/.test(module));
}

/** Whether rules want to look at a file at all. */
export function isCode(name: string): boolean {
  return languageOf(name) !== null || /\.(sh|bash)$/i.test(path.posix.extname(name));
}
