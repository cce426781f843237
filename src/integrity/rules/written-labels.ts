import type { Node } from "web-tree-sitter";
import type { CodeFile } from "./code-view.ts";
import { LISTS, literalOf, MAX_ELEMENTS, MAX_TEXT, plainString, STRINGS, short } from "./written-values.ts";

/** Texts of lists that have a name. */
export type Named = Map<string, string[]>;

const CALLS = new Set(["call", "call_expression", "new_expression"]);

/** `x[… "a" …] = 1`, where the texts stand in the place itself or in a list that it names. */
export function addAssignment(file: CodeFile, named: Map<string, string[]>, node: Node): void {
  const left =
    node.childForFieldName("left") ?? node.childForFieldName("lhs") ?? node.childForFieldName("name");
  const right =
    node.childForFieldName("right") ?? node.childForFieldName("rhs") ?? node.childForFieldName("value");
  if (left?.type === "identifier" && right) {
    const isList = LISTS.has(right.type) || CALLS.has(right.type) || STRINGS.has(right.type);
    const texts = isList ? textsIn(right, new Map()) : [];
    if (texts.length > 0) named.set(left.text, texts);
    addConstants(file, left.text, right);
    return;
  }
  addLabel(file, named, [left, right]);
  if (left && right) addMembership(file, named, left, right);
}

const MAX_PARTS = 5;

/** `OUT = "x.csv"`, `OUT = Path("work") / "x.csv"`. */
function addConstants(file: CodeFile, name: string, right: Node): void {
  if (right.endIndex - right.startIndex > MAX_TEXT) return;
  for (const one of [right, ...right.descendantsOfType([...STRINGS]).slice(0, MAX_PARTS)])
    if (one !== null && STRINGS.has(one.type)) file.constants.push({ name, value: plainString(one.text) });
}

const ASKS_FOR_MEMBERS = /\.isin\(|\bin\s|%in%|\.(includes|has)\(/;
/** Fewer are a corner case that somebody mends. */
const MIN_MEMBERS = 5;

/** `x["y"] = x["id"].isin(["a", …])`: those that are listed are answered with yes. */
function addMembership(file: CodeFile, named: Named, left: Node, right: Node): void {
  if (literalOf(right) !== null || !ASKS_FOR_MEMBERS.test(right.text)) return;
  const names = textsIn(right, named);
  if (names.length < MIN_MEMBERS) return;
  file.labels.push({
    line: left.startPosition.row + 1,
    text: short(isShort(left.parent) ? left.parent.text : left.text),
    names,
    value: /^[(\s]*(~|!|not\b)/.test(right.text) ? "False" : "True",
    place: textsIn(left, new Map()),
    byRow: false,
  });
}

/** `if id == "a": return 1`, and the same as an expression. */
export function addChoice(file: CodeFile, named: ReadonlyMap<string, string[]>, node: Node): void {
  if (node.type === "conditional_expression") {
    const [value, condition] = node.namedChildren;
    addLabel(file, named, [condition, value]);
    return;
  }
  const body = node.childForFieldName("consequence");
  const first = body?.namedChildren.find((one) => one !== null && !one.type.includes("comment")) ?? body;
  const inner = first?.type === "expression_statement" ? first.namedChildren[0] : first;
  const value = inner?.childForFieldName("right") ?? inner?.namedChildren.at(-1) ?? null;
  addLabel(file, named, [node.childForFieldName("condition"), value]);
}

export function addLabel(
  file: CodeFile,
  named: ReadonlyMap<string, string[]>,
  [place, value]: readonly (Node | null | undefined)[],
): void {
  const written = value ? literalOf(value) : null;
  const names = place && written !== null ? textsIn(place, named) : [];
  if (written !== null && place && names.length > 0)
    file.labels.push({
      line: place.startPosition.row + 1,
      text: short(isShort(place.parent) ? place.parent.text : place.text),
      names,
      value: written,
      place: [],
      byRow: BY_ROW.test(place.text.slice(0, MAX_TEXT)) && !/^\s*train/i.test(place.text),
    });
}

const BY_ROW = /\b(i?loc|i?at)\s*\[/;

const isShort = (node: Node | null): node is Node =>
  node !== null && node.endIndex - node.startIndex <= MAX_TEXT;

/** Names in one text: `"a b c".split()`. */
function partsOf(text: string): string[] {
  const plain = plainString(text);
  const parts =
    plain.length <= MAX_LISTED ? plain.split(/[\s,;|"'()[\]=]+/).filter((part) => part !== "") : [];
  return parts.length > 1 ? [plain, ...parts] : [plain];
}

const MAX_LISTED = 200_000;

/** All written texts and numbers below a node, and those of the lists it names. */
function textsIn(node: Node, named: ReadonlyMap<string, string[]>): string[] {
  return node
    .descendantsOfType([...STRINGS, "integer", "float", "number", "identifier"])
    .slice(0, MAX_ELEMENTS)
    .flatMap((one) => {
      if (one === null) return [];
      if (one.type === "identifier") return named.get(one.text) ?? [];
      return STRINGS.has(one.type) ? partsOf(one.text) : [one.text];
    });
}
