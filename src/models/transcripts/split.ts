const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export interface BodyShape {
  /** A key that one object has twice, or null. Parsers disagree on which one counts, so nobody may rely on either. */
  duplicateKey: string | null;
  /** Where the body can be cut so that a growing conversation shares all but its last pieces with its earlier self. */
  cuts: number[];
  /** Objects and lists inside each other. */
  depth: number;
}

/**
 * Walks over the bytes of a JSON text that has been parsed before. Cuts lie before each top-level member and before each
 * element of a top-level array, which is what messages, tools and system blocks are in all four protocols.
 */
export function shapeOf(body: Uint8Array): BodyShape {
  const cuts: number[] = [];
  const objects: (Set<string> | null)[] = [];
  let duplicateKey: string | null = null;
  let expectKey = false;
  let depth = 0;
  for (let at = 0; at < body.length; at++) {
    const byte = body[at];
    if (byte === QUOTE) {
      const end = endOfString(body, at);
      const keys = objects.at(-1);
      if (expectKey && keys) {
        const key = keyText(body, at, end);
        if (keys.has(key)) duplicateKey ??= key;
        keys.add(key);
        if (objects.length === 1) cuts.push(at);
        expectKey = false;
      }
      at = end - 1;
    } else if (byte === 0x7b) {
      if (objects.length === 2 && objects[1] === null) cuts.push(at);
      objects.push(new Set());
      depth = Math.max(depth, objects.length);
      expectKey = true;
    } else if (byte === 0x5b) {
      objects.push(null);
      depth = Math.max(depth, objects.length);
      expectKey = false;
    } else if (byte === 0x7d || byte === 0x5d) {
      objects.pop();
      expectKey = false;
    } else if (byte === 0x2c) expectKey = objects.at(-1) != null;
  }
  return { duplicateKey, cuts, depth };
}

function endOfString(body: Uint8Array, start: number): number {
  for (let end = start + 1; ; ) {
    end = body.indexOf(QUOTE, end);
    if (end < 0) return body.length;
    let backslashes = 0;
    while (body[end - 1 - backslashes] === BACKSLASH) backslashes++;
    end++;
    if (backslashes % 2 === 0) return end;
  }
}

/** Without its escapes, since an escaped key is the same key. */
function keyText(body: Uint8Array, start: number, end: number): string {
  const text = Buffer.from(body.buffer, body.byteOffset + start + 1, end - start - 2).toString("utf8");
  return text.includes("\\") ? (JSON.parse(`"${text}"`) as string) : text;
}
