import type { Node } from "web-tree-sitter";
import type { CodeFile } from "./code-view.ts";

export const STRINGS: ReadonlySet<string> = new Set(["string", "template_string", "concatenated_string"]);
export const LISTS: ReadonlySet<string> = new Set(["list", "tuple", "set", "array"]);
export const DICTIONARIES: ReadonlySet<string> = new Set(["dictionary", "object"]);

export const MAX_TEXT = 400;
export const MAX_ELEMENTS = 200_000;

export function short(text: string): string {
  return text.length <= MAX_TEXT ? text : `${text.slice(0, MAX_TEXT)}…`;
}

/** A collection whose elements are all written out. */
export function addLiteral(file: CodeFile, node: Node, line: number): void {
  const values: string[] = [];
  const keys: string[] = [];
  const children = node.namedChildren;
  if (children.length > MAX_ELEMENTS) return;
  for (const child of children) {
    // In the grammar of R a comma has a name.
    if (!child || child.type.includes("comment") || child.type === "comma") continue;
    const entry = entryOf(child);
    if (entry === null) return;
    values.push(entry.value);
    if (entry.key !== null) keys.push(entry.key);
  }
  if (keys.length > 0 && keys.length < values.length) return;
  if (values.length > 0) file.literals.push({ line, text: short(node.text), values, keys });
}

/** One element of a collection: `"a": 1` and `("a", 1)` have a key, `[1]` is 1. Null where something is computed. */
function entryOf(node: Node): { key: string | null; value: string } | null {
  const inner = node.namedChildren;
  const [key, value] =
    node.type === "pair"
      ? [node.childForFieldName("key"), node.childForFieldName("value")]
      : node.type === "argument"
        ? [null, node.childForFieldName("value") ?? node]
        : LISTS.has(node.type) && (inner.length === 1 || inner.length === 2)
          ? [inner.length === 2 ? inner[0] : null, inner[inner.length - 1]]
          : [null, node];
  const [name, text] = [key ? literalOf(key) : null, value ? literalOf(value) : null];
  return text === null || (key !== null && name === null) ? null : { key: name, value: text };
}

/** The text of a literal, as a CSV file would have it. Null for everything else. */
export function literalOf(node: Node): string | null {
  const { type, text } = node;
  if (/^(integer|float|number|true|false|none|null)$/.test(type)) return text.replace(/L$/, "");
  if (STRINGS.has(type))
    return node.namedChildren.some((one) => one?.type === "interpolation") ? null : plainString(text);
  if (/^(unary_operator|unary_expression)$/.test(type) && /^[-+]\s*[\d.]/.test(text))
    return text.replace(/\s+/g, "");
  if (type === "property_identifier") return text;
  return null;
}

export function plainString(text: string): string {
  return text.replace(/^[rbuf]{0,2}("""|'''|["'`])/i, "").replace(/("""|'''|["'`])$/, "");
}
