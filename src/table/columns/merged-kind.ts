import type { Block, Kind } from "./column.ts";

/**
 * How pandas joins blocks that were typed apart: numbers stay numbers, anything else becomes a column of objects.
 * A block without any value is NaN throughout and fits every other.
 */
export function mergedKind(blocks: Block[]): Kind {
  if (blocks.length === 0) return "none";
  const kinds = new Set(blocks.map((block) => block.kind));
  const gaps = kinds.delete("missing");
  if ([...kinds].every((kind) => isNumber(kind))) return joinedNumbers(kinds, gaps);
  const [first] = kinds;
  return kinds.size > 1 ? "mixed" : (first as Kind);
}

function isNumber(kind: Block["kind"]): boolean {
  return kind === "int" || kind === "uint" || kind === "float" || kind === "bool";
}

/** As numpy joins arrays: booleans beside numbers are 0 and 1, signed beside unsigned integers are floats. */
function joinedNumbers(kinds: ReadonlySet<Block["kind"]>, gaps: boolean): Kind {
  const [first, ...others] = [...kinds].filter((kind) => kind !== "bool");
  if (gaps || others.length > 0) return "float";
  return (first ?? "bool") as Kind;
}
