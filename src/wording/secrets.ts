/** What stands in place of a secret. */
const MASK = "***";

/**
 * The ways in which a secret shows up in text: as it is, inside JSON, and in an address. Whoever encodes it otherwise
 * hides it from us.
 */
function formsOf(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret !== "")
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), inAddress(secret)]);
  // The longest first: one may be the beginning of another.
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

export function maskText(text: string, secrets: readonly string[]): string {
  return formsOf(secrets).reduce((masked, form) => masked.replaceAll(form, MASK), text);
}

export interface SecretMasker {
  push(chunk: Buffer): Buffer;
  /** What was held back. */
  end(): Buffer;
}

/**
 * Masks secrets in a stream of bytes, also one that arrives in pieces: what may be the beginning of a secret is held
 * back until it is known.
 */
export function secretMasker(secrets: readonly string[]): SecretMasker {
  const forms = formsOf(secrets).map((form) => Buffer.from(form));
  const mask = Buffer.from(MASK);
  let pending: Buffer = Buffer.alloc(0);

  function take(isEnd: boolean): Buffer {
    const done: Buffer[] = [];
    for (;;) {
      const found = firstOf(pending, forms);
      const open = isEnd ? pending.length : startOfOpen(pending, forms);
      if (found === null || open <= found.at) {
        done.push(pending.subarray(0, open));
        pending = Buffer.from(pending.subarray(open));
        return Buffer.concat(done);
      }
      done.push(pending.subarray(0, found.at), mask);
      pending = pending.subarray(found.at + found.length);
    }
  }

  return {
    push(chunk) {
      if (forms.length === 0) return chunk;
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      return take(false);
    },
    end: () => take(true),
  };
}

/** The earliest form in the text, at one place the longest. */
function firstOf(text: Buffer, forms: readonly Buffer[]): { at: number; length: number } | null {
  let first: { at: number; length: number } | null = null;
  for (const form of forms) {
    const at = text.indexOf(form);
    if (at >= 0 && (first === null || at < first.at)) first = { at, length: form.length };
  }
  return first;
}

/** Where the text's end may be the beginning of a form; the text's length when nowhere. */
function startOfOpen(text: Buffer, forms: readonly Buffer[]): number {
  const longest = forms[0]?.length ?? 0;
  for (let at = Math.max(0, text.length - longest + 1); at < text.length; at++) {
    const rest = text.subarray(at);
    if (forms.some((form) => form.length > rest.length && form.subarray(0, rest.length).equals(rest)))
      return at;
  }
  return text.length;
}

function inAddress(text: string): string {
  try {
    return encodeURIComponent(text);
  } catch {
    return text;
  }
}
