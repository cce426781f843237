import type { Node, Tree } from "web-tree-sitter";
import { walkTree } from "../parse/walk-tree.ts";
import { beginOutline, type Definition, type Outline, openScopes, shorten } from "./outline.ts";

const LOADS = new Set(["library", "require", "requireNamespace", "source"]);
const BRANCHES = new Set(["if_statement", "for_statement", "while_statement", "repeat_statement"]);

/** The outline of an R file: functions by assignment, what it loads and sources, calls by name. */
export function outlineR(tree: Tree, text: string): Outline {
  const outline = beginOutline("r", tree.rootNode.hasError, text);
  outline.isScript = text.startsWith("#!");
  const scopes = openScopes(outline);
  walkTree(
    tree,
    (cursor, depth) => {
      const type = cursor.nodeType;
      if (BRANCHES.has(type)) outline.branches++;
      outline.nesting = Math.max(outline.nesting, scopes.depth());
      if (type === "binary_operator") {
        const definition = definitionOf(cursor.currentNode, outline.definitions, scopes.current());
        if (definition) scopes.enter(definition, depth);
      } else if (type === "call") noteCall(cursor.currentNode, scopes.current(), outline);
      return "enter";
    },
    (_, depth) => scopes.leave(depth),
  );
  return outline;
}

function definitionOf(node: Node, all: readonly Definition[], parent: number): Definition | null {
  const operator = node.childForFieldName("operator")?.text;
  const value = node.childForFieldName("rhs");
  const name = node.childForFieldName("lhs");
  if (!/^(<-|<<-|=)$/.test(operator ?? "") || value?.type !== "function_definition") return null;
  if (name?.type !== "identifier") return null;
  const outer = parent === -1 ? null : all[parent];
  return {
    kind: "function",
    name: name.text,
    qualified: outer ? `${outer.qualified}.${name.text}` : name.text,
    parent,
    line: node.startPosition.row + 1,
    endLine: node.endPosition.row + 1,
    signature: shorten(`${name.text}${value.childForFieldName("parameters")?.text ?? "()"}`, 300),
    doc: "",
    bases: [],
    decorators: [],
    bound: new Set(),
    self: null,
  };
}

function noteCall(node: Node, caller: number, outline: Outline): void {
  const target = node.childForFieldName("function");
  if (!target || target.endIndex - target.startIndex > 200) return;
  const line = node.startPosition.row + 1;
  if (!LOADS.has(target.text)) {
    if (/^[\w.:]+$/.test(target.text)) outline.calls.push({ caller, callee: target.text, line });
    return;
  }
  const module = node
    .childForFieldName("arguments")
    ?.namedChild(0)
    ?.text.replace(/^["']|["']$/g, "");
  if (!module || !/^[\w./-]{1,200}$/.test(module)) return;
  const level = target.text === "source" ? 1 : 0;
  outline.imports.push({ module, level, name: null, alias: module, scope: caller, line });
}
