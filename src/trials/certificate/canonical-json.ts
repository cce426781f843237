import { createHash } from "node:crypto";

/**
 * JSON with sorted keys and no blanks: the same value always gives the same bytes, so that it can be hashed and
 * signed. Keys whose value is undefined are left out, as JSON does. Records from elsewhere may be nested as deep as they
 * like, so nothing here calls itself.
 */
export function canonicalJson(value: unknown): string {
  const written: string[] = [];
  const left: ({ text: string } | { value: unknown })[] = [{ value }];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if ("text" in next) written.push(next.text);
    else if (typeof next.value !== "object" || next.value === null) written.push(JSON.stringify(next.value));
    // One by one: a call takes only so many arguments.
    else for (const piece of piecesOf(next.value).reverse()) left.push(piece);
  }
  return written.join("");
}

function piecesOf(value: object): ({ text: string } | { value: unknown })[] {
  if (Array.isArray(value))
    return [
      { text: "[" },
      ...value.flatMap((item, i) => [...(i === 0 ? [] : [{ text: "," }]), { value: item ?? null }]),
      { text: "]" },
    ];
  const entries = Object.entries(value)
    .filter(([, item]) => item !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return [
    { text: "{" },
    ...entries.flatMap(([key, item], i) => [
      { text: `${i === 0 ? "" : ","}${JSON.stringify(key)}:` },
      { value: item },
    ]),
    { text: "}" },
  ];
}

/** SHA-256 in hexadecimal. */
export function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

/** The digest of a value, by its canonical form. */
export function valueDigest(value: unknown): string {
  return sha256(canonicalJson(value));
}
