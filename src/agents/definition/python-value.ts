import { floatText } from "../../table/python-text.ts";
import type { YamlValue } from "./schema.ts";

/**
 * A YAML value as the original hands it to an agent: Python's `str` of it, so `true` becomes `True` and nothing
 * becomes `None`.
 */
export function pythonValue(value: YamlValue): string {
  return typeof value === "string" ? value : quoted(value);
}

function quoted(value: YamlValue): string {
  if (value === null || value === undefined) return "None";
  switch (typeof value) {
    case "string":
      return quotedText(value);
    case "boolean":
      return value ? "True" : "False";
    case "bigint":
      return String(value);
    case "number":
      return floatText(value);
  }
  if (isList(value)) return `[${value.map(quoted).join(", ")}]`;
  const items = Object.entries(value).map(([key, item]) => `${quotedText(key)}: ${quoted(item)}`);
  return `{${items.join(", ")}}`;
}

function quotedText(text: string): string {
  const mark = text.includes("'") && !text.includes('"') ? '"' : "'";
  const escaped = text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll("\t", "\\t");
  return mark + escaped.replaceAll(mark, `\\${mark}`) + mark;
}

function isList(value: readonly YamlValue[] | { [key: string]: YamlValue }): value is readonly YamlValue[] {
  return Array.isArray(value);
}
