import { generalText } from "../cells/float-format.ts";
import { unicodeEscape } from "./unicode-escape.ts";
import type { JsonSource } from "./value.ts";

// JSON.stringify leaves slashes and everything beyond ASCII alone; pandas escapes both, but not U+007F.
const ESCAPED_BY_PANDAS = /[/\x80-\uffff]/g;
const DECIMALS = 10;

/**
 * One record as a line of pandas' `to_json(orient="records", lines=True)`, without the line end. Floats are cut to ten decimals, so this
 * loses digits on purpose; NaN and the infinities become `null`. A number prints as a float: 1 becomes `1.0`, 1n becomes `1`.
 */
export function pandasJson(value: JsonSource): string {
  switch (typeof value) {
    case "string":
      return pandasJsonString(value);
    case "number":
      return Number.isFinite(value) ? pandasJsonFloat(value) : "null";
    case "object":
      return value === null ? "null" : containerText(value);
    default:
      return String(value);
  }
}

/** A float inside pandas' JSON: at least one decimal, at most ten. Ties go up when nothing or an odd digit stands before them. */
export function pandasJsonFloat(value: number): string {
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-15 || size > 1e16)) return generalText(value, DECIMALS);
  let whole = Math.trunc(size);
  const scaled = (size - whole) * 10 ** DECIMALS;
  let fraction = Math.trunc(scaled);
  const rest = scaled - fraction;
  if (rest > 0.5 || (rest === 0.5 && (fraction === 0 || fraction % 2 === 1))) fraction++;
  if (fraction >= 10 ** DECIMALS) {
    fraction = 0;
    whole++;
  }
  const digits = fraction === 0 ? "0" : String(fraction).padStart(DECIMALS, "0").replace(/0+$/, "");
  return `${value < 0 ? "-" : ""}${whole}.${digits}`;
}

function containerText(value: Iterable<JsonSource> | ReadonlyMap<string, JsonSource>): string {
  if (!(value instanceof Map)) return `[${Array.from(value as Iterable<JsonSource>, pandasJson).join(",")}]`;
  const members = Array.from(
    value as ReadonlyMap<string, JsonSource>,
    ([key, member]) => `${pandasJsonString(key)}:${pandasJson(member)}`,
  );
  return `{${members.join(",")}}`;
}

function pandasJsonString(text: string): string {
  return JSON.stringify(text).replace(ESCAPED_BY_PANDAS, escaped);
}

function escaped(unit: string): string {
  return unit === "/" ? "\\/" : unicodeEscape(unit);
}
