/**
 * JSON as Python sees it: a bigint is an `int`, a number is a `float`, an object is a Map, because a plain object
 * would reorder keys that look like integers. NaN and the infinities are legal.
 */
export type JsonValue = null | boolean | string | number | bigint | JsonValue[] | JsonObject;

export type JsonObject = Map<string, JsonValue>;

/** What the writers take: a list may also be any iterable, so that a long one is produced element by element. */
export type JsonSource =
  | null
  | boolean
  | string
  | number
  | bigint
  | Iterable<JsonSource>
  | ReadonlyMap<string, JsonSource>;
