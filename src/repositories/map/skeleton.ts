import { plural } from "../../wording/counts.ts";
import type { Module } from "../graphs/modules.ts";

/** A module as signatures with their first sentences, in source order; methods below their class. */
export function skeleton(
  module: Module,
  options: { docs: boolean; methods: boolean; private: boolean },
): string {
  const { outline } = module;
  const lines = [`## ${module.path} (${plural(outline.lines, "line")})`];
  if (options.docs && outline.doc !== "") lines.push(`"${outline.doc}"`);
  const depths = new Map<number, number>();
  for (const [index, definition] of outline.definitions.entries()) {
    const depth = definition.parent === -1 ? 0 : (depths.get(definition.parent) ?? 0) + 1;
    depths.set(index, depth);
    const inFunction = definition.parent !== -1 && outline.definitions[definition.parent].kind !== "class";
    if (inFunction || (depth > 0 && !options.methods)) continue;
    const isHelper = definition.name.startsWith("_") && definition.name !== "__init__";
    if (isHelper && !options.private) continue;
    const word = definition.kind === "class" ? "class" : "def";
    const doc = options.docs && definition.doc !== "" ? `  # ${definition.doc}` : "";
    lines.push(`${"  ".repeat(depth)}${word} ${definition.signature}  [${definition.line}]${doc}`);
  }
  return lines.join("\n");
}
