import { endOfText } from "../protocols/edit-body.ts";

const QUOTE = 0x22;

export interface BodyShape {
  /** A key that one object has twice, or null. Parsers disagree on which one counts, so nobody may rely on either. */
  duplicateKey: string | null;
  /** Where the body can be cut so that a growing conversation shares all but its last pieces with its earlier self. */
  cuts: number[];
  /** Objects and lists inside each other. */
  depth: number;
  /** Objects, lists and what stands in them: what parsing it costs. */
  values: number;
}

/**
 * Walks over the bytes of a JSON text, which may be none at all: what it says then means nothing, and parsing will tell. Cuts lie
 * before each top-level member and before each element of a top-level array, which is what messages, tools and system blocks are in
 * all four protocols. A text of more than `maxValues` is not walked to its end.
 */
export function shapeOf(body: Uint8Array, maxValues = Number.POSITIVE_INFINITY): BodyShape {
  const cuts: number[] = [];
  /** The keys of each open object, once it has one; a list has none. */
  const objects: (Set<string> | "no keys yet" | null)[] = [];
  let duplicateKey: string | null = null;
  let expectKey = false;
  let depth = 0;
  let values = 1;
  for (let at = 0; at < body.length && values <= maxValues; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      const end = endOfText(body, at);
      const keys = objects.at(-1);
      if (expectKey && keys != null) {
        const key = keyText(body, at, end);
        if (keys === "no keys yet") objects[objects.length - 1] = new Set([key]);
        else if (keys.has(key)) duplicateKey ??= key;
        else keys.add(key);
        if (objects.length === 1) cuts.push(at);
        expectKey = false;
      }
      at = end - 1;
    } else if (byte === 0x7b) {
      if (objects.length === 2 && objects[1] === null) cuts.push(at);
      objects.push("no keys yet");
      values++;
      depth = Math.max(depth, objects.length);
      expectKey = true;
    } else if (byte === 0x5b) {
      objects.push(null);
      values++;
      depth = Math.max(depth, objects.length);
      expectKey = false;
    } else if (byte === 0x7d || byte === 0x5d) {
      objects.pop();
      expectKey = false;
    } else if (byte === 0x2c) {
      expectKey = objects.at(-1) != null;
      values++;
    }
  }
  return { duplicateKey, cuts, depth, values };
}

/** Without its escapes, since an escaped key is the same key. */
function keyText(body: Uint8Array, start: number, end: number): string {
  const text = Buffer.from(body.buffer, body.byteOffset + start + 1, end - start - 2).toString("utf8");
  if (!text.includes("\\")) return text;
  try {
    return JSON.parse(`"${text}"`) as string;
  } catch {
    return text;
  }
}
