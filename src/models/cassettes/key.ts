import { createHash } from "node:crypto";
import type { JsonValue } from "../call.ts";
import { normaliseRequest } from "./normalise.ts";

export interface RequestKey {
  key: string;
  parts: [string, string, string][];
}

export type Places = readonly (readonly [string, string])[];

/** The key under which a request is recorded, and its parts. */
export function requestKey(protocol: string, body: JsonValue, places: Places = []): RequestKey {
  const normal = normaliseRequest(body, places);
  const parts: RequestKey["parts"] = [];
  if (normal !== null && typeof normal === "object" && !Array.isArray(normal)) {
    for (const [name, value] of Object.entries(normal)) {
      if (Array.isArray(value))
        for (const [i, item] of value.entries()) parts.push(part(`/${name}/${i}`, item));
      else parts.push(part(`/${name}`, value));
    }
  } else parts.push(part("", normal));
  const all = createHash("sha256").update(protocol);
  for (const [pointer, hash] of parts) all.update(`\n${pointer} ${hash}`);
  return { key: all.digest("hex"), parts };
}

function part(pointer: string, value: JsonValue): [string, string, string] {
  const text = JSON.stringify(value);
  return [pointer, createHash("sha256").update(text).digest("hex").slice(0, 32), excerpt(text)];
}

/** The beginning, and the end where it is long: conversations differ at their ends. */
function excerpt(text: string): string {
  return text.length <= 160 ? text : `${text.slice(0, 100)} … ${text.slice(-50)}`;
}
