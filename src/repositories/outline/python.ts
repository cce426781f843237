import type { Node, Tree, TreeCursor } from "web-tree-sitter";
import { walkTree } from "../parse/walk-tree.ts";
import { beginOutline, type Definition, type Outline, openScopes, shorten } from "./outline.ts";
import { importsOf } from "./python-imports.ts";
import { optionOf } from "./python-options.ts";

const CALLEE = /^[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Nd}_]*(?:\.[\p{L}\p{Nl}_][\p{L}\p{Nl}\p{Mn}\p{Nd}_]*)*$/u;
const SUPER = /^super\(\)\.(\w+)$/;
const IDENTIFIER = /[\p{L}_][\p{L}\p{Nd}_]*/gu;
const BRANCHES = new Set([
  "if_statement",
  "elif_clause",
  "for_statement",
  "while_statement",
  "except_clause",
]);
/** Nothing below these is of interest, and there are many of them. */
const LEAVES = new Set(["comment", "integer", "float", "string_content", "identifier", "type"]);
const MAX_DOC = 240;
const MAX_SIGNATURE = 300;
const MAX_CALLEE = 200;

/** What a Python file declares, imports and calls, from its syntax tree. */
export function outlinePython(tree: Tree, text: string): Outline {
  const outline = beginOutline("python", tree.rootNode.hasError, text);
  outline.doc = docOf(tree.rootNode, text);
  const scopes = openScopes(outline);
  let blocks = 0;
  const bind = (names: Iterable<string>) => {
    const at = scopes.current();
    const bound = at === -1 ? outline.bound : outline.definitions[at].bound;
    for (const name of names) bound.add(name);
  };
  walkTree(
    tree,
    (cursor, depth) => {
      const type = cursor.nodeType;
      if (LEAVES.has(type)) return "skip";
      if (BRANCHES.has(type)) outline.branches++;
      switch (type) {
        case "block":
          blocks++;
          outline.nesting = Math.max(outline.nesting, blocks);
          break;
        case "class_definition":
        case "function_definition": {
          const definition = definitionOf(cursor.currentNode, text, outline.definitions, scopes.current());
          if (definition !== null) scopes.enter(definition, depth);
          break;
        }
        case "import_statement":
        case "import_from_statement":
        case "future_import_statement":
          outline.imports.push(...importsOf(cursor.currentNode, scopes.current()));
          return "skip";
        case "call":
          noteCall(cursor.currentNode, text, scopes.current(), outline);
          break;
        case "if_statement":
          if (depth === 1 && isMainGuard(cursor, text)) outline.isScript = true;
          break;
        default:
          bind(boundBy(type, cursor, text));
      }
      return "enter";
    },
    (cursor, depth) => {
      if (cursor.nodeType === "block") blocks--;
      scopes.leave(depth);
    },
  );
  return outline;
}

function definitionOf(
  node: Node,
  text: string,
  definitions: readonly Definition[],
  parent: number,
): Definition | null {
  const name = node.childForFieldName("name")?.text;
  if (!name) return null;
  const outer = parent === -1 ? null : definitions[parent];
  const isClass = node.type === "class_definition";
  const wrapper = node.parent?.type === "decorated_definition" ? node.parent : null;
  const decorators = wrapper ? decoratorsOf(wrapper) : [];
  const parameters = node.childForFieldName("parameters");
  const names = parameters ? parameterNames(parameters) : [];
  const isMethod = !isClass && outer?.kind === "class";
  const isStatic = decorators.includes("staticmethod");
  return {
    kind: isClass ? "class" : isMethod ? "method" : "function",
    name,
    qualified: outer ? `${outer.qualified}.${name}` : name,
    parent,
    line: (wrapper ?? node).startPosition.row + 1,
    endLine: node.endPosition.row + 1,
    signature: signatureOf(node, name, isClass),
    doc: docOf(node.childForFieldName("body"), text),
    bases: isClass ? basesOf(node) : [],
    decorators,
    bound: new Set(names),
    self: isMethod && !isStatic ? (names[0] ?? null) : null,
  };
}

function signatureOf(node: Node, name: string, isClass: boolean): string {
  if (isClass) return shorten(`${name}${node.childForFieldName("superclasses")?.text ?? ""}`, MAX_SIGNATURE);
  const returns = node.childForFieldName("return_type")?.text;
  const parameters = node.childForFieldName("parameters")?.text ?? "()";
  return shorten(`${name}${parameters}${returns ? ` -> ${returns}` : ""}`, MAX_SIGNATURE);
}

function decoratorsOf(wrapper: Node): string[] {
  return wrapper.namedChildren.flatMap((child) =>
    child?.type === "decorator" ? [shorten(child.text.replace(/^@\s*/, ""), 80)] : [],
  );
}

function basesOf(node: Node): string[] {
  const list = node.childForFieldName("superclasses")?.namedChildren ?? [];
  return list.flatMap((base) =>
    base && (base.type === "identifier" || base.type === "attribute") && CALLEE.test(base.text)
      ? [base.text]
      : [],
  );
}

function parameterNames(parameters: Node): string[] {
  return parameters.namedChildren.flatMap((child) => {
    if (!child || child.type === "comment") return [];
    const named = child.childForFieldName("name") ?? child;
    return [...named.text.slice(0, MAX_CALLEE).matchAll(IDENTIFIER)].slice(0, 1).map(([name]) => name);
  });
}

/** Names that a statement or expression binds. Comprehensions and lambdas count for the function around them. */
function boundBy(type: string, cursor: TreeCursor, text: string): string[] {
  switch (type) {
    case "assignment":
    case "augmented_assignment":
    case "for_statement":
    case "for_in_clause":
      return identifiersOf(cursor.currentNode.childForFieldName("left"), text);
    case "named_expression":
      return identifiersOf(cursor.currentNode.childForFieldName("name"), text);
    case "as_pattern_target":
    case "global_statement":
    case "nonlocal_statement":
    case "case_pattern":
      return identifiersOf(cursor.currentNode, text).filter(
        (name) => name !== "global" && name !== "nonlocal",
      );
    case "lambda_parameters":
      return parameterNames(cursor.currentNode);
    default:
      return [];
  }
}

function identifiersOf(target: Node | null, text: string): string[] {
  if (target === null || target.type === "attribute" || target.type === "subscript") return [];
  return text
    .slice(target.startIndex, Math.min(target.endIndex, target.startIndex + 2000))
    .split(/[,()[\]*]/)
    .map((part) => part.replace(/^\s*(global|nonlocal)\s/, "").trim())
    .filter((part) => /^[\p{L}_][\p{L}\p{Nd}_]*$/u.test(part));
}

function noteCall(node: Node, text: string, caller: number, outline: Outline): void {
  const target = node.childForFieldName("function");
  if (target === null || target.endIndex - target.startIndex > MAX_CALLEE) return;
  const callee = text.slice(target.startIndex, target.endIndex).replace(/\s+/g, "");
  const line = node.startPosition.row + 1;
  if (CALLEE.test(callee) || SUPER.test(callee)) outline.calls.push({ caller, callee, line });
  const option = optionOf(callee, node);
  if (option && outline.options.length < 100) outline.options.push(option);
}

/** The text of a string that stands first in a body. */
function docOf(body: Node | null, text: string): string {
  const first = body === null ? null : firstStatement(body);
  const string = first?.type === "expression_statement" ? first.namedChild(0) : first;
  if (string?.type !== "string") return "";
  const raw = text.slice(string.startIndex, Math.min(string.endIndex, string.startIndex + 2000));
  const plain = raw.replace(/^[a-zA-Z]*("""|'''|"|')/, "").replace(/("""|'''|"|')$/, "");
  return shorten(plain.trim().split(/\n\s*\n/)[0] ?? "", MAX_DOC);
}

function firstStatement(body: Node): Node | null {
  for (let at = 0; at < 50; at++) {
    const child = body.namedChild(at);
    if (child?.type !== "comment") return child;
  }
  return null;
}

function isMainGuard(cursor: TreeCursor, text: string): boolean {
  const condition = cursor.currentNode.childForFieldName("condition");
  if (!condition) return false;
  return /__name__\s*==\s*["']__main__["']/.test(text.slice(condition.startIndex, condition.endIndex));
}
