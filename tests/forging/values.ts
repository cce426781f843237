import type { z } from "zod";

/** One way to change a JSON value, generated from its schema. Returns nothing: it changes what it is given. */
export interface Edit {
  name: string;
  apply(root: unknown): void;
}

type Path = readonly (string | number)[];
interface Def {
  type: string;
  shape?: Record<string, z.ZodType>;
  element?: z.ZodType;
  innerType?: z.ZodType;
  valueType?: z.ZodType;
  options?: z.ZodType[];
  entries?: Record<string, string>;
}

/**
 * Every edit of a value that its schema suggests: each field changed, dropped or emptied, and each field that the schema
 * knows and the value lacks put in. Fields that the schema does not know are edited, too.
 */
export function editsOf(schema: z.ZodType, value: unknown, path: Path = []): Edit[] {
  const at = path.join(".") || "all of it";
  const here: Edit[] =
    path.length === 0
      ? []
      : [
          { name: `drop ${at}`, apply: (root) => drop(root, path) },
          ...otherValues(schema, value).map((other) => ({
            name: `change ${at} to ${JSON.stringify(other)?.slice(0, 40)}`,
            apply: (root: unknown) => put(root, path, other),
          })),
        ];
  if (Array.isArray(value)) {
    const element = inner(schema, value).element;
    const ends = [...new Set([0, value.length - 1])].filter((i) => i >= 0);
    const doubled = { name: `double the last of ${at}`, apply: (root: unknown) => double(root, path) };
    return [
      ...here,
      ...(value.length > 0 ? [doubled] : []),
      ...ends.flatMap((i) => editsOf(element ?? schema, value[i], [...path, i])),
    ];
  }
  if (typeof value !== "object" || value === null) return here;
  const { shape = {}, valueType } = inner(schema, value);
  const known = Object.entries(value).flatMap(([key, item]) =>
    editsOf(shape[key] ?? valueType ?? schema, item, [...path, key]),
  );
  const lacking = Object.keys(shape).filter((key) => !(key in value));
  const added = [...lacking, "nobodyKnows"].map((key) => ({
    name: `add ${[...path, key].join(".")}`,
    apply: (root: unknown) => put(root, [...path, key], "forged"),
  }));
  return [...here, ...known, ...added];
}

/** The definition behind optional, nullable and union wrappers that fits the value. */
function inner(schema: z.ZodType, value: unknown): Def {
  const def = schema._zod.def as unknown as Def;
  if (def.innerType !== undefined) return inner(def.innerType, value);
  if (def.options !== undefined)
    return inner(def.options.find((option) => option.safeParse(value).success) ?? def.options[0], value);
  return def;
}

function otherValues(schema: z.ZodType, value: unknown): unknown[] {
  const { type, entries } = inner(schema, value);
  if (type === "enum" && entries !== undefined)
    return Object.values(entries)
      .filter((entry) => entry !== value)
      .slice(0, 1);
  switch (typeof value) {
    case "string":
      return [`${value}x`, ""].filter((other) => other !== value);
    case "number":
      return [value + 1, value === 0 ? 7 : 0];
    case "boolean":
      return [!value];
    default:
      return value === null ? ["forged", 1] : [null];
  }
}

// biome-ignore lint/suspicious/noExplicitAny: a forger has no types.
function parentOf(root: any, path: Path): any {
  return path.slice(0, -1).reduce((value, key) => value[key], root);
}

function put(root: unknown, path: Path, value: unknown): void {
  parentOf(root, path)[path.at(-1)!] = value;
}

function drop(root: unknown, path: Path): void {
  const parent = parentOf(root, path);
  if (Array.isArray(parent)) parent.splice(Number(path.at(-1)), 1);
  else delete parent[path.at(-1)!];
}

function double(root: unknown, path: Path): void {
  // biome-ignore lint/suspicious/noExplicitAny: see above.
  const list = path.reduce((value: any, key) => value[key], root);
  list.push(structuredClone(list.at(-1)));
}
