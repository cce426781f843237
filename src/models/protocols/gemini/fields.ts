import type { JsonObject, JsonValue } from "../../call.ts";
import { isObject, objectOf } from "../json.ts";

/** An object with the names in camel case: the service takes `system_instruction` as well as `systemInstruction`. One level. */
export function camel(value: JsonValue | undefined): JsonObject {
  const object = objectOf(value);
  if (!Object.keys(object).some((key) => key.includes("_"))) return object;
  return Object.fromEntries(
    Object.entries(object).map(([key, inner]) => [
      key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
      inner,
    ]),
  );
}

/** A schema of the older kind (types in capitals, `nullable`) as JSON schema. */
export function jsonSchemaOf(value: JsonValue | undefined): JsonObject | null {
  if (!isObject(value)) return null;
  const schema: JsonObject = {};
  for (const [key, inner] of Object.entries(value)) {
    if (key === "type" && typeof inner === "string")
      schema.type = inner === "TYPE_UNSPECIFIED" ? "object" : inner.toLowerCase();
    else if (key === "properties" && isObject(inner)) {
      schema.properties = Object.fromEntries(
        Object.entries(inner).map(([name, property]) => [name, jsonSchemaOf(property) ?? property]),
      );
    } else if (key === "items") schema.items = jsonSchemaOf(inner) ?? inner;
    else if (key === "anyOf" && Array.isArray(inner))
      schema.anyOf = inner.map((option) => jsonSchemaOf(option) ?? option);
    else if (LIMITS.has(key) && typeof inner === "string") schema[key] = Number(inner);
    else if (key !== "nullable" && key !== "propertyOrdering") schema[key] = inner;
  }
  if (value.nullable === true && typeof schema.type === "string") schema.type = [schema.type, "null"];
  return schema;
}

/** Whole numbers of 64 bits are written as text. */
const LIMITS = new Set(["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"]);
