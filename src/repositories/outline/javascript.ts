import type { Node, Tree } from "web-tree-sitter";
import { walkTree } from "../parse/walk-tree.ts";
import {
  beginOutline,
  type CommandOption,
  type Definition,
  type Outline,
  openScopes,
  shorten,
} from "./outline.ts";

const FUNCTIONS = new Set(["arrow_function", "function_expression", "generator_function"]);
const BRANCHES = new Set([
  "if_statement",
  "for_statement",
  "for_in_statement",
  "while_statement",
  "catch_clause",
]);
const CALLEE = /^[\w$]+(\.[\w$]+)*$/;

/** The outline of a JavaScript file: functions, classes, methods, what it imports or requires, calls by name. */
export function outlineJavaScript(tree: Tree, text: string): Outline {
  const outline = beginOutline("javascript", tree.rootNode.hasError, text);
  outline.doc = shorten(leadingComment(text.slice(0, 4000)), 240);
  outline.isScript = text.startsWith("#!");
  outline.options = optionsIn(text);
  const scopes = openScopes(outline);
  walkTree(
    tree,
    (cursor, depth) => {
      const type = cursor.nodeType;
      if (BRANCHES.has(type)) outline.branches++;
      outline.nesting = Math.max(outline.nesting, scopes.depth());
      if (type === "import_statement" || type === "export_statement") {
        noteImport(cursor.currentNode, outline);
      } else if (type === "call_expression") {
        noteCall(cursor.currentNode, scopes.current(), outline);
      } else if (
        /^(function_declaration|generator_function_declaration|class_declaration|method_definition|variable_declarator)$/.test(
          type,
        )
      ) {
        const definition = definitionOf(cursor.currentNode, outline.definitions, scopes.current(), text);
        if (definition) scopes.enter(definition, depth);
      }
      return "enter";
    },
    (_, depth) => scopes.leave(depth),
  );
  return outline;
}

function definitionOf(
  node: Node,
  all: readonly Definition[],
  parent: number,
  text: string,
): Definition | null {
  const name = node.childForFieldName("name")?.text;
  const value = node.type === "variable_declarator" ? node.childForFieldName("value") : node;
  if (!name || !/^[#\w$]+$/.test(name) || !value) return null;
  if (node.type === "variable_declarator" && !FUNCTIONS.has(value.type)) return null;
  const outer = parent === -1 ? null : all[parent];
  const isClass = node.type === "class_declaration";
  const heritage = isClass
    ? node.namedChildren.find((child) => child?.type === "class_heritage")?.text
    : null;
  const parameters =
    value.childForFieldName("parameters")?.text ?? value.childForFieldName("parameter")?.text ?? "";
  return {
    kind: isClass ? "class" : node.type === "method_definition" ? "method" : "function",
    name,
    qualified: outer ? `${outer.qualified}.${name}` : name,
    parent,
    line: node.startPosition.row + 1,
    endLine: node.endPosition.row + 1,
    signature: shorten(isClass ? `${name}${heritage ? ` ${heritage}` : ""}` : `${name}${parameters}`, 300),
    doc: shorten(leadingComment(text.slice(Math.max(0, node.startIndex - 2000), node.startIndex), true), 240),
    bases:
      heritage && CALLEE.test(heritage.replace(/^extends\s+/, ""))
        ? [heritage.replace(/^extends\s+/, "")]
        : [],
    decorators: [],
    bound: new Set(),
    self: null,
  };
}

function noteImport(node: Node, outline: Outline): void {
  const source = node.childForFieldName("source")?.text.slice(1, -1);
  if (!source) return;
  outline.imports.push({
    module: source,
    level: source.startsWith(".") ? 1 : 0,
    name: null,
    alias: source,
    scope: -1,
    line: node.startPosition.row + 1,
  });
}

function noteCall(node: Node, caller: number, outline: Outline): void {
  const target = node.childForFieldName("function");
  if (!target || target.endIndex - target.startIndex > 200) return;
  const callee = target.text.replace(/\s+/g, "");
  const line = node.startPosition.row + 1;
  if (callee === "require" || callee === "import") {
    const source = node.childForFieldName("arguments")?.namedChild(0);
    if (source?.type !== "string") return;
    const module = source.text.slice(1, -1);
    outline.imports.push({
      module,
      level: module.startsWith(".") ? 1 : 0,
      name: null,
      alias: module,
      scope: caller,
      line,
    });
  } else if (CALLEE.test(callee)) outline.calls.push({ caller, callee, line });
}

/** Options in quotation marks, in a file that reads its command line at all. */
function optionsIn(text: string): CommandOption[] {
  if (!/process\.argv|parseArgs|commander|yargs/.test(text)) return [];
  const names = Array.from(text.matchAll(/["'`](--[a-z][\w-]{1,40})\b/g), ([, name]) => name);
  return [...new Set(names)].slice(0, 100).map((name) => ({ name, help: "" }));
}

/** The block comment at the beginning of a text, or the one directly before its end. */
function leadingComment(text: string, atEnd = false): string {
  const found = atEnd
    ? /\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?(?:const\s+|let\s+)?$/.exec(
        text,
      )
    : /^(?:#![^\n]*\n)?\s*\/\*\*?((?:(?!\*\/)[\s\S])*)\*\//.exec(text);
  return (found?.[1] ?? "").replace(/^\s*\*/gm, " ");
}
