/** A key that is shorter is a word such as "none" or "ollama", which stands in honest text too. */
const MIN_KEY_LENGTH = 8;
const MASK = "***";

/** The keys that must not be written down or passed on. */
export function worthMasking(keys: readonly (string | null)[]): string[] {
  return keys.filter((key) => key !== null && key.length >= MIN_KEY_LENGTH) as string[];
}

/** Bytes without secrets; the same object where there are none in it. */
export function withoutSecrets(body: Uint8Array, secrets: readonly string[]): Uint8Array {
  let safe = body;
  for (const secret of secrets) {
    if (secret === "") continue;
    const from = Buffer.from(safe.buffer, safe.byteOffset, safe.length);
    if (!from.includes(secret)) continue;
    safe = Buffer.from(from.toString("latin1").replaceAll(latin1(secret), MASK), "latin1");
  }
  return safe;
}

export function textWithoutSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((safe, secret) => (secret === "" ? safe : safe.replaceAll(secret, MASK)), text);
}

/** The same for every text inside a value. */
export function valueWithoutSecrets<T>(value: T, secrets: readonly string[]): T {
  const hidden = (inner: unknown): unknown => {
    if (typeof inner === "string") return textWithoutSecrets(inner, secrets);
    if (Array.isArray(inner)) return inner.map(hidden);
    if (typeof inner !== "object" || inner === null) return inner;
    return Object.fromEntries(Object.entries(inner).map(([name, one]) => [name, hidden(one)]));
  };
  return hidden(value) as T;
}

function latin1(text: string): string {
  return Buffer.from(text).toString("latin1");
}

/** An address without the user and password that may stand in it. */
export function withoutLogin(address: string): string {
  return address.replace(/(\w+:\/\/)[^/?#]*@/, `$1${MASK}@`);
}
