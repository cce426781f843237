import type { JsonObject, JsonValue } from "../call.ts";
import { isObject, parseJson, textOf } from "./json.ts";

/** Where a protocol takes only an object, text that is not one stands under this name, so that the tool can complain about it. */
const MALFORMED = "malformed_arguments";
/** A tool that takes any text is a function of this one argument where a protocol has no such tools. */
const CUSTOM_INPUT = "input";

/** The arguments of a function as an object: parsed, else repaired once, else kept as text under a telling name. */
export function argumentsObject(text: string): JsonObject {
  if (text.trim() === "") return {};
  const value = parseJson(text) ?? parseJson(repaired(text));
  if (isObject(value)) return value;
  return { [MALFORMED]: value === undefined ? text : value };
}

/** The text of arguments that came as an object; text that was wrapped by `argumentsObject` is unwrapped again. */
export function argumentsText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return "{}";
  if (typeof value === "string") return value;
  if (isObject(value) && Object.keys(value).length === 1) {
    const malformed = textOf(value[MALFORMED]);
    if (malformed !== null) return malformed;
  }
  return JSON.stringify(value);
}

export function isCompleteJson(text: string): boolean {
  return text.trim() === "" || parseJson(text) !== undefined;
}

export function customInputSchema(): JsonObject {
  return {
    type: "object",
    properties: { [CUSTOM_INPUT]: { type: "string", description: "The whole input of the tool, as text." } },
    required: [CUSTOM_INPUT],
    additionalProperties: false,
  };
}

export function wrapCustomInput(input: string): string {
  return JSON.stringify({ [CUSTOM_INPUT]: input });
}

/** The input of a custom tool that was called as a function; anything unexpected is handed on as it came. */
export function unwrapCustomInput(argumentsJson: string): string {
  return textOf(argumentsObject(argumentsJson)[CUSTOM_INPUT]) ?? argumentsJson;
}

/** Mistakes small models make: a stray quote or fence around the object, single quotes, a trailing comma. */
function repaired(text: string): string {
  const start = text.indexOf("{");
  const end = text.lastIndexOf("}");
  if (start < 0 || end < start) return text;
  const body = text.slice(start, end + 1).replace(/,\s*([}\]])/g, "$1");
  return body.includes('"') ? body : body.replaceAll("'", '"');
}
